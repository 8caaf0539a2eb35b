/* Reads ranked lists of several forms, which share finding models and checking lists. */
#include "io/lists.h"

#include "core/number.h"
#include "io/ids.h"
#include "io/labels.h"
#include "io/name.h"
#include "io/neighbors.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <strings.h>

enum {
    SHOWN = 40,    /* bytes of a name in a message */
    PADDED = 12,   /* longest id for which leading zeros are added or removed */
    CUTOFF = 1000, /* lines that ShapeNet's evaluator reads of a list */
    LEAST = 11,    /* bytes of the shortest line of a TREC run, without its end */
};

typedef struct word {
    const char *begin;
    size_t length;
} word;

typedef struct reader {
    const psb_lists *lists;
    const char *path;
    unsigned long line;
    psb_names queries, targets;
    size_t query, rank; /* position in the list that is being read */
    size_t *query_at;   /* for lists in the order of the queries' file: the query on each line */
    bool *begun;        /* true for queries whose list has begun */
    size_t *member;     /* for each target: 1 + the last query with it in its list */
    psb_error *error;
} reader;

/* Reports one fault; returns PSB_OK if reading goes on. */
static psb_status tell(const reader *r, const psb_error *fault) {
    if (r->lists->fault != NULL) {
        r->lists->fault(r->lists->context, fault);
        return PSB_OK;
    }
    if (r->error != NULL) {
        *r->error = *fault;
    }
    return fault->status;
}

static psb_status fault_word(const reader *r, const char *what, word w) {
    psb_error fault;
    psb_fail_at(&fault, PSB_ERROR_INPUT, r->path, r->line, "%s '%.*s'", what,
                (int)(w.length < SHOWN ? w.length : SHOWN), w.begin);
    return tell(r, &fault);
}

static psb_status fault(const reader *r, const char *what) {
    psb_error fault;
    psb_fail_at(&fault, PSB_ERROR_INPUT, r->path, r->line, "%s", what);
    return tell(r, &fault);
}

/* ---- models ----------------------------------------------------------------------------- */

/* Finds the one number that differs from the word in leading zeros alone; PSB_NO_NAME if several
 * do. */
static size_t find_padded(const psb_names *names, word w) {
    char padded[PADDED];
    while (w.length > 1 && *w.begin == '0') {
        w = (word){w.begin + 1, w.length - 1};
    }
    size_t found = PSB_NO_NAME;
    for (size_t width = w.length; width <= PADDED; width++) {
        memset(padded, '0', width - w.length);
        memcpy(padded + width - w.length, w.begin, w.length);
        size_t one = psb_names_find_bytes(names, padded, width);
        if (one != PSB_NO_NAME && found != PSB_NO_NAME) {
            return PSB_NO_NAME;
        }
        found = one != PSB_NO_NAME ? one : found;
    }
    return found;
}

/* Finds a model by name. Ids of digits may have leading zeros that are missing in lists, or the
 * other way round. */
static size_t find_model(const psb_names *names, word w) {
    size_t found = psb_ids_find(names, w.begin, w.length);
    bool digits = w.length > 0;
    for (size_t i = 0; i < w.length && digits; i++) {
        digits = isdigit((unsigned char)w.begin[i]);
    }
    return found == PSB_NO_NAME && digits ? find_padded(names, w) : found;
}

static void begin_list(reader *r, size_t query) {
    r->query = query;
    r->rank = 0;
    r->begun[query] = true;
    if (r->lists->begin != NULL) {
        r->lists->begin(r->lists->context, query);
    }
}

/* Adds the target to the list. */
static psb_status take(reader *r, size_t target, double distance) {
    const psb_lists *l = r->lists;
    const char *name = l->targets->models[target];
    if (r->member[target] == r->query + 1) {
        return l->form == PSB_LISTS_SHAPENET
                   ? PSB_OK
                   : fault_word(r, "twice in this list: model", (word){name, strlen(name)});
    }
    r->member[target] = r->query + 1;
    if (l->with_query || strcmp(name, l->queries->models[r->query]) != 0) {
        l->take(l->context, r->query, ++r->rank, target, distance);
    }
    return PSB_OK;
}

