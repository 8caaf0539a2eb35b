/*
 * Shaded pictures of models: a software renderer with a depth buffer, for thumbnails.
 *
 * Parallel projection, flat shading that looks the same from both sides (web models have faces
 * turned either way), 3 x 3 samples a pixel. The model fills the picture but for a margin.
 */
#pragma once

#include "core/memory.h"

/* A workspace whose buffers only grow; one per thread. Starts zeroed. */
typedef struct psb_renderer {
    psb_buffer points, samples;
} psb_renderer;

/*
 * Draws into pixels[height][width][2]: gray, alpha (not multiplied in); the background is
 * transparent. PSB_ERROR_INPUT for a mesh without area or too large for double precision.
 */
psb_status psb_render(psb_renderer *renderer, const psb_mesh *mesh, const psb_view *view,
                      uint8_t *pixels, psb_error *error);
void psb_renderer_free(psb_renderer *renderer);
