/*
 * The function that SECTORS and SECSHEL share: surface area by direction and distance from the
 * center, in harmonics.
 *
 * Each area element of the aligned surface is divided bilinearly among the four nodes of the
 * harmonics' grid around its direction and linearly among the two nearest shells (coordinate 32 r -
 * 0.5). Area below shell 0 goes to shell 0; area above shell 31 is kept apart. The nodes hold a
 * measure: coefficients are sums of area times conj(Y_lm).
 */
#pragma once

#include "core/memory.h"
#include "fields/harmonics.h"
#include "fields/sphere_samples.h"

typedef struct psb_area_field {
    psb_coefficients shell[PSB_SHELLS];
    psb_coefficients beyond;
    psb_buffer sums; /* working memory */
} psb_area_field;

/*
 * `points` are the posed vertices; `area` their surface's area. `samples` (PSB_SPHERE_SAMPLES) and
 * `scratch` (psb_harmonics_scratch(PSB_SHELLS)) are working memory, aligned to 64 bytes.
 */
psb_status psb_area_field_fill(const psb_harmonics *harmonics, const psb_mesh *mesh,
                               const double *points, double area, double *samples, double *scratch,
                               psb_area_field *field, psb_error *error);