static psb_status take_word(reader *r, word w) {
    size_t target = find_model(&r->targets, w);
    if (target != PSB_NO_NAME) {
        return take(r, target, (double)NAN);
    }
    return r->lists->form == PSB_LISTS_SHAPENET ? PSB_OK
                                                : fault_word(r, "not among the targets: model", w);
}

/* ---- lines ------------------------------------------------------------------------------ */

static bool is_separator(char c, const char *separators) {
    return strchr(separators, c) != NULL && c != '\0';
}

/* Reads the next word of the line; false at the end of the line. */
static bool next_word(const char **at, const char *end, const char *separators, word *w) {
    while (*at < end && is_separator(**at, separators)) {
        (*at)++;
    }
    const char *begin = *at;
    while (*at < end && !is_separator(**at, separators)) {
        (*at)++;
    }
    *w = (word){begin, (size_t)(*at - begin)};
    return w->length > 0;
}

static const char blanks[] = " \t\r\v\f", marks[] = " \t\r\v\f,;|";

typedef psb_status read_line(reader *r, const char *at, const char *end, void *context);

static psb_status each_line(reader *r, const char *data, size_t size, read_line *line,
                            void *context) {
    psb_status status = PSB_OK;
    const char *end = data + size, *at = data + psb_text_mark(data, size), *begin, *stop;
    while (status == PSB_OK && psb_next_line(&at, end, &begin, &stop)) {
        r->line++;
        status = line(r, begin, stop, context);
    }
    return status;
}

static bool is_number(word w, double *value) {
    const char *at = w.begin, *end = w.begin + w.length;
    return psb_scan_double(&at, end, value) && at == end && fabs(*value) < HUGE_VAL;
}

/* ---- lists of psbench search ------------------------------------------------------------ */

typedef struct search {
    bool named, rows;  /* the columns' names were read; they say that models are row numbers */
    size_t *target_at; /* the target in each row; the query in each is r->query_at */
    double distance;   /* on the line before */
} search;

static bool whole_number(word w, int64_t *number) {
    const char *at = w.begin, *end = w.begin + w.length;
    return psb_scan_int64(&at, end, number) && at == end && *number >= 0;
}

/* Checks the first line: the lists are from a database of as many rows as there are targets. */
static psb_status read_mark(const reader *r, const char *at, const char *end) {
    static const char mark[] = PSB_NEIGHBORS_MARK, count[] = " database=";
    const char *database = memmem(at, (size_t)(end - at), count, sizeof count - 1);
    int64_t rows;
    if ((size_t)(end - at) < sizeof mark - 1 || memcmp(at, mark, sizeof mark - 1) != 0 ||
        database == NULL || (database += sizeof count - 1) == end ||
        !psb_scan_int64(&database, end, &rows) || (database < end && *database != ' ')) {
        return fault(r, "want '# psbench search:' and 'database=' with the number of its rows");
    }
    size_t targets = r->lists->targets->nmodels;
    return (uint64_t)rows == targets
               ? PSB_OK
               : psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                             "lists from a database of %lld, but the classification has %zu models",
                             (long long)rows, targets);
}

static bool is_line(const char *at, const char *end, const char *text) {
    return (size_t)(end - at) == strlen(text) && memcmp(at, text, strlen(text)) == 0;
}

static psb_status read_columns(const reader *r, const char *at, const char *end, search *s) {
    s->named = true;
    s->rows = is_line(at, end, PSB_NEIGHBORS_BY_ROW);
    if (!s->rows) {
        return is_line(at, end, PSB_NEIGHBORS_BY_ID)
                   ? PSB_OK
                   : fault(r, "want the names of the columns: query, rank, neighbor, distance");
    }
    const psb_lists *l = r->lists;
    psb_status status = psb_cla_one_order(l->queries, r->path, false, r->error);
    PSB_THEN(status, psb_cla_one_order(l->targets, r->path, false, r->error));
    return PSB_THEN(status, psb_cla_listed(l->targets, &s->target_at, r->error));
}

