/*
 * Draws a row as bars of a histogram, lines of numbers, or functions on spheres. Functions in full
 * form are summed from their harmonics: one or two become maps of the sphere, those of 32 spheres a
 * volume seen along its third axis. Magnitudes do not determine a function: they become a table.
 */
#include "descriptors/glimpse.h"

#include "core/elementary.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE = PSB_SMALL_SIDE,
    ACROSS = SIDE, /* columns of a map, by azimuth; its rows are by polar angle */
    DOWN = SIDE / 2,
    DEPTH = SIDE / 2, /* samples on a line of sight */
    MAPS = 2,         /* up to so many functions are drawn as maps of the sphere */
};

/* ---- tables ------------------------------------------------------------------------------ */

/* Draws rows x columns values as gray rectangles, by square roots so that small values show. */
static void draw_table(const double *values, size_t rows, size_t columns, psb_small_picture *out) {
    size_t width = SIDE / columns, height = SIDE / rows;
    double most = 0.0;
    for (size_t i = 0; i < rows * columns; i++) {
        most = fmax(most, values[i]);
    }
    out->width = columns * width;
    out->height = rows * height;
    for (size_t y = 0; y < out->height; y++) {
        for (size_t x = 0; x < out->width; x++) {
            double value = values[y / height * columns + x / width];
            double share = most > 0.0 && value > 0.0 ? sqrt(value / most) : 0.0;
            out->gray[y * out->width + x] = (uint8_t)(255.5 - 255.0 * share);
        }
    }
}

static void draw_bins(const float *row, size_t bins, psb_small_picture *out) {
    size_t width = SIDE / bins;
    float most = 0.0F;
    for (size_t b = 0; b < bins; b++) {
        most = row[b] > most ? row[b] : most;
    }
    out->width = bins * width;
    out->height = SIDE;
    out->caption = "A bar for each bin of distance, the smallest distances to the left.";
    for (size_t x = 0; x < out->width; x++) {
        double height = most > 0.0F ? (double)(row[x / width] / most) * SIDE : 0.0;
        for (size_t y = 0; y < SIDE; y++) {
            out->gray[y * out->width + x] = (double)(SIDE - y) > height ? 255 : 60;
        }
    }
}

static void draw_lines(const psb_spec *spec, const void *row, size_t length,
                       psb_small_picture *out) {
    const psb_descriptor *d = spec->descriptor;
    double values[SIDE * SIDE];
    for (size_t i = 0; i < length; i++) {
        values[i] = psb_spec_element(spec) == PSB_UINT8 ? (double)((const uint8_t *)row)[i]
                                                        : fabs((double)((const float *)row)[i]);
    }
    out->caption = d->lines_title;
    draw_table(values, d->lines, length / d->lines, out);
}

/* ---- functions without their phases ------------------------------------------------------- */

static void draw_magnitudes(const float *row, size_t spheres, psb_small_picture *out) {
    double values[SIDE * SIDE] = {0.0};
    for (size_t s = 0; s < spheres; s++) {
        const float *a = row + s * PSB_COEFFICIENTS;
        for (int l = 0; l < PSB_DEGREES; l++) {
            for (int m = 0; m <= l; m++) {
                double value = (double)a[psb_lm(l, m)];
                if (spheres == 1) {
                    values[l * PSB_DEGREES + m] = fabs(value);
                } else {
                    values[s * PSB_DEGREES + (size_t)l] += value * value;
                }
            }
        }
    }
    for (size_t i = 0; spheres > 1 && i < spheres * PSB_DEGREES; i++) {
        values[i] = sqrt(values[i]);
    }
    out->caption = spheres == 1 ? "A line for each degree of harmonics, 0 above, 15 below; by "
                                  "order from left to right."
                                : "A line for each sphere, the innermost above; from left "
                                  "to right the strength of its harmonics of degree 0 to 15.";
    draw_table(values, spheres == 1 ? PSB_DEGREES : spheres, PSB_DEGREES, out);
}

/* ---- functions as they are ----------------------------------------------------------------- */

