/* Writes a generated mesh as OFF text: tidy, or with the mess that models from the web have. */
#pragma once

#include "core/random.h"
#include "core/text.h"
#include "synth/builder.h"

/* Kinds of mess, all of them legal. A tidy file has triangles only, LF line ends, only numbers. */
typedef enum psb_mess {
    PSB_MESS_POLYGONS = 1,   /* faces stay polygons */
    PSB_MESS_HOLES = 2,      /* some faces are missing */
    PSB_MESS_DUPLICATES = 4, /* some faces come twice */
    PSB_MESS_DEGENERATE = 8, /* some triangles have two equal corners */
    PSB_MESS_CRLF = 16,      /* lines end as in DOS */
    PSB_MESS_COMMENTS = 32,  /* comments on lines of their own and after numbers */
    PSB_MESS_COLOURS = 64,   /* colors after the corners of faces */
} psb_mess;

/* Draws the kinds of mess of a model, or'ed: none for 85 % of the models, else at least one. */
unsigned psb_draw_mess(psb_random *random);

/*
 * Appends the file to `text`. Coordinates have six digits, and coordinates that are zero up to
 * rounding are written as 0, so that the last bit of some machine's sine cannot show.
 */
void psb_add_off_text(psb_text *text, const psb_builder *builder, unsigned mess,
                      psb_random *random);