/* Finds a model by its name or row; PSB_NO_NAME if there is none. */
static size_t find_named(const psb_names *names, bool rows, const size_t *at, size_t n, word w) {
    int64_t row;
    return !rows ? psb_names_find_bytes(names, w.begin, w.length)
           : whole_number(w, &row) && (uint64_t)row < n ? at[row]
                                                        : PSB_NO_NAME;
}

/* Takes a neighbor, if its line may follow the line before. */
static psb_status take_neighbor(reader *r, search *s, size_t query, int64_t rank, size_t target,
                                double distance) {
    const psb_lists *l = r->lists;
    const char *name = l->targets->models[target];
    if (r->rank == 0 || query != r->query) {
        if (r->begun[query]) {
            return fault(r, "the lines of this query are not consecutive");
        }
        begin_list(r, query);
        s->distance = 0;
    }
    if ((uint64_t)rank != r->rank + 1) {
        return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                           "rank %lld, but this is number %zu of the list", (long long)rank,
                           r->rank + 1);
    }
    if (distance < s->distance) {
        return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                           "distance %.9g behind %.9g: a list is in ascending order", distance,
                           s->distance);
    }
    s->distance = distance;
    return strcmp(name, l->queries->models[query]) == 0
               ? fault_word(r, "in its own list: model", (word){name, strlen(name)})
               : take(r, target, distance);
}

static psb_status read_search_line(reader *r, const char *at, const char *end, void *context) {
    search *s = context;
    enum { QUERY, RANK, NEIGHBOR, DISTANCE, FIELDS };
    word fields[FIELDS + 1];
    size_t count = 0;
    if (r->line == 1) {
        return read_mark(r, at, end);
    }
    if (at < end && *at == '#') {
        return PSB_OK;
    }
    if (!s->named) {
        return read_columns(r, at, end, s);
    }
    bool more = end > at && end[-1] == '\t';
    while (count <= FIELDS && next_word(&at, end, "\t", &fields[count])) {
        count++;
    }
    if (count != FIELDS || more) {
        return fault(r, "want four fields with tabs between them: query, rank, neighbor, distance");
    }
    const psb_lists *l = r->lists;
    size_t query =
        find_named(&r->queries, s->rows, r->query_at, l->queries->nmodels, fields[QUERY]);
    size_t target =
        find_named(&r->targets, s->rows, s->target_at, l->targets->nmodels, fields[NEIGHBOR]);
    int64_t rank;
    double distance;
    if (query == PSB_NO_NAME || target == PSB_NO_NAME) {
        return fault_word(
            r, s->rows ? "not in the classification: row" : "not in the classification: model",
            fields[query == PSB_NO_NAME ? QUERY : NEIGHBOR]);
    }
    if (!whole_number(fields[RANK], &rank) || !is_number(fields[DISTANCE], &distance) ||
        !(distance >= 0)) {
        return fault(r, "want a rank and a distance that is finite and not negative");
    }
    return take_neighbor(r, s, query, rank, target, distance);
}

/* A line depends on those before it, so that only the first fault is one. */
static psb_status read_search(reader *r, const char *data, size_t size) {
    search s = {0};
    psb_error first;
    psb_lists strict = *r->lists;
    reader own = *r;
    strict.fault = NULL;
    own.lists = &strict;
    own.error = &first;
    psb_status status = each_line(&own, data, size, read_search_line, &s);
    PSB_THEN_IF(status, !s.named, fault(&own, "the file ends in front of its lists"));
    free(s.target_at);
    return status == PSB_OK ? PSB_OK : tell(r, &first);
}

/* ---- TREC runs -------------------------------------------------------------------------- */

/* A line of a TREC run; sorted by query, then descending score, then descending name, then line. */
typedef struct entry {
    uint32_t query, line;
    uint64_t key; /* ascending key: falling() of the score, then ~place of the name */
} entry;