/* Sums the harmonics on a ring over degrees: sums[m] are the factors of cos(m f), sin(m f). */
static void sum_degrees(const psb_legendre *legendre, const float *a, double polar,
                        double sums[PSB_DEGREES][2]) {
    double sine_power = 1.0;
    for (int m = 0; m < PSB_DEGREES; m++) {
        double q[PSB_DEGREES];
        psb_legendre_column(legendre, PSB_DEGREES, m, psb_cos(polar), q);
        sums[m][0] = sums[m][1] = 0.0;
        for (int l = m; l < PSB_DEGREES; l++) { /* l^2 numbers stand before degree l */
            const float *at = a + l * l + (m > 0 ? 2 * m - 1 : 0);
            double factor = (m > 0 ? M_SQRT2 : 1.0) * sine_power * q[l - m];
            sums[m][0] += factor * (double)at[0];
            sums[m][1] -= m > 0 ? factor * (double)at[1] : 0.0;
        }
        sine_power *= psb_sin(polar);
    }
}

/* Computes DOWN x ACROSS values of one function, from the pole downward. */
static void add_up(const psb_legendre *legendre, const float *a, double *map) {
    double wave[ACROSS][2];
    for (int i = 0; i < ACROSS; i++) {
        wave[i][0] = psb_cos(2.0 * M_PI * (i + 0.5) / ACROSS);
        wave[i][1] = psb_sin(2.0 * M_PI * (i + 0.5) / ACROSS);
    }
    for (int j = 0; j < DOWN; j++) {
        double sums[PSB_DEGREES][2];
        sum_degrees(legendre, a, M_PI * (j + 0.5) / DOWN, sums);
        for (int i = 0; i < ACROSS; i++) {
            double re = 1.0, im = 0.0, sum = 0.0;
            for (int m = 0; m < PSB_DEGREES; m++) {
                double next = re * wave[i][0] - im * wave[i][1];
                sum += sums[m][0] * re + sums[m][1] * im;
                im = re * wave[i][1] + im * wave[i][0];
                re = next;
            }
            map[j * ACROSS + i] = sum;
        }
    }
}

static void draw_maps(const double *maps, size_t functions, psb_small_picture *out) {
    double low = INFINITY, high = -INFINITY;
    out->width = ACROSS;
    out->height = functions * DOWN;
    for (size_t i = 0; i < out->width * out->height; i++) {
        low = fmin(low, maps[i]);
        high = fmax(high, maps[i]);
    }
    for (size_t i = 0; i < out->width * out->height; i++) {
        double share = high > low ? (maps[i] - low) / (high - low) : 0.0;
        out->gray[i] = (uint8_t)(255.5 - 255.0 * share);
    }
    out->caption = functions == 1
                       ? "The function on the sphere, added up from its harmonics: by azimuth "
                         "from left to right, a pole above and one below."
                       : "The function on the sphere, added up from its harmonics, its real part "
                         "above the imaginary one; each by azimuth from left to right, between "
                         "its poles.";
}

/* The column of a map with the direction nearest to a place. */
static size_t column_of(double x, double y) {
    double azimuth = psb_atan2(y, x) / (2.0 * M_PI);
    return (size_t)((azimuth < 0.0 ? azimuth + 1.0 : azimuth) * ACROSS) % ACROSS;
}

/* Where maps are read for a place in the unit ball: on the two spheres beside it, from the first
 * column on. */
typedef struct place {
    size_t inner, outer;
    double part; /* of the way between them */
} place;

/* The place at the distance `flat` from the axis, at the nearest direction. */
static place find_place(size_t spheres, double flat, double z) {
    double radius = sqrt(flat * flat + z * z), polar = psb_atan2(flat, z) / M_PI;
    size_t j = (size_t)fmin(polar * DOWN, DOWN - 1);
    double at = fmax(0.0, fmin(radius * (double)spheres - 0.5, (double)spheres - 1.0));
    size_t s = (size_t)at, next = s + 1 < spheres ? s + 1 : s;
    return (place){(s * DOWN + j) * ACROSS, (next * DOWN + j) * ACROSS, at - (double)s};
}

