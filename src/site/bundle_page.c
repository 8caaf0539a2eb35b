/*
 * Makes the front page one file. psbench wrote the page, so its markup is known: a tag is judged by
 * its name and by the one attribute that leads to another file.
 */
#include "core/file.h"
#include "site/bundle.h"
#include "site/policy.h"

#include <dirent.h>

typedef struct page {
    const char *folder;
    psb_input input;
    psb_text out;     /* the new page, up to where the old one is read */
    psb_text scripts; /* the scripts that the page loads; they stand at its end */
    psb_text script_hashes, style_hashes;
    size_t policy;    /* where in `out` the policy goes, which has all hashes */
    bool every_sheet; /* all sheets of pictures are in the page, not only those that it shows */
    psb_error *error;
    psb_status status;
} page;

static psb_input open_file(page *p, const char *name, size_t length) {
    psb_input input = PSB_NO_INPUT;
    PSB_FREED char *file = psb_new_text(&p->status, name, length, "a path", p->error);
    PSB_FREED char *path = psb_new_format(&p->status, p->error, "%s/%s", p->folder, file);
    PSB_THEN(p->status, psb_input_open(path, &input, p->error));
    return input;
}

/* Appends a file as "data:image/png;base64,...". */
static void add_data(page *p, psb_text *out, const char *name, size_t length) {
    static const char *const types[][2] = {{".png", "image/png"},
                                           {".jpg", "image/jpeg"},
                                           {".svg", "image/svg+xml"},
                                           {".json", "application/json"}};
    const char *type = "text/plain";
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        size_t ending = strlen(types[t][0]);
        if (length > ending && memcmp(name + length - ending, types[t][0], ending) == 0) {
            type = types[t][1];
        }
    }
    PSB_AT_END(psb_input_close) psb_input input = open_file(p, name, length);
    psb_text_printf(out, "data:%s;base64,", type);
    psb_text_add_base64(out, input.data, input.size);
}

/* Appends an inline "script" or "style" and notes its hash; frees the content. */
static void add_inline(page *p, psb_text *out, const char *element, psb_text *content) {
    if (content->data == NULL) {
        return;
    }
    psb_text *hashes = element[1] == 'c' ? &p->script_hashes : &p->style_hashes;
    psb_text_printf(out, "<%s>", element);
    psb_policy_add_hash(hashes, content->data, content->length);
    psb_text_take(out, content);
    psb_text_printf(out, "</%s>\n", element);
}

/*
 * Appends a script with "\" behind the < of "</" and "<!": a string with "</script" would end it.
 */
static void add_script(page *p, const char *script, size_t size) {
    psb_text content = {0};
    size_t from = 0;
    for (size_t i = 0; i + 1 < size; i++) {
        if (script[i] == '<' && (script[i + 1] == '/' || script[i + 1] == '!')) {
            psb_text_add_bytes(&content, script + from, i + 1 - from);
            psb_text_add(&content, "\\");
            from = i + 1;
        }
    }
    psb_text_add_bytes(&content, script + from, size - from);
    add_inline(p, &p->scripts, "script", &content);
}

enum { MOST_PICTURES = 6 << 20 }; /* bytes of sheets that the page has within, and of JPEGs */

/* Makes the rules of data/pictures.css with their sheets inside; without `all` those that the page
 * itself shows, not those that the script asks for. */
static psb_text take_sheets(page *p, const psb_input *style, bool all) {
    static const char mark[] = "url(../";
    psb_text out = {0};
    for (const char *at = style->data, *end = at + style->size; at < end && p->status == PSB_OK;) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        size_t length = line != NULL ? (size_t)(line + 1 - at) : (size_t)(end - at);
        const char *url = memmem(at, length, mark, sizeof mark - 1);
        const char *close = url != NULL ? memchr(url, ')', length - (size_t)(url - at)) : NULL;
        char class[32]; /* "sheet-3 ", as it stands in a tag */
        size_t name =
            (size_t)snprintf(class, sizeof class, "%.*s ", (int)strcspn(at, "{") - 1, at + 1);
        if (close != NULL && (all || memmem(p->input.data, p->input.size, class, name) != NULL)) {
            psb_text_add_bytes(&out, at, (size_t)(url + 4 - at));
            add_data(p, &out, url + sizeof mark - 1, (size_t)(close - (url + sizeof mark - 1)));
            psb_text_add_bytes(&out, close, length - (size_t)(close - at));
        }
        at += length;
    }
    return out;
}

