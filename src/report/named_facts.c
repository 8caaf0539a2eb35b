/* Shortens the paths in facts to their last parts. */
#include "report/named_facts.h"

/* Where the last part of text[0] ... text[length - 1] begins. */
static size_t last_part(const char *text, size_t length) {
    while (length > 0 && text[length - 1] == '/') {
        length--;
    }
    while (length > 0 && text[length - 1] != '/') {
        length--;
    }
    return length;
}

const char *psb_path_name(const char *path) {
    return path + last_part(path, strlen(path));
}

/* Appends a word of a command, shortening the path of [LABEL=]PATH or OPTION=PATH. */
static void add_word(psb_text *out, const char *word, size_t length) {
    size_t path = strcspn(word, "=/");
    path = path < length && word[path] == '=' ? path + 1 : 0;
    size_t from = path + last_part(word + path, length - path);
    psb_text_add_bytes(out, word, path);
    psb_text_add(out, from > path && word[path] == '\'' ? "'" : "");
    psb_text_add_bytes(out, word + from, length - from);
}

/* Shortens the paths of all words, which end at spaces and commas outside of quotes. */
static void add_words(psb_text *out, const char *text) {
    for (const char *at = text; *at != '\0';) {
        size_t length = 0;
        for (bool quoted = false; at[length] != '\0'; length++) {
            quoted = quoted != (at[length] == '\'');
            if (!quoted && (at[length] == ' ' || at[length] == ',')) {
                break;
            }
        }
        add_word(out, at, length);
        at += length;
        if (*at != '\0') {
            psb_text_add_bytes(out, at++, 1);
        }
    }
}

/* Appends a reason, "PATH: what is wrong", with its path shortened. */
static void add_reason(psb_text *out, const char *reason) {
    const char *colon = strstr(reason, ": ");
    size_t length = colon != NULL ? (size_t)(colon - reason) : 0;
    size_t from = last_part(reason, length);
    psb_text_add_bytes(out, reason + from, length - from);
    add_words(out, reason + length);
}

static psb_status name_failed(psb_named_facts *to, psb_error *error) {
    psb_left_out_list *failed = &to->facts.failed;
    psb_status status = PSB_OK;
    to->failed = psb_new(&status, failed->count, sizeof *to->failed, "models left out", error);
    to->reasons =
        psb_new_zero(&status, failed->count, sizeof *to->reasons, "models left out", error);
    for (size_t i = 0; i < failed->count && status == PSB_OK; i++) {
        const psb_left_out *of = &failed->entries[i];
        add_reason(&to->reasons[i], of->reason != NULL ? of->reason : "");
        to->failed[i] = (psb_left_out){of->id, of->reason != NULL ? to->reasons[i].data : NULL};
        status = psb_text_status(&to->reasons[i], error);
    }
    failed->entries = to->failed;
    return status;
}

psb_status psb_facts_name_files(const psb_run_facts *from, psb_named_facts *to, psb_error *error) {
    psb_run_facts *facts = &to->facts;
    *facts = *from;
    const char **const texts[] = {&facts->classification, &facts->targets, &facts->models_folder,
                                  &facts->title, &facts->command_line};
    size_t path = from->classification != NULL ? strlen(from->classification) : 0;
    /*
     * A title that begins with the path (", each model turned" may follow) is no title of its own.
     */
    bool titled =
        from->title == NULL || path == 0 || strncmp(from->title, from->classification, path) != 0;
    psb_status status = PSB_OK;
    for (size_t t = 0; t < sizeof texts / sizeof texts[0] && status == PSB_OK; t++) {
        const char *text = *texts[t];
        if (text == NULL || (texts[t] == &facts->title && titled)) {
            continue;
        }
        if (texts[t] == &facts->command_line) {
            add_words(&to->texts[t], text);
        } else if (texts[t] == &facts->title) {
            psb_text_add(&to->texts[t], text + last_part(text, path));
        } else {
            psb_text_add(&to->texts[t], psb_path_name(text));
        }
        status = psb_text_status(&to->texts[t], error);
        *texts[t] = to->texts[t].data != NULL ? to->texts[t].data : "";
    }
    return PSB_THEN(status, name_failed(to, error));
}

void psb_named_facts_free(psb_named_facts *to) {
    for (size_t t = 0; t < sizeof to->texts / sizeof to->texts[0]; t++) {
        psb_text_free(&to->texts[t]);
    }
    for (size_t i = 0; to->reasons != NULL && i < to->facts.failed.count; i++) {
        psb_text_free(&to->reasons[i]);
    }
    free(to->reasons);
    free(to->failed);
    *to = (psb_named_facts){.failed = NULL};
}
