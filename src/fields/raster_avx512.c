/*
 * The sampled rule with AVX-512: eight parts of triangles side by side, taken from a stack that all
 * triangles share. The arithmetic on each part is that of raster.c.
 */
#include "fields/raster_kernel.h"

#if defined(__x86_64__) && !defined(PSB_PORTABLE)

#include <float.h>
#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512bw")))
#define INLINE TARGET PSB_INLINE

enum { LANES = 8 };

/* For a corner: coordinates, the squared length of the opposite edge, the voxel. */
enum { EDGE = 3, VOXEL, FIELDS };
typedef struct eight_parts {
    __m512d corner[3][FIELDS];
} eight_parts;

/* From here on parts are taken singly: edges whose squares are doubles are halved some 1,030 times
 * at most. */
enum { HIGH = 64 * LANES, HIGHEST = HIGH + 1100 };

typedef struct part_pile {
    int count;
    double corner[3][FIELDS][HIGHEST];
} part_pile;

/* In 16 bits each, i lowest. */
INLINE __m512i triple(uint64_t n) {
    return _mm512_set1_epi64((int64_t)(n | n << 16 | n << 32));
}

/* One more than the voxel's i, j and k: 0 or PSB_VOXELS + 1 for all that is outside. */
INLINE __m512d find_voxels(const __m512d p[3]) {
    __m512i voxel = _mm512_setzero_si512();
    for (int k = 0; k < 3; k++) {
        __m512d x = _mm512_add_pd(p[k], _mm512_set1_pd(0.5));
        x = _mm512_max_pd(x, _mm512_set1_pd(-1.0));
        x = _mm512_add_pd(_mm512_min_pd(x, _mm512_set1_pd(PSB_VOXELS)), _mm512_set1_pd(1.0));
        __m512i at = _mm512_cvtepi32_epi64(_mm512_cvttpd_epi32(x));
        voxel = _mm512_or_si512(voxel, _mm512_slli_epi64(at, (unsigned)(16 * k)));
    }
    return _mm512_castsi512_pd(voxel);
}

/* The row of i's that j and k say. */
INLINE __m512i row_of(__m512i j, __m512i k) {
    __m512i low = _mm512_and_si512(_mm512_srli_epi64(j, 16), _mm512_set1_epi64(63));
    __m512i high = _mm512_and_si512(_mm512_srli_epi64(k, 26), _mm512_set1_epi64(63 << 6));
    return _mm512_or_si512(low, high);
}

/* Whether any of three numbers is negative. */
INLINE __mmask8 any_negative(__m512i numbers) {
    return _mm512_test_epi64_mask(numbers, triple(0x8000));
}

INLINE void set_voxels(__m512d voxels, __mmask8 which, uint64_t *row) {
    __m512i at = _mm512_sub_epi16(_mm512_castpd_si512(voxels), triple(1));
    __mmask8 inside = _mm512_mask_testn_epi64_mask(which, at, triple(0xffc0));
    uint64_t place[LANES], bit[LANES];
    __m512i i = _mm512_and_si512(at, _mm512_set1_epi64(63));
    _mm512_storeu_si512(place, row_of(at, at));
    _mm512_storeu_si512(bit, _mm512_maskz_sllv_epi64(inside, _mm512_set1_epi64(1), i));
    for (int v = 0; v < LANES; v++) {
        row[place[v]] |= bit[v];
    }
}