static void add_style(page *p, const char *name, size_t size) {
    psb_text content = {0};
    psb_input style = open_file(p, name, size);
    if (memmem(name, size, "pictures.css", strlen("pictures.css")) == NULL) {
        psb_text_add_bytes(&content, style.data, style.size);
    } else {
        content = take_sheets(p, &style, true);
        p->every_sheet = content.length < MOST_PICTURES;
        if (!p->every_sheet) {
            psb_text_free(&content);
            content = take_sheets(p, &style, false);
        }
    }
    psb_input_close(&style);
    add_inline(p, &p->out, "style", &content);
}

static int is_jpeg(const struct dirent *file) {
    const char *dot = strrchr(file->d_name, '.');
    return file->d_name[0] != '.' && dot != NULL && strcmp(dot, ".jpg") == 0;
}

/* Adds the JPEGs that scripts show, by their names, or none if they are too large in sum. */
static void add_pictures(page *p) {
    PSB_FREED struct dirent **files = NULL;
    psb_text all = {0};
    PSB_FREED char *folder = psb_new_format(&p->status, p->error, "%s/thumbnails", p->folder);
    int count = p->status == PSB_OK ? scandir(folder, &files, is_jpeg, alphasort) : 0;
    psb_text_add(&all, "psb.files={");
    for (int i = 0; i < count; i++) {
        PSB_FREED char *name =
            psb_new_format(&p->status, p->error, "thumbnails/%s", files[i]->d_name);
        if (p->status == PSB_OK && all.length < MOST_PICTURES) {
            psb_text_printf(&all, "%s\"%s\":\"", i > 0 ? ",\n" : "", files[i]->d_name);
            add_data(p, &all, name, strlen(name));
            psb_text_add(&all, "\"");
        }
        free(files[i]);
    }
    psb_text_add(&all, "};\n");
    if (all.length >= MOST_PICTURES) {
        psb_text_free(&all);
        psb_text_add(&all, "psb.files={};psb.pictures=psb.pictures.replaceAll(\"j\",\"-\");\n");
    }
    if (!p->every_sheet) {
        psb_text_add(&all, "psb.pictures=psb.pictures.replaceAll(\"p\",\"-\");\n");
    }
    add_inline(p, &p->scripts, "script", &all);
}

/* The value of an attribute in a tag of `length` bytes, or NULL; *size becomes its length. */
static const char *value_of(const char *tag, size_t length, const char *name, size_t *size) {
    const char *found = memmem(tag, length, name, strlen(name));
    if (found == NULL) {
        return NULL;
    }
    found += strlen(name);
    const char *end = memchr(found, '"', length - (size_t)(found - tag));
    *size = end != NULL ? (size_t)(end - found) : 0;
    return end != NULL ? found : NULL;
}

/* True if an address leads to a file beside the page. */
static bool is_local(const char *address, size_t length) {
    return length > 0 && address[0] != '#' && memchr(address, ':', length) == NULL;
}

/*
 * Adds a link with the table that it leads to inside. Of a link to another page only the text
 * stays: false, as its end has to be left out, too.
 */
static bool add_link(page *p, const char *tag, size_t length) {
    size_t size = 0;
    const char *address = value_of(tag, length, " href=\"", &size);
    if (address == NULL || !is_local(address, size)) {
        psb_text_add_bytes(&p->out, tag, length);
        return true;
    }
    if (size < 5 || strncmp(address, "data/", 5) != 0) {
        return false;
    }
    psb_text_add_bytes(&p->out, tag, (size_t)(address - tag));
    add_data(p, &p->out, address, size);
    psb_text_add(&p->out, "\" download=\"");
    psb_text_add_bytes(&p->out, address + 5, size - 5);
    psb_text_add_bytes(&p->out, address + size, length - (size_t)(address + size - tag));
    return true;
}

