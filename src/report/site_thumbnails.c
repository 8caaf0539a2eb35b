/* A picture of every model, at two sizes; models are shared among threads. */
#include "core/error.h"
#include "core/file.h"
#include "core/linear.h"
#include "io/off.h"
#include "io/png.h"
#include "render/render.h"
#include "report/site_parts.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 120 };

/* What one thread works in. */
typedef struct worker {
    psb_renderer renderer;
    psb_mesh_buffer mesh;
    uint8_t large[2 * HEIGHT * 2 * WIDTH * 2];
    uint8_t small[HEIGHT * WIDTH * 2];
} worker;

static psb_status write_picture(const site *s, size_t model, const char *suffix, size_t width,
                                size_t height, const uint8_t *pixels, psb_error *error) {
    psb_text name = {0}, path = {0};
    psb_text_printf(&name, "thumbnails/%zu%s.png", model, suffix);
    psb_status status = psb_text_status(&name, error);
    if (status == PSB_OK) {
        status = psb_site_path(s, name.data, &path, error);
    }
    if (status == PSB_OK) {
        status = psb_png_write(path.data, width, height, PSB_GRAY_ALPHA, pixels, error);
    }
    psb_text_free(&name);
    psb_text_free(&path);
    return status;
}

/* A model that cannot be drawn has no picture; that is no failure of the report. */
static psb_status draw(site *s, size_t model, const char *off, worker *w, psb_error *error) {
    psb_view view = psb_view_make((size_t)2 * WIDTH, (size_t)2 * HEIGHT);
    psb_error reason;
    if (psb_off_read(off, &w->mesh, &reason) != PSB_OK ||
        psb_render(&w->renderer, &w->mesh.mesh, &view, w->large, &reason) != PSB_OK) {
        return reason.status == PSB_ERROR_MEMORY
                   ? psb_fail(error, reason.status, "%s", reason.message)
                   : PSB_OK;
    }
    psb_picture_halve(w->large, view.width, view.height, w->small);
    psb_status status = write_picture(s, model, "", WIDTH, HEIGHT, w->small, error);
    if (status == PSB_OK) {
        status = write_picture(s, model, "-2x", view.width, view.height, w->large, error);
    }
    s->picture[model] = 'p';
    return status;
}

/* NAME_thumb.jpg beside NAME.off; *found says whether there is one. */
static psb_status copy_found(site *s, size_t model, const char *off, bool *found,
                             psb_error *error) {
    psb_text source = {0}, name = {0}, path = {0};
    size_t length = strlen(off);
    *found = false;
    psb_text_add_bytes(&source, off, length > 4 ? length - 4 : 0);
    psb_text_add(&source, "_thumb.jpg");
    psb_text_printf(&name, "thumbnails/%zu.jpg", model);
    psb_status status = psb_text_status(&source, error);
    if (status == PSB_OK) {
        status = psb_text_status(&name, error);
    }
    if (status == PSB_OK) {
        status = psb_site_path(s, name.data, &path, error);
    }
    if (status == PSB_OK && psb_is_file(source.data)) {
        psb_input input;
        status = psb_input_open(source.data, &input, error);
        if (status == PSB_OK) {
            status = psb_write_file(path.data, input.data, input.size, error);
            psb_input_close(&input);
        }
        s->picture[model] = 'j';
        *found = true;
    }
    psb_text_free(&source);
    psb_text_free(&name);
    psb_text_free(&path);
    return status;
}

static psb_status make_picture(site *s, const char *folder, size_t model, worker *w,
                               psb_error *error) {
    char *off;
    bool found = false;
    psb_status status = s->options->find(folder, s->cla.models[model], &off, error);
    if (status != PSB_OK || off == NULL) {
        return status;
    }
    if (s->options->thumbnails == PSB_THUMBNAILS_FOUND) {
        status = copy_found(s, model, off, &found, error);
    }
    if (status == PSB_OK && !found) {
        status = draw(s, model, off, w, error);
    }
    free(off);
    return status;
}

static psb_status make_pictures(site *s, const char *folder, worker *workers, int threads,
                                psb_error *error) {
    size_t n = s->cla.nmodels, done = 0;
    psb_status status = PSB_OK;
    psb_linear_setup();
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (size_t i = 0; i < n; i++) {
        psb_status so_far;
#pragma omp atomic read
        so_far = status;
        if (so_far != PSB_OK) {
            continue;
        }
        psb_error mine;
        psb_status result = make_picture(s, folder, i, &workers[omp_get_thread_num()], &mine);
#pragma omp critical(psb_site_thumbnails)
        {
            const psb_site_options *o = s->options;
            done++;
            if (result == PSB_OK && o->progress != NULL &&
                o->progress(o->context, "thumbnails", done, n) != 0) {
                result = psb_fail(&mine, PSB_ERROR_INTERRUPTED, "interrupted");
            }
            if (result != PSB_OK && status == PSB_OK) {
                if (error != NULL) {
                    *error = mine;
                }
#pragma omp atomic write
                status = result;
            }
        }
    }
    return status;
}

psb_status psb_site_write_thumbnails(site *s, size_t *without_picture, psb_error *error) {
    size_t n = s->cla.nmodels;
    int threads = s->options->threads > 1 ? s->options->threads : 1;
    memset(s->picture, '-', n);
    *without_picture = 0;
    if (s->options->thumbnails == PSB_THUMBNAILS_NONE) {
        return PSB_OK;
    }
    const cJSON *inputs = cJSON_GetObjectItemCaseSensitive(s->run, "inputs");
    const char *folder =
        s->options->models != NULL ? s->options->models : psb_site_string(inputs, "models_folder");
    if (!psb_is_folder(folder)) {
        return psb_fail_at(error, PSB_ERROR_IO, folder, 0,
                           "not a folder of models (--models names one, --thumbnails none does "
                           "without)");
    }
    void *memory;
    psb_status status =
        psb_alloc_zero(&memory, (size_t)threads, sizeof(worker), "thumbnails", error);
    if (status != PSB_OK) {
        return status;
    }
    worker *workers = memory;
    status = make_pictures(s, folder, workers, threads, error);
    for (int t = 0; t < threads; t++) {
        psb_renderer_free(&workers[t].renderer);
        psb_mesh_buffer_free(&workers[t].mesh);
    }
    free(workers);
    for (size_t i = 0; i < n; i++) {
        *without_picture += s->picture[i] == '-';
    }
    return status;
}
