/* Packs portraits: a byte that says whether a picture follows, its pixels, the triangles. */
#include "render/portrait.h"

#include "io/mesh.h"

enum {
    SOLID_BYTES = 14 << 20, /* for the triangles of all models, about */
    TRIANGLE_BYTES = 7,     /* bytes of a triangle with its share of vertices */
    STEP = 128, /* counts are multiples of it, so that a model that fails changes none */
    MOST_TRIANGLES = 2500,
    LEAST_TRIANGLES = 200, /* fewer show nothing: then there are none */
    MOST_FOUND = 2000,     /* most models whose pictures are copied one by one */
};

psb_portrait_kind psb_portrait_kind_of(psb_thumbnails thumbnails, size_t models) {
    size_t triangles = models > 0 ? SOLID_BYTES / TRIANGLE_BYTES / models / STEP * STEP : 0;
    return (psb_portrait_kind){.triangles = triangles < LEAST_TRIANGLES  ? 0
                                            : triangles > MOST_TRIANGLES ? MOST_TRIANGLES
                                                                         : triangles,
                               .found = thumbnails == PSB_THUMBNAILS_FOUND && models <= MOST_FOUND};
}

char *psb_portrait_found(psb_status *status, const char *model, psb_error *error) {
    return psb_new_format(status, error, "%.*s_thumb.jpg", (int)psb_mesh_stem(model), model);
}

psb_status psb_portrait_make(psb_portrait *portrait, const psb_mesh *mesh, bool picture,
                             size_t triangles, psb_error *error) {
    psb_view view = psb_view_make(PSB_PORTRAIT_WIDTH, PSB_PORTRAIT_HEIGHT);
    uint8_t pixels[PSB_PORTRAIT_BYTES];
    psb_text *packed = &portrait->packed;
    psb_status status =
        picture ? psb_render(&portrait->renderer, mesh, &view, pixels, error) : PSB_OK;
    bool drawn = picture && status == PSB_OK;
    packed->length = 0;
    psb_text_add_bytes(packed, drawn ? "p" : "-", 1);
    if (drawn) {
        psb_text_add_bytes(packed, (const char *)pixels, sizeof pixels);
    }
    status = status == PSB_ERROR_MEMORY ? status : PSB_OK;
    PSB_THEN_IF(status, triangles > 0,
                psb_solid_add(&portrait->solid, mesh, triangles, packed, error));
    return status == PSB_OK ? psb_text_status(packed, error) : status;
}

bool psb_portrait_unpack(const void *packed, size_t size, psb_portrait_view *view) {
    const char *bytes = packed;
    bool drawn = size > 0 && bytes[0] == 'p';
    size_t before = 1 + (drawn ? (size_t)PSB_PORTRAIT_BYTES : 0);
    if (size < before || (!drawn && bytes[0] != '-')) {
        return false;
    }
    *view = (psb_portrait_view){drawn ? (const uint8_t *)bytes + 1 : NULL, bytes + before,
                                size - before};
    return true;
}

void psb_portrait_free(psb_portrait *portrait) {
    psb_renderer_free(&portrait->renderer);
    psb_solid_free(&portrait->solid);
    psb_text_free(&portrait->packed);
}