/* Returns what follows the closing tag of something left out, such as the navigation. */
static const char *behind(const char *at, const char *end, const char *closing) {
    const char *found = memmem(at, (size_t)(end - at), closing, strlen(closing));
    return found != NULL ? found + strlen(closing) : end;
}

static bool is_tag(const char *at, const char *end, const char *begin) {
    size_t length = strlen(begin);
    return (size_t)(end - at) >= length && memcmp(at, begin, length) == 0;
}

/* Adds the tag at `at`; returns what stands behind it. */
static const char *take_tag(page *p, const char *at, const char *end, bool *link) {
    const char *close = memchr(at, '>', (size_t)(end - at));
    size_t size = 0, length = close != NULL ? (size_t)(close + 1 - at) : (size_t)(end - at);
    const char *source = value_of(at, length, " src=\"", &size);
    if (is_tag(at, end, "<html ")) {
        psb_text_add(&p->out, "<html data-single ");
        psb_text_add_bytes(&p->out, at + 6, length - 6);
    } else if (is_tag(at, end, "<meta http-equiv")) {
        p->policy = p->out.length;
    } else if (is_tag(at, end, "<link rel=\"stylesheet\" ")) {
        const char *name = value_of(at, length, " href=\"", &size);
        add_style(p, name != NULL ? name : "", size);
    } else if (is_tag(at, end, "<script ") && source != NULL) {
        psb_input script = open_file(p, source, size);
        add_script(p, script.data, script.size);
        psb_input_close(&script);
        if (memmem(source, size, "models.js", strlen("models.js")) != NULL) {
            add_pictures(p);
        }
        return behind(at, end, "</script>");
    } else if (is_tag(at, end, "<nav ")) {
        return behind(at, end, "</nav>");
    } else if (is_tag(at, end, "<a ")) {
        *link = add_link(p, at, length);
    } else if (is_tag(at, end, "</a>") && !*link) {
        *link = true;
    } else if (is_tag(at, end, "<img ") && source != NULL && is_local(source, size)) {
        psb_text_add_bytes(&p->out, at, (size_t)(source - at));
        add_data(p, &p->out, source, size);
        psb_text_add_bytes(&p->out, source + size, length - (size_t)(source + size - at));
    } else if (is_tag(at, end, "</body>")) {
        psb_text_take(&p->out, &p->scripts);
        psb_text_add_bytes(&p->out, at, length);
    } else {
        psb_text_add_bytes(&p->out, at, length);
    }
    return at + length;
}

psb_status psb_bundle_page(const char *folder, const char *path, psb_error *error) {
    page p = {.folder = folder, .error = error, .status = PSB_OK};
    psb_text whole = {0};
    p.input = open_file(&p, "index.html", strlen("index.html"));
    const char *end = p.input.data + p.input.size;
    bool link = true;
    for (const char *at = p.input.data; at < end && p.status == PSB_OK;) {
        const char *tag = memchr(at, '<', (size_t)(end - at));
        psb_text_add_bytes(&p.out, at, (size_t)((tag != NULL ? tag : end) - at));
        at = tag != NULL ? take_tag(&p, tag, end, &link) : end;
    }
    psb_input_close(&p.input);
    PSB_THEN(p.status, psb_text_status(&p.out, error));
    if (p.status == PSB_OK) {
        psb_text_add_bytes(&whole, p.out.data, p.policy);
        psb_policy_add_inline(&whole, &p.script_hashes, &p.style_hashes);
        psb_text_add_bytes(&whole, p.out.data + p.policy, p.out.length - p.policy);
    }
    p.status = psb_write_text(p.status, path, &whole, error);
    psb_text_free(&p.out);
    psb_text_free(&p.scripts);
    psb_text_free(&p.script_hashes);
    psb_text_free(&p.style_hashes);
    return p.status;
}