/* Those whose boxes are not set; where these are large, their outermost rows may be. */
INLINE __mmask8 find_open(const eight_parts *p, __mmask8 which, const psb_raster *raster) {
    __m512i a = _mm512_castpd_si512(p->corner[0][VOXEL]);
    __m512i b = _mm512_castpd_si512(p->corner[1][VOXEL]);
    __m512i c = _mm512_castpd_si512(p->corner[2][VOXEL]);
    __m512i low = _mm512_min_epi16(_mm512_min_epi16(a, b), c);
    __m512i high = _mm512_max_epi16(_mm512_max_epi16(a, b), c);
    low = _mm512_sub_epi16(_mm512_max_epi16(low, triple(1)), triple(1));
    high = _mm512_sub_epi16(_mm512_min_epi16(high, triple(PSB_VOXELS)), triple(1));
    __m512i width = _mm512_sub_epi16(high, low);
    which &= (__mmask8)~any_negative(width);
    const void *row = raster->row[0];
    __m512i set = _mm512_and_si512(_mm512_i64gather_epi64(row_of(low, low), row, 8),
                                   _mm512_i64gather_epi64(row_of(high, high), row, 8));
    set = _mm512_and_si512(set, _mm512_i64gather_epi64(row_of(low, high), row, 8));
    set = _mm512_and_si512(set, _mm512_i64gather_epi64(row_of(high, low), row, 8));
    const __m512i all = _mm512_set1_epi64(-1), bits = _mm512_set1_epi64(63);
    __m512i mask = _mm512_and_si512(_mm512_sllv_epi64(all, _mm512_and_si512(low, bits)),
                                    _mm512_srlv_epi64(all, _mm512_andnot_si512(high, bits)));
    __mmask8 open = _mm512_mask_test_epi64_mask(which, _mm512_andnot_si512(set, mask), mask);
    __m512i excess = _mm512_sub_epi16(_mm512_set1_epi64(INT64_C(0x000100013fff)), width);
    unsigned large = which & (unsigned)~open & any_negative(excess);
    if (large != 0) {
        int16_t from[LANES][4], to[LANES][4];
        _mm512_storeu_si512(from, low);
        _mm512_storeu_si512(to, high);
        for (; large != 0; large &= large - 1) {
            int v = __builtin_ctz(large);
            int first[3] = {from[v][0], from[v][1], from[v][2]};
            int last[3] = {to[v][0], to[v][1], to[v][2]};
            open |= (__mmask8)(!psb_box_is_set(first, last, raster) << v);
        }
    }
    return open;
}

/* Puts those on the pile that are not small and whose boxes are not set. */
INLINE void push_open(const eight_parts *p, __mmask8 which, const psb_raster *raster,
                      part_pile *pile) {
    __m512d longest = _mm512_max_pd(p->corner[0][EDGE], p->corner[1][EDGE]);
    longest = _mm512_max_pd(longest, p->corner[2][EDGE]);
    const __m512d small = _mm512_set1_pd(psb_sampling_step * psb_sampling_step);
    which = _mm512_mask_cmp_pd_mask(which, longest, small, _CMP_GT_OQ);
    which = find_open(p, which, raster);
    for (int c = 0; c < 3; c++) {
        for (int f = 0; f < FIELDS; f++) {
            _mm512_storeu_pd(pile->corner[c][f] + pile->count,
                             _mm512_maskz_compress_pd(which, p->corner[c][f]));
        }
    }
    pile->count += __builtin_popcount(which);
}

/* Takes parts from the pile, turned so that the longest edge is the one opposite the last corner.
 */
INLINE void take_turned(const part_pile *pile, eight_parts *out) {
    eight_parts in;
    for (int c = 0; c < 3; c++) {
        for (int f = 0; f < FIELDS; f++) {
            in.corner[c][f] = _mm512_loadu_pd(pile->corner[c][f] + pile->count);
        }
    }
    __m512d bc = in.corner[0][EDGE], ca = in.corner[1][EDGE], ab = in.corner[2][EDGE];
    __mmask8 at_bc = _mm512_cmp_pd_mask(bc, ab, _CMP_GT_OQ);
    at_bc = _mm512_mask_cmp_pd_mask(at_bc, bc, ca, _CMP_GE_OQ);
    __mmask8 at_ca = _mm512_mask_cmp_pd_mask((__mmask8)~at_bc, ca, ab, _CMP_GT_OQ);
    for (int c = 0; c < 3; c++) {
        for (int f = 0; f < FIELDS; f++) {
            __m512d x = _mm512_mask_mov_pd(in.corner[c][f], at_bc, in.corner[(c + 1) % 3][f]);
            out->corner[c][f] = _mm512_mask_mov_pd(x, at_ca, in.corner[(c + 2) % 3][f]);
        }
    }
}

INLINE __m512d square_distance(const __m512d p[3], const __m512d q[3]) {
    __m512d sum = _mm512_setzero_pd();
    for (int k = 0; k < 3; k++) {
        __m512d d = _mm512_sub_pd(p[k], q[k]);
        d = _mm512_mul_pd(d, d);
        sum = k == 0 ? d : _mm512_add_pd(sum, d);
    }
    return sum;
}

