/*
 * Sets of points as rows of float32: x, y, z of the first, of the second ... What the metrics of
 * points share: how far each point of one set is from the nearest of another.
 *
 * A prepared set has its points in blocks that lie close together, each with its box. A block of
 * points meets only the blocks whose boxes are nearer to one of its points than its nearest so far.
 * All numbers are those of comparing every pair: rounding keeps the order of numbers, so a box is
 * never farther, as it is computed, than the points in it.
 */
#pragma once

#include "distance/metric.h"

enum { PSB_POINTS_BLOCK = 16 }; /* points of a block */

/* Bytes of a prepared set of n points, a multiple of 64; `memory` below is aligned to 64. */
size_t psb_points_bytes(size_t n);
void psb_points_prepare(const float *at, size_t n, void *memory);

/* Whether no coordinate is larger: beyond that squares might not be finite. */
#define PSB_POINTS_LARGEST 1e18F
bool psb_points_in_range(const void *prepared);

/*
 * squares[i] = dx dx + dy dy + dz dz from point i, as the row counts, to the nearest of `to`:
 * float32, each operation rounded by itself. INFINITY where that overflows.
 * nearest[i]: which point of `to` that is, of several the first; 0 where squares[i] is INFINITY.
 * Nobody asks which where `nearest` is NULL.
 */
void psb_points_nearest(const void *from, const void *to, float *squares, uint32_t *nearest);

/*
 * squares[b]: of the box of block b of `from` to the nearest box of a block of `to`, so at most
 * those of its points to their nearest. Block b has points PSB_POINTS_BLOCK b ... in some order.
 */
void psb_points_gaps(const void *from, const void *to, float *squares);

/* Whether rows of this metric are points. */
bool psb_metric_is_of_points(const psb_metric *metric);

/*
 * Returns by which share the distance of two rows by "emd-auction" may exceed that by "emd", as the
 * auction's prices prove; at most 0.01.
 */
double psb_emd_gap(const void *a, const void *b, size_t length);

/* What a metric of points needs for its tiles: psb_metric.accepts and so on. */
int psb_points_accept(size_t length);
size_t psb_points_prepared_bytes(size_t rows, size_t length);
void psb_points_prepare_rows(const psb_row_view *rows, void *prepared);

/* psb_metric.outline: of each axis some quantiles. */
enum { PSB_POINTS_OUTLINE = 3 * 32 };
void psb_points_outline(const void *row, size_t length, float *out);
