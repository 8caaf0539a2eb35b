/* A picture of every model, at two sizes; models are shared among threads. */
#include "core/file.h"
#include "core/linear.h"
#include "io/mesh.h"
#include "io/png.h"
#include "render/render.h"
#include "site/parts.h"

#include <string.h>

enum { WIDTH = 160, HEIGHT = 120 };

/* What one thread works in. */
typedef struct worker {
    psb_renderer renderer;
    psb_mesh_buffer mesh;
    psb_buffer file;
    uint8_t large[2 * HEIGHT * 2 * WIDTH * 2];
    uint8_t small[HEIGHT * WIDTH * 2];
} worker;

typedef struct pictures {
    site *s;
    const char *folder;   /* of the models */
    psb_archive *archive; /* that they are in, or NULL */
} pictures;

static psb_status write_picture(const site *s, size_t model, const char *suffix, size_t width,
                                size_t height, const uint8_t *pixels, psb_error *error) {
    psb_status status = PSB_OK;
    char *path = psb_new_format(&status, error, "%s/thumbnails/%zu%s.png", s->options->folder,
                                model, suffix);
    PSB_THEN(status, psb_png_write(path, width, height, PSB_GRAY_ALPHA, pixels, error));
    free(path);
    return status;
}

/* A model that cannot be drawn has no picture; that is no failure of the report. */
static psb_status draw(const pictures *all, size_t model, const char *off, worker *w,
                       psb_error *error) {
    site *s = all->s;
    psb_view view = psb_view_make((size_t)2 * WIDTH, (size_t)2 * HEIGHT);
    psb_error reason;
    size_t size;
    if (psb_archive_read(all->archive, off, SIZE_MAX, &w->file, &size, &reason) != PSB_OK ||
        psb_mesh_parse(off, w->file.data, size, &w->mesh, &reason) != PSB_OK ||
        psb_render(&w->renderer, &w->mesh.mesh, &view, w->large, &reason) != PSB_OK) {
        return reason.status == PSB_ERROR_MEMORY
                   ? psb_fail(error, reason.status, "%s", reason.message)
                   : PSB_OK;
    }
    psb_picture_halve(w->large, view.width, view.height, w->small);
    psb_status status = write_picture(s, model, "", WIDTH, HEIGHT, w->small, error);
    PSB_THEN(status, write_picture(s, model, "-2x", view.width, view.height, w->large, error));
    s->picture[model] = 'p';
    return status;
}

/* NAME_thumb.jpg beside the model's file; *found says whether there is one. */
static psb_status copy_found(site *s, size_t model, const char *off, bool *found,
                             psb_error *error) {
    psb_status status = PSB_OK;
    char *source = psb_new_format(&status, error, "%.*s_thumb.jpg", (int)psb_mesh_stem(off), off);
    char *path = psb_new_format(&status, error, "%s/thumbnails/%zu.jpg", s->options->folder, model);
    *found = status == PSB_OK && psb_is_file(source);
    if (*found) {
        psb_input input;
        status = psb_input_open(source, &input, error);
        PSB_THEN(status, psb_write_file(path, input.data, input.size, error));
        psb_input_close(&input);
        s->picture[model] = 'j';
    }
    free(source);
    free(path);
    return status;
}

/* ---- all of them ------------------------------------------------------------------------ */

static psb_status begin(void *job, void **own, psb_error *error) {
    (void)job;
    (void)error;
    memset(*own, 0, sizeof(worker));
    return PSB_OK;
}

static void end(void *job, void *own) {
    (void)job;
    worker *w = own;
    psb_renderer_free(&w->renderer);
    psb_mesh_buffer_free(&w->mesh);
    psb_buffer_free(&w->file);
}

static psb_status make_picture(void *job, void *own, size_t model, psb_error *error) {
    const pictures *all = job;
    site *s = all->s;
    char *off;
    bool found = false;
    psb_status status = s->options->find(s->options->context, all->archive, all->folder,
                                         s->cla->models[model], &off, error);
    if (status != PSB_OK || off == NULL) {
        return status;
    }
    if (s->options->thumbnails == PSB_THUMBNAILS_FOUND) {
        status = copy_found(s, model, off, &found, error);
    }
    if (status == PSB_OK && !found) {
        status = draw(all, model, off, own, error);
    }
    free(off);
    return status;
}

psb_status psb_site_write_thumbnails(site *s, size_t *without_picture, psb_error *error) {
    size_t n = s->cla->nmodels;
    memset(s->picture, '-', n);
    *without_picture = 0;
    if (s->options->thumbnails == PSB_THUMBNAILS_NONE) {
        return PSB_OK;
    }
    pictures all = {.s = s, .folder = s->options->models};
    if (all.folder == NULL) {
        all.folder = s->facts->models_folder != NULL ? s->facts->models_folder : "";
    }
    psb_text notes = {0};
    psb_status status = psb_archive_open(all.folder, &all.archive, &notes, error);
    psb_text_free(&notes);
    site_stage stage = {s->options, "thumbnails"};
    PSB_THEN(status, psb_linear_setup(error));
    PSB_THEN(status, psb_parallel(&(psb_loop){.count = n,
                                              .threads = s->options->threads,
                                              .bytes = sizeof(worker),
                                              .name = "thumbnails",
                                              .begin = begin,
                                              .end = end,
                                              .item = make_picture,
                                              .job = &all,
                                              .progress = psb_site_progress,
                                              .context = &stage},
                                  error));
    psb_archive_close(all.archive);
    for (size_t i = 0; i < n; i++) {
        *without_picture += s->picture[i] == '-';
    }
    return status;
}
