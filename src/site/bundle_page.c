/*
 * Makes the front page one file. psbench wrote the page, so its markup is known: a tag is judged by
 * its name and by the one attribute that leads to another file.
 */
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "site/bundle.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct page {
    const char *folder;
    psb_text out;     /* the new page, up to where the old one is read */
    psb_text scripts; /* the scripts that the page loads; they stand at its end */
    psb_text images;  /* each file once, as a property of the root: --f0: url(data:...) */
    psb_text files;   /* names of the files in `images`, a line each, by number */
    psb_error *error;
    psb_status status;
} page;

static psb_input open_file(page *p, const char *name, size_t length) {
    psb_input input = PSB_NO_INPUT;
    char *file = psb_new_text(&p->status, name, length, "a path", p->error);
    char *path = psb_new_format(&p->status, p->error, "%s/%s", p->folder, file);
    PSB_THEN(p->status, psb_input_open(path, &input, p->error));
    free(path);
    free(file);
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
    psb_input input = open_file(p, name, length);
    psb_text_printf(out, "data:%s;base64,", type);
    psb_text_add_base64(out, input.data, input.size);
    psb_input_close(&input);
}

/*
 * Appends a script with "\" behind the < of "</" and "<!": a string with "</script" would end it.
 */
static void add_script(psb_text *out, const char *script, size_t size) {
    size_t from = 0;
    for (size_t i = 0; i + 1 < size; i++) {
        if (script[i] == '<' && (script[i + 1] == '/' || script[i + 1] == '!')) {
            psb_text_add_bytes(out, script + from, i + 1 - from);
            psb_text_add(out, "\\");
            from = i + 1;
        }
    }
    psb_text_add_bytes(out, script + from, size - from);
}

enum { MOST_PICTURES = 12 << 20 }; /* bytes of all pictures that the page has within */

static int is_picture(const struct dirent *file) {
    const char *dot = strrchr(file->d_name, '.');
    return file->d_name[0] != '.' && dot != NULL &&
           (strcmp(dot, ".png") == 0 || strcmp(dot, ".jpg") == 0);
}

/* Adds the pictures that scripts show, by their names, or none if they are too large in sum. */
static void add_pictures(page *p) {
    struct dirent **files = NULL;
    psb_text all = {0};
    char *folder = psb_new_format(&p->status, p->error, "%s/thumbnails", p->folder);
    int count = p->status == PSB_OK ? scandir(folder, &files, is_picture, alphasort) : 0;
    psb_text_add(&all, "<script>\npsb.files={");
    for (int i = 0; i < count; i++) {
        char *name = psb_new_format(&p->status, p->error, "thumbnails/%s", files[i]->d_name);
        if (p->status == PSB_OK && all.length < MOST_PICTURES) {
            psb_text_printf(&all, "%s\"%s\":\"", i > 0 ? ",\n" : "", files[i]->d_name);
            add_data(p, &all, name, strlen(name));
            psb_text_add(&all, "\"");
        }
        free(name);
        free(files[i]);
    }
    psb_text_add(&all, "};\n</script>\n");
    if (all.length < MOST_PICTURES) {
        psb_text_take(&p->scripts, &all);
    } else {
        psb_text_add(&p->scripts,
                     "<script>psb.pictures=psb.pictures.replace(/./g,\"-\");</script>\n");
    }
    psb_text_free(&all);
    free(files);
    free(folder);
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

/* The number of a file among the properties of the root, which it joins if it is not there. */
static size_t number_of(page *p, const char *name, size_t length) {
    size_t number = 0;
    for (const char *at = p->files.data; at != NULL && *at != '\0'; number++) {
        size_t own = strcspn(at, "\n");
        if (own == length && memcmp(at, name, length) == 0) {
            return number;
        }
        at += own + 1;
    }
    psb_text_add_bytes(&p->files, name, length);
    psb_text_add(&p->files, "\n");
    psb_text_printf(&p->images, "--f%zu:url(", number);
    add_data(p, &p->images, name, length);
    psb_text_add(&p->images, ");");
    return number;
}

/* Adds a tag of any other kind; a picture in its style becomes a property. */
static void add_tag(page *p, const char *tag, size_t length) {
    static const char mark[] = "url(thumbnails/";
    const char *url = memmem(tag, length, mark, sizeof mark - 1);
    const char *end = url != NULL ? memchr(url, ')', length - (size_t)(url - tag)) : NULL;
    if (end == NULL) {
        psb_text_add_bytes(&p->out, tag, length);
        return;
    }
    const char *name = url + strlen("url(");
    psb_text_add_bytes(&p->out, tag, (size_t)(url - tag));
    psb_text_printf(&p->out, "var(--f%zu)", number_of(p, name, (size_t)(end - name)));
    psb_text_add_bytes(&p->out, end + 1, length - (size_t)(end + 1 - tag));
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
    } else if (is_tag(at, end, "<link rel=\"stylesheet\" ")) {
        const char *name = value_of(at, length, " href=\"", &size);
        psb_input style = open_file(p, name != NULL ? name : "", size);
        psb_text_add(&p->out, "<style>\n");
        psb_text_add_bytes(&p->out, style.data, style.size);
        psb_text_add(&p->out, "</style>");
        psb_input_close(&style);
    } else if (is_tag(at, end, "<script ") && source != NULL) {
        psb_input script = open_file(p, source, size);
        psb_text_add(&p->scripts, "<script>\n");
        add_script(&p->scripts, script.data, script.size);
        psb_text_add(&p->scripts, "</script>\n");
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
        add_tag(p, at, length);
    }
    return at + length;
}

psb_status psb_bundle_page(const char *folder, const char *path, psb_error *error) {
    page p = {.folder = folder, .error = error, .status = PSB_OK};
    psb_input input = open_file(&p, "index.html", strlen("index.html"));
    const char *end = input.data + input.size;
    bool link = true;
    for (const char *at = input.data; at < end && p.status == PSB_OK;) {
        const char *tag = memchr(at, '<', (size_t)(end - at));
        psb_text_add_bytes(&p.out, at, (size_t)((tag != NULL ? tag : end) - at));
        at = tag != NULL ? take_tag(&p, tag, end, &link) : end;
    }
    psb_input_close(&input);
    if (p.images.length > 0) {
        psb_text_printf(&p.out, "<style>:root{");
        psb_text_take(&p.out, &p.images);
        psb_text_add(&p.out, "}</style>\n");
    }
    p.out.failed = p.out.failed || p.files.failed;
    PSB_THEN(p.status, psb_text_status(&p.out, error));
    PSB_THEN(p.status, psb_write_file(path, p.out.data, p.out.length, error));
    psb_text_free(&p.out);
    psb_text_free(&p.scripts);
    psb_text_free(&p.images);
    psb_text_free(&p.files);
    return p.status;
}
