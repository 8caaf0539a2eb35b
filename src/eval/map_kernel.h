/*
 * The forces of all pairs for eval/map.c, to be included once for each instruction set, after
 *
 *     KERNEL   the function's name
 *     TARGET   the attribute that names the instruction set
 *     WIDTH    floats in a vector, a divisor of LANES
 *
 * have been defined; undefines them. Each lane adds up the same in any width. Without #pragma once:
 * its text is meant to appear several times.
 */
#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define VECTOR      JOIN(KERNEL, vector)
#define SUMS        JOIN(KERNEL, sums)
#define TILE        JOIN(KERNEL, tile)
#define BAND_OF     JOIN(KERNEL, band)

typedef float VECTOR __attribute__((vector_size(4 * WIDTH), may_alias));

typedef struct SUMS {
    VECTOR force[FORCES][BAND], q[BAND];
} SUMS;

/* The forces of a tile, from lane `lane` on, upon the band and, if `both`, upon the block. */
TARGET PSB_INLINE void TILE(const map *m, size_t row, size_t column, size_t lane, bool both,
                            SUMS *sums) {
    const float *p = m->p + tile_at(m, row, column) + lane;
    const size_t place = LANES * column + lane;
    float *across = m->across + FORCES * LANES * column + lane;
    const VECTOR x = *(const VECTOR *)(m->x + place), y = *(const VECTOR *)(m->y + place);
    const VECTOR present = *(const VECTOR *)(m->present + place);
    VECTOR back[FORCES];
    memset(back, 0, sizeof back);
    for (size_t r = 0; r < BAND; r++) {
        VECTOR dx = m->x[row + r] - x, dy = m->y[row + r] - y;
        VECTOR q = present / (1 + dx * dx + dy * dy), qq = q * q;
        VECTOR pq = *(const VECTOR *)(p + r * LANES) * q;
        const VECTOR force[FORCES] = {pq * dx, pq * dy, qq * dx, qq * dy};
        sums->q[r] += q;
        for (int f = 0; f < FORCES; f++) {
            sums->force[f][r] += force[f];
            back[f] += force[f];
        }
    }
    for (int f = 0; f < FORCES && both; f++) {
        *(VECTOR *)(across + f * LANES) -= back[f];
    }
}

/* WIDTH lanes of the band's sums. */
TARGET PSB_INLINE void BAND_OF(const map *m, size_t row, size_t lane, band_sums *out) {
    SUMS sums;
    memset(&sums, 0, sizeof sums);
    TILE(m, row, row / LANES, lane, false, &sums);
    for (size_t r = 0; r < BAND; r++) {
        sums.q[r] *= 0.5F;
    }
    for (size_t column = row / LANES + 1; column < m->padded / LANES; column++) {
        TILE(m, row, column, lane, true, &sums);
    }
    for (size_t r = 0; r < BAND; r++) {
        memcpy(out->q[r] + lane, &sums.q[r], sizeof sums.q[r]);
        for (int f = 0; f < FORCES; f++) {
            memcpy(out->force[f][r] + lane, &sums.force[f][r], sizeof sums.q[r]);
        }
    }
}

TARGET static void KERNEL(const map *m, size_t row, band_sums *out) {
    for (size_t lane = 0; lane < LANES; lane += WIDTH) {
        BAND_OF(m, row, lane, out);
    }
}

#undef JOIN_
#undef JOIN
#undef VECTOR
#undef SUMS
#undef TILE
#undef BAND_OF
#undef KERNEL
#undef TARGET
#undef WIDTH