/* Finds the largest value on each line of sight of a pixel and of the three that mirror it, which
 * are as far from the axis. */
static void look_along(const double *maps, size_t spheres, size_t x, size_t y, double *seen) {
    double p[2] = {2.0 * ((double)x + 0.5) / SIDE - 1.0, 1.0 - 2.0 * ((double)y + 0.5) / SIDE};
    double square = p[0] * p[0] + p[1] * p[1], most[4] = {0.0};
    size_t column[4];
    for (size_t m = 0; m < 4; m++) {
        column[m] = column_of(m % 2 == 0 ? p[0] : -p[0], m / 2 == 0 ? p[1] : -p[1]);
    }
    for (int k = 0; k < DEPTH; k++) {
        double z = 2.0 * (k + 0.5) / DEPTH - 1.0;
        if (square + z * z >= 1.0) {
            continue;
        }
        place at = find_place(spheres, sqrt(square), z);
        for (size_t m = 0; m < 4; m++) {
            double inner = maps[at.inner + column[m]], outer = maps[at.outer + column[m]];
            double value = inner + at.part * (outer - inner);
            most[m] = value > most[m] ? value : most[m];
        }
    }
    for (size_t m = 0; m < 4; m++) {
        seen[(m / 2 == 0 ? y : SIDE - 1 - y) * SIDE + (m % 2 == 0 ? x : SIDE - 1 - x)] = most[m];
    }
}

static void draw_volume(double *maps, size_t spheres, double *seen, psb_small_picture *out) {
    double most = 0.0;
    for (size_t i = 0; i < spheres * DOWN * ACROSS; i++) {
        maps[i] /= (double)(i / (DOWN * ACROSS) + 1);
    }
    for (size_t y = 0; y < SIDE / 2; y++) {
        for (size_t x = 0; x < SIDE / 2; x++) {
            look_along(maps, spheres, x, y, seen);
        }
    }
    out->width = out->height = SIDE;
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        most = fmax(most, seen[i]);
    }
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        out->gray[i] = (uint8_t)(255.5 - (most > 0.0 ? 255.0 * seen[i] / most : 0.0));
    }
    out->caption =
        "The functions on its spheres, added up from their harmonics, divided by the radius "
        "and seen along the third principal axis: the largest value of each line of sight.";
}

static psb_status draw_functions(const float *row, size_t functions, psb_small_picture *out,
                                 psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED psb_legendre *legendre =
        psb_new_zero(&status, 1, sizeof *legendre, "a picture", error);
    PSB_FREED double *maps =
        psb_new(&status, functions, DOWN * ACROSS * sizeof *maps, "a picture", error);
    PSB_FREED double *seen =
        psb_new(&status, (size_t)SIDE * SIDE, sizeof *seen, "a picture", error);
    if (status == PSB_OK) {
        psb_legendre_fill(legendre);
        for (size_t f = 0; f < functions; f++) {
            add_up(legendre, row + f * PSB_FULL, maps + f * DOWN * ACROSS);
        }
        if (functions > MAPS) {
            draw_volume(maps, functions, seen, out);
        } else {
            draw_maps(maps, functions, out);
        }
    }
    return status;
}

/* ---- a row --------------------------------------------------------------------------------- */

psb_status psb_glimpse_make(const psb_spec *spec, const void *row, psb_small_picture *picture,
                            psb_error *error) {
    const psb_descriptor *d = spec->descriptor;
    size_t length = psb_spec_length(spec);
    picture->width = picture->height = 0;
    switch (d->row_kind) {
    case PSB_ROW_BINS:
        draw_bins(row, length, picture);
        return PSB_OK;
    case PSB_ROW_LINES:
        draw_lines(spec, row, length, picture);
        return PSB_OK;
    case PSB_ROW_SPHERES:
        if (psb_spec_choice(spec, psb_form_names, PSB_FORM_FULL) == PSB_FORM_FULL) {
            return draw_functions(row, length / PSB_FULL, picture, error);
        }
        draw_magnitudes(row, length / PSB_COEFFICIENTS, picture);
        return PSB_OK;
    default:
        return PSB_OK;
    }
}