typedef struct run {
    entry *entries;
    size_t count;
    uint32_t *place;    /* each target's place when sorted by name */
    uint32_t *by_place; /* the target at each place */
} run;

/* Maps floats to integers in descending order. */
static uint32_t falling(float score) {
    uint32_t bits;
    score += 0.0F; /* -0 becomes 0 */
    memcpy(&bits, &score, sizeof bits);
    return bits >> 31 != 0 ? bits : ~(bits | (uint32_t)1 << 31);
}

static psb_status read_run_line(reader *r, const char *at, const char *end, void *context) {
    run *all = context;
    enum { QUERY, ITERATION, MODEL, RANK, SCORE, TAG, FIELDS };
    word fields[FIELDS + 1];
    size_t count = 0;
    while (count <= FIELDS && next_word(&at, end, blanks, &fields[count])) {
        count++;
    }
    double score, rank;
    if (count == 0) {
        return PSB_OK;
    }
    if (count != FIELDS) {
        return fault(r, "want six fields: QUERY Q0 MODEL RANK SCORE TAG");
    }
    size_t query = find_model(&r->queries, fields[QUERY]);
    size_t target = find_model(&r->targets, fields[MODEL]);
    if (query == PSB_NO_NAME) {
        return fault_word(r, "not among the queries: model", fields[QUERY]);
    }
    if (target == PSB_NO_NAME) {
        return fault_word(r, "not among the targets: model", fields[MODEL]);
    }
    if (!is_number(fields[RANK], &rank)) {
        return fault_word(r, "a rank is a number, not", fields[RANK]);
    }
    if (!is_number(fields[SCORE], &score)) {
        return fault_word(r, "a score is a finite number, not", fields[SCORE]);
    }
    uint64_t key = (uint64_t)falling((float)score) << 32 | (uint32_t)~all->place[target];
    all->entries[all->count++] = (entry){(uint32_t)query, (uint32_t)r->line, key};
    return PSB_OK;
}

static int compare_entries(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->query != y->query) {
        return x->query < y->query ? -1 : 1;
    }
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->line > y->line) - (x->line < y->line);
}

typedef struct named {
    const char *name;
    uint32_t index;
} named;

static int compare_names(const void *a, const void *b) {
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

static psb_status order_names(const psb_classification *targets, run *all, psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = targets->nmodels;
    PSB_FREED named *names = psb_new(&status, n, sizeof *names, "names", error);
    all->place = psb_new(&status, n, sizeof *all->place, "names", error);
    all->by_place = psb_new(&status, n, sizeof *all->by_place, "names", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        names[i] = (named){targets->models[i], (uint32_t)i};
    }
    if (status == PSB_OK && n > 0) {
        qsort(names, n, sizeof *names, compare_names);
    }
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        all->by_place[i] = names[i].index;
        all->place[names[i].index] = (uint32_t)i;
    }
    return status;
}

/* Counts the lines long enough for an entry: an upper bound for the entries of the file. */
static psb_status count_line(reader *r PSB_UNUSED, const char *at, const char *end, void *context) {
    *(size_t *)context += end - at >= LEAST;
    return PSB_OK;
}

static psb_status read_run(reader *r, const char *data, size_t size) {
    run all = {0};
    size_t most = 0;
    each_line(r, data, size, count_line, &most);
    r->line = 0;
    psb_status status = order_names(r->lists->targets, &all, r->error);
    all.entries = psb_new(&status, most, sizeof *all.entries, "lists", r->error);
    PSB_THEN(status, each_line(r, data, size, read_run_line, &all));
    if (status == PSB_OK && all.count > 0) {
        qsort(all.entries, all.count, sizeof *all.entries, compare_entries);
    }
    for (size_t i = 0; i < all.count && status == PSB_OK; i++) {
        const entry *e = &all.entries[i];
        if (i == 0 || e->query != all.entries[i - 1].query) {
            begin_list(r, e->query);
        }
        r->line = e->line;
        status = take(r, all.by_place[(uint32_t)~e->key], (double)NAN);
    }
    free(all.entries);
    free(all.place);
    free(all.by_place);
    return status;
}

