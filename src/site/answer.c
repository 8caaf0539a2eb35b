/* Writes the page of one query: the report's style and script, the query as it turns, its list. */
#include "site/answer.h"

#include "io/mesh.h"
#include "io/png.h"
#include "render/portrait.h"
#include "site/parts.h"
#include "site/policy.h"

enum { WIDTH = 240, HEIGHT = 180, LARGE = 2, TRIANGLES = 4000 };

typedef struct work {
    psb_renderer renderer;
    psb_mesh_buffer mesh;
    psb_solid solid;
    uint8_t pixels[LARGE * HEIGHT * LARGE * WIDTH * 2];
} work;

static void add_image(psb_text *out, const char *type, const void *bytes, size_t size) {
    psb_text_printf(out, "<img alt=\"\" src=\"data:image/%s;base64,", type);
    psb_text_add_base64(out, bytes, size);
    psb_text_add(out, "\">");
}

static psb_status add_picture(work *w, psb_text *out, const psb_mesh *mesh, size_t scale,
                              psb_error *error) {
    psb_view view = psb_view_make(scale * WIDTH, scale * HEIGHT);
    PSB_FREED uint8_t *png = NULL;
    size_t size = 0;
    psb_status status = psb_render(&w->renderer, mesh, &view, w->pixels, error);
    PSB_THEN(status,
             psb_png_make(view.width, view.height, PSB_GRAY_ALPHA, w->pixels, &png, &size, error));
    if (status == PSB_OK) {
        add_image(out, "png", png, size);
    }
    return status;
}

/* Adds NAME_thumb.jpg from beside the model or, if there is none, a drawing. */
static psb_status add_match_picture(work *w, psb_text *out, const char *path, psb_error *error) {
    psb_status status = PSB_OK;
    psb_input input = PSB_NO_INPUT;
    PSB_FREED char *found = psb_portrait_found(&status, path, error);
    if (status == PSB_OK && psb_is_file(found)) {
        status = psb_input_open(found, &input, error);
        if (status == PSB_OK) {
            add_image(out, "jpeg", input.data, input.size);
        }
        psb_input_close(&input);
    } else {
        PSB_THEN(status, psb_mesh_load(NULL, path, &w->mesh, error));
        PSB_THEN(status, add_picture(w, out, &w->mesh.mesh, 1, error));
    }
    return status;
}

static psb_status add_match(work *w, psb_text *out, const psb_answer_match *match, size_t rank,
                            psb_error *error) {
    psb_error unseen;
    psb_text_printf(out, "<li class=\"model\"><span class=\"rank\">%zu</span>", rank);
    psb_status status =
        match->path != NULL ? add_match_picture(w, out, match->path, &unseen) : PSB_ERROR_INPUT;
    if (status == PSB_ERROR_MEMORY) {
        return psb_fail(error, status, "%s", unseen.message);
    }
    if (status != PSB_OK) {
        psb_text_add(out, "<span class=\"no-picture\">no picture</span>");
    }
    psb_markup_within(out, "<span class=\"id\">", match->id, "</span>");
    psb_text_add(out, "<span class=\"line\">");
    psb_site_class_path(out, match->cla, match->class_number, true);
    psb_text_add(out, "</span>");
    psb_text_printf(out, "<span class=\"line\">distance %.4g</span></li>\n", match->distance);
    return PSB_OK;
}

static void begin(psb_text *out, const psb_answer *a) {
    PSB_AT_END(psb_text_free) psb_text scripts = {0}, styles = {0};
    psb_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<meta name=\"color-scheme\" content=\"light dark\">\n"
                      "<link rel=\"icon\" href=\"data:,\">\n");
    psb_policy_add_hash(&scripts, psb_data_report_script, psb_data_report_script_size);
    psb_policy_add_hash(&styles, psb_data_report_style, psb_data_report_style_size);
    psb_policy_add_inline(out, &scripts, &styles);
    psb_text_add(out, "<style>");
    psb_text_add_bytes(out, (const char *)psb_data_report_style, psb_data_report_style_size);
    psb_text_add(out, "</style>\n<script type=\"module\">");
    psb_text_add_bytes(out, (const char *)psb_data_report_script, psb_data_report_script_size);
    psb_markup_within(out, "</script>\n<title>", a->query, " · ");
    psb_markup_within(out, "", a->descriptor, " · psbench</title>\n</head>\n<body>\n<header>");
    psb_markup_within(out, "<p class=\"set\">", a->run != NULL ? a->run : "", "</p></header>\n");
    psb_markup_within(out, "<main id=\"content\">\n<h1>Best matches of ", a->query, "</h1>\n");
}

psb_status psb_answer_write(const psb_answer *a, const char *path, psb_error *error) {
    psb_text out = {0};
    psb_status status = PSB_OK;
    PSB_FREED work *w = psb_new_zero(&status, 1, sizeof *w, "a page", error);
    if (status != PSB_OK) {
        return status;
    }
    begin(&out, a);
    psb_text_add(&out, "<section id=\"query\"><div class=\"view\" data-solid=\"");
    status = psb_solid_add(&w->solid, a->mesh, TRIANGLES, &out, error);
    psb_markup_within(&out, "\" data-name=\"", a->query, "\">");
    PSB_THEN(status, add_picture(w, &out, a->mesh, LARGE, error));
    psb_markup_within(&out, "</div><div><p>Nearest by ", a->descriptor, "");
    psb_text_printf(&out, ": %zu of %zu models.</p></div></section>\n<ol class=\"models\">\n",
                    a->nmatches, a->of);
    for (size_t m = 0; m < a->nmatches && status == PSB_OK; m++) {
        status = add_match(w, &out, &a->matches[m], m + 1, error);
    }
    psb_text_add(&out, "</ol>\n");
    psb_site_page_end(NULL, &out);
    status = psb_write_text(status, path, &out, error);
    psb_renderer_free(&w->renderer);
    psb_mesh_buffer_free(&w->mesh);
    psb_solid_free(&w->solid);
    return status;
}