/* Halves the uppermost parts of the pile. */
INLINE void halve(part_pile *pile, psb_raster *raster) {
    int n = pile->count < LANES ? pile->count : pile->count > HIGH ? 1 : LANES;
    __mmask8 which = (__mmask8)(0xff >> (LANES - n));
    eight_parts left, right;
    __m512d middle[FIELDS];
    pile->count -= n;
    take_turned(pile, &left);
    for (int k = 0; k < 3; k++) {
        __m512d sum = _mm512_add_pd(left.corner[0][k], left.corner[1][k]);
        middle[k] = _mm512_mul_pd(_mm512_set1_pd(0.5), sum);
    }
    __m512d voxels = find_voxels(middle);
    set_voxels(voxels, which, raster->row[0]);
    left.corner[2][EDGE] = _mm512_mul_pd(_mm512_set1_pd(0.25), left.corner[2][EDGE]);
    right = left;
    right.corner[1][EDGE] = left.corner[0][EDGE] = square_distance(middle, left.corner[2]);
    for (int k = 0; k < 3; k++) {
        left.corner[1][k] = right.corner[0][k] = middle[k];
    }
    left.corner[1][VOXEL] = right.corner[0][VOXEL] = voxels;
    push_open(&left, which, raster, pile);
    push_open(&right, which, raster, pile);
}

/* Where p comes after q in the order of coordinates. */
INLINE __mmask8 find_after(const __m512d p[3], const __m512d q[3]) {
    __mmask8 after = 0, equal = 0xff;
    for (int k = 0; k < 3; k++) {
        after |= _mm512_mask_cmp_pd_mask(equal, p[k], q[k], _CMP_GT_OQ);
        equal = _mm512_mask_cmp_pd_mask(equal, p[k], q[k], _CMP_EQ_OQ);
    }
    return after;
}

/* The arithmetic must not see the file's order of corners. */
INLINE void sort_corners(eight_parts *parts) {
    for (int s = 0; s < 3; s++) {
        __m512d *p = parts->corner[s % 2], *q = parts->corner[s % 2 + 1];
        __mmask8 after = find_after(p, q);
        for (int f = 0; f < FIELDS; f++) {
            __m512d t = p[f];
            p[f] = _mm512_mask_mov_pd(t, after, q[f]);
            q[f] = _mm512_mask_mov_pd(q[f], after, t);
        }
    }
}

/* Puts the triangles t ... t + 7, or as many as there are, on the pile. */
INLINE void take_triangles(const psb_mesh *mesh, const double *points, size_t t, part_pile *pile,
                           psb_raster *raster) {
    size_t n = mesh->ntriangles - t < LANES ? mesh->ntriangles - t : LANES;
    __mmask8 which = (__mmask8)(0xff >> (LANES - n));
    double in[3][3][LANES];
    for (size_t i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) {
            const double *p = points + 3 * (size_t)mesh->triangles[3 * (t + i) + (size_t)c];
            for (int k = 0; k < 3; k++) {
                in[c][k][i] = p[k];
            }
        }
    }
    const __m512d half = _mm512_set1_pd(PSB_VOXELS / 2);
    eight_parts parts;
    for (int c = 0; c < 3; c++) {
        __m512d *corner = parts.corner[c];
        for (int k = 0; k < 3; k++) {
            __m512d x = _mm512_maskz_loadu_pd(which, in[c][k]);
            corner[k] = _mm512_add_pd(_mm512_mul_pd(half, x), half);
        }
        corner[VOXEL] = find_voxels(corner);
        set_voxels(corner[VOXEL], which, raster->row[0]);
    }
    for (int c = 0; c < 3; c++) {
        parts.corner[c][EDGE] =
            square_distance(parts.corner[(c + 1) % 3], parts.corner[(c + 2) % 3]);
    }
    for (int c = 0; c < 3; c++) {
        which = _mm512_mask_cmp_pd_mask(which, parts.corner[c][EDGE], _mm512_set1_pd(DBL_MAX),
                                        _CMP_LE_OQ);
    }
    sort_corners(&parts);
    push_open(&parts, which, raster, pile);
}

TARGET static void sample(const psb_mesh *mesh, const double *points, psb_raster *raster) {
    part_pile pile;
    pile.count = 0;
    memset(raster, 0, sizeof *raster);
    for (size_t t = 0; t < mesh->ntriangles; t += LANES) {
        take_triangles(mesh, points, t, &pile, raster);
        while (pile.count >= LANES) {
            halve(&pile, raster);
        }
    }
    while (pile.count > 0) {
        halve(&pile, raster);
    }
}

const psb_raster_kernel psb_sampling_avx512 = {{"avx512", PSB_CPU_AVX512F | PSB_CPU_AVX512BW},
                                               sample};

#endif
