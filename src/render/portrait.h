/*
 * What pages show of a model: a small picture, and the few triangles that the query's page turns.
 * Both are made from one reading of the mesh, and packed into one piece of bytes for keeping.
 */
#pragma once

#include "render/render.h"
#include "render/solid.h"

enum {
    PSB_PORTRAIT_WIDTH = 240,
    PSB_PORTRAIT_HEIGHT = 180,
    PSB_PORTRAIT_BYTES = PSB_PORTRAIT_WIDTH * PSB_PORTRAIT_HEIGHT * 2, /* as psb_render's pixels */
    PSB_PORTRAIT_REVISION = 3, /* raised when the same models look or are packed otherwise */
};

/* What the pages of a set of models want of each model. */
typedef struct psb_portrait_kind {
    size_t triangles; /* most triangles to turn; 0: there are none */
    bool found;       /* NAME_thumb.jpg beside the model, if it is there, is the picture */
} psb_portrait_kind;

/* The more models, the fewer triangles each has; a few models more or less change nothing. */
psb_portrait_kind psb_portrait_kind_of(psb_thumbnails thumbnails, size_t models);

/* The path "STEM_thumb.jpg" beside a model's file, in fresh memory as of psb_new. */
char *psb_portrait_found(psb_status *status, const char *model, psb_error *error);

/* A workspace whose buffers only grow; one per thread. Starts zeroed. */
typedef struct psb_portrait {
    psb_renderer renderer;
    psb_solid solid;
    psb_text packed;
} psb_portrait;

/* What a packed portrait has; the pointers lead into its bytes. */
typedef struct psb_portrait_view {
    const uint8_t *picture; /* PSB_PORTRAIT_BYTES, or NULL */
    const char *solid;      /* base64, see render/solid.h */
    size_t solid_length;
} psb_portrait_view;

/*
 * Packs the portrait of a mesh into portrait->packed, whose bytes last until the next call. A mesh
 * that cannot be drawn has no picture.
 */
psb_status psb_portrait_make(psb_portrait *portrait, const psb_mesh *mesh, bool picture,
                             size_t triangles, psb_error *error);
/* Finds the parts of packed bytes; false if they are no portrait. */
bool psb_portrait_unpack(const void *packed, size_t size, psb_portrait_view *view);
void psb_portrait_free(psb_portrait *portrait);