/* ---- a file a query, a line a query ------------------------------------------------------- */

/* What is known of a file with one list, and how far it was read. Reports the first descent of
 * distances only. */
typedef struct progress {
    size_t lines, pairs;  /* lines with a word; with two words */
    size_t first, second; /* lines whose first word is a target; whose second word is */
    bool title;           /* the first line is the query's name alone */
    double distance;      /* on the line before */
    size_t taken;         /* lines read with a model */
    bool descended;
} progress;

/* Reads the first two words of a list's line; false for a comment or an empty line. */
static bool split_line(const char **at, const char *end, word words[2]) {
    words[1] = (word){NULL, 0};
    if (!next_word(at, end, marks, &words[0]) || *words[0].begin == '#' || *words[0].begin == '%') {
        return false;
    }
    next_word(at, end, marks, &words[1]);
    return true;
}

static psb_status survey_line(reader *r, const char *at, const char *end, void *context) {
    progress *p = context;
    word words[2];
    if (split_line(&at, end, words)) {
        bool pair = words[1].length > 0;
        p->title =
            p->title || (p->lines == 0 && !pair && find_model(&r->queries, words[0]) == r->query);
        p->lines++;
        p->pairs += pair;
        p->first += find_model(&r->targets, words[0]) != PSB_NO_NAME;
        p->second += pair && find_model(&r->targets, words[1]) != PSB_NO_NAME;
    }
    return PSB_OK;
}

static psb_status read_shrec_line(reader *r, const char *at, const char *end, void *context) {
    progress *p = context;
    bool lenient = r->lists->form == PSB_LISTS_SHAPENET;
    word words[2], more;
    double distance = p->distance;
    psb_status status = PSB_OK;
    if (!split_line(&at, end, words) || (lenient && p->taken == CUTOFF)) {
        return PSB_OK;
    }
    /* SHREC'12 to '15 begin with the query's name, '16 and later have the distance first. */
    bool turned = p->pairs > 0 && p->second == p->lines - p->title && p->first < p->second;
    word model = words[turned], second = words[!turned];
    if (p->title && p->pairs > 0 && second.length == 0 && p->taken == 0) {
        p->title = false;
        p->lines--;
        return PSB_OK;
    }
    if (!lenient && second.length > 0 &&
        (!is_number(second, &distance) || next_word(&at, end, marks, &more))) {
        status = fault(r, "want a model, and behind it nothing or a distance");
    }
    /* The order of lines is the ranking. Contradicting distances are a fault only if a submission
     * is checked. */
    if (status == PSB_OK && r->lists->fault != NULL && distance < p->distance && p->taken > 0 &&
        !p->descended && !lenient) {
        status = fault_word(r, "farther down than a larger one: distance", second);
        p->descended = true;
    }
    p->distance = distance;
    p->taken++;
    return PSB_THEN(status, take_word(r, model));
}

/* Finds the query that the file is named after, with or without an ending. */
static size_t query_of(const reader *r, const char *path) {
    const char *file = psb_last_part(path);
    PSB_AT_END(psb_text_free) psb_text name = {0};
    psb_name_add_of_file(&name, file, strlen(file));
    size_t found = PSB_NO_NAME;
    if (!name.failed && name.length > 0) {
        const char *dot = strrchr(name.data, '.');
        found = find_model(&r->queries, (word){name.data, name.length});
        if (found == PSB_NO_NAME && dot != NULL) {
            found = find_model(&r->queries, (word){name.data, (size_t)(dot - name.data)});
        }
    }
    return found;
}

static psb_status read_file(reader *r, const char *path, const char *data, size_t size) {
    size_t query = query_of(r, path);
    r->path = path;
    r->line = 0;
    if (query == PSB_NO_NAME) {
        return r->lists->form == PSB_LISTS_SHAPENET
                   ? PSB_OK
                   : fault(r,
                           "the file is named for none of the queries: name it as the query's id");
    }
    if (r->begun[query]) {
        return fault(r, "a second list of its query");
    }
    begin_list(r, query);
    progress p = {0};
    if (r->lists->form != PSB_LISTS_SHAPENET) {
        each_line(r, data, size, survey_line, &p);
        r->line = 0;
    }
    return each_line(r, data, size, read_shrec_line, &p);
}

static int is_plain(const struct dirent *file) {
    return file->d_name[0] != '.';
}

static psb_status read_folder(reader *r, const char *folder) {
    PSB_FREED struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_plain, alphasort);
    psb_status status = PSB_OK;
    if (count < 0) {
        return psb_fail_at(r->error, PSB_ERROR_IO, folder, 0, "cannot be listed");
    }
    for (int i = 0; i < count; i++) {
        PSB_FREED char *path = NULL;
        PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
        PSB_THEN(status, psb_path_join(&path, folder, entries[i]->d_name, r->error));
        PSB_THEN(status, psb_input_open(path, &input, r->error));
        PSB_THEN(status, read_file(r, path, input.data, input.size));
        free(entries[i]);
    }
    return status;
}

static psb_status read_row(reader *r, const char *at, const char *end, void *context) {
    size_t *query = context;
    word w;
    psb_status status = PSB_OK;
    if (at < end && (*at == '#' || *at == '%')) {
        return PSB_OK;
    }
    if (*query == r->lists->queries->nmodels) {
        return next_word(&at, end, marks, &w) ? fault(r, "more lines than there are queries")
                                              : PSB_OK;
    }
    begin_list(r, r->query_at[(*query)++]);
    while (status == PSB_OK && next_word(&at, end, marks, &w)) {
        status = take_word(r, w);
    }
    return status;
}

/* ---- the forms -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    psb_list_form form;
} forms[] = {
    {"search", PSB_LISTS_SEARCH},     {"trec", PSB_LISTS_TREC}, {"shrec", PSB_LISTS_SHREC},
    {"shapenet", PSB_LISTS_SHAPENET}, {"rows", PSB_LISTS_ROWS},
};

psb_list_form psb_lists_form(const char *name) {
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (strcmp(forms[i].name, name) == 0) {
            return forms[i].form;
        }
    }
    return PSB_LISTS_NONE;
}

/* True if the first line has six words, the second being Q0, or 0 where the fourth and fifth are
 * numbers and the last is none. */
static bool begins_as_run(const psb_input *input) {
    const char *at = input->data, *end = input->data + input->size;
    const char *feed = input->size > 0 ? memchr(at, '\n', input->size) : NULL;
    word w[7];
    size_t count = 0;
    double value;
    while (count < 7 && next_word(&at, feed != NULL ? feed : end, blanks, &w[count])) {
        count++;
    }
    return count == 6 && ((w[1].length == 2 && memcmp(w[1].begin, "Q0", 2) == 0) ||
                          (w[1].length == 1 && *w[1].begin == '0' && is_number(w[3], &value) &&
                           is_number(w[4], &value) && !is_number(w[5], &value)));
}

/* True if the file begins with a name and is no classification. If names are numbers, lists look
 * like a matrix. */
static bool begins_as_rows(const psb_input *input) {
    const char *at = input->data, *end = input->data + input->size, *feed = at;
    word w = {NULL, 0};
    bool text = input->size < 6 || memcmp(at, "PSB 1\n", 6) != 0;
    for (; at < end && w.length == 0; at = feed < end ? feed + 1 : end) {
        feed = memchr(at, '\n', (size_t)(end - at));
        feed = feed != NULL ? feed : end;
        const char *begin = at;
        if (*at != '#' && *at != '%') {
            next_word(&begin, feed, marks, &w);
        }
        for (; at < feed && text; at++) { /* bytes of distances are no text */
            text = (unsigned char)*at >= ' ' || isspace((unsigned char)*at);
        }
    }
    /* A line of names, or the name of a column, may be the head of a matrix, and its rows may begin
     * with names: look at the second line. */
    word next = {NULL, 0}, after = {NULL, 0};
    double value;
    bool head = false;
    while (at < end && next.length == 0) {
        feed = memchr(at, '\n', (size_t)(end - at));
        feed = feed != NULL ? feed : end;
        next_word(&at, feed, marks, &next);
        next_word(&at, feed, marks, &after);
        at = feed < end ? feed + 1 : end;
    }
    for (const char *const *name = psb_labels_ids; *name != NULL; name++) {
        head = head || (w.length == strlen(*name) && strncasecmp(w.begin, *name, w.length) == 0);
    }
    head = head || (next.length > 0 && is_number(next, &value)) ||
           (after.length > 0 && is_number(after, &value));
    bool number = w.length >= 3 &&
                  (strncasecmp(w.begin, "nan", 3) == 0 || strncasecmp(w.begin, "inf", 3) == 0);
    return text && !head && w.length > 0 && (isalpha((unsigned char)*w.begin) || *w.begin == '_') &&
           !number;
}

psb_list_form psb_lists_detect(const char *path) {
    PSB_AT_END(psb_input_close) psb_input input = {0};
    psb_error error;
    if (psb_is_folder(path)) {
        return PSB_LISTS_SHREC;
    }
    if (psb_neighbors_is_list(path)) {
        return PSB_LISTS_SEARCH;
    }
    if (psb_input_open(path, &input, &error) != PSB_OK) {
        return PSB_LISTS_NONE;
    }
    psb_list_form form = begins_as_run(&input)    ? PSB_LISTS_TREC
                         : begins_as_rows(&input) ? PSB_LISTS_ROWS
                                                  : PSB_LISTS_NONE;
    return form;
}

static psb_status open_reader(reader *r) {
    const psb_classification *queries = r->lists->queries, *targets = r->lists->targets;
    psb_status status = psb_names_fill(&r->queries, queries->models, queries->nmodels, r->error);
    PSB_THEN(status, psb_names_fill(&r->targets, targets->models, targets->nmodels, r->error));
    PSB_THEN(status, psb_cla_listed(queries, &r->query_at, r->error));
    r->begun = psb_new_zero(&status, queries->nmodels, sizeof *r->begun, "lists", r->error);
    r->member = psb_new_zero(&status, targets->nmodels, sizeof *r->member, "lists", r->error);
    return status;
}

static void close_reader(reader *r) {
    psb_names_free(&r->queries);
    psb_names_free(&r->targets);
    free(r->query_at);
    free(r->begun);
    free(r->member);
}

psb_status psb_lists_parse(const psb_lists *lists, const char *path, const char *data, size_t size,
                           psb_error *error) {
    reader r = {.lists = lists, .path = path, .error = error};
    psb_status status = lists->form == PSB_LISTS_ROWS
                            ? psb_cla_one_order(lists->queries, path, false, error)
                            : PSB_OK;
    PSB_THEN(status, open_reader(&r));
    size_t row = 0;
    PSB_THEN(status, lists->form == PSB_LISTS_SEARCH ? read_search(&r, data, size)
                     : lists->form == PSB_LISTS_TREC ? read_run(&r, data, size)
                     : lists->form == PSB_LISTS_ROWS ? each_line(&r, data, size, read_row, &row)
                                                     : read_file(&r, path, data, size));
    close_reader(&r);
    return status;
}

psb_status psb_lists_read(const psb_lists *lists, const char *path, psb_error *error) {
    if (lists->form == PSB_LISTS_SHREC || lists->form == PSB_LISTS_SHAPENET) {
        reader r = {.lists = lists, .path = path, .error = error};
        psb_status status = open_reader(&r);
        PSB_THEN(status, read_folder(&r, path));
        close_reader(&r);
        return status;
    }
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = psb_input_open(path, &input, error);
    return PSB_THEN(status, psb_lists_parse(lists, path, input.data, input.size, error));
}
