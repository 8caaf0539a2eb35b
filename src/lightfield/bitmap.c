/* Works on images by whole words of pixels, or by vectors of a row's four words. */
#include "lightfield/bitmap.h"

#include <string.h>

/* Vectors are handed over by address: how they are passed depends on the instruction set. */
typedef uint64_t line __attribute__((vector_size(PSB_SIDE / 8)));

PSB_INLINE void load(const uint64_t words[PSB_WORDS], line *r) {
    memcpy(r, words, sizeof *r);
}

PSB_INLINE void store(const line *r, uint64_t words[PSB_WORDS]) {
    memcpy(words, r, sizeof *r);
}

PSB_INLINE bool any(const line *r) {
    return ((*r)[0] | (*r)[1] | (*r)[2] | (*r)[3]) != 0;
}

/* psb_row_left and psb_row_right of all words; `end` is shifted in. */
PSB_INLINE void left_of(const line *r, const line *end, line *out) {
    *out = *r << 1 | PSB_SHUFFLE(line, *end, *r, 3, 4, 5, 6) >> 63;
}

PSB_INLINE void right_of(const line *r, const line *end, line *out) {
    *out = *r >> 1 | PSB_SHUFFLE(line, *r, *end, 1, 2, 3, 4) << 63;
}

/* Counted in parallel fields: the baseline instruction set has no count of its own. */
static size_t ones(uint64_t word) {
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return word * UINT64_C(0x0101010101010101) >> 56;
}

int psb_row_runs(const uint64_t row[PSB_WORDS], uint16_t ends[PSB_SIDE]) {
    int count = 0;
    for (int word = 0; word < PSB_WORDS; word++) {
        uint64_t changes = row[word] ^ psb_row_left(row, word);
        for (; changes != 0; changes &= changes - 1) {
            ends[count++] = (uint16_t)(64 * word + __builtin_ctzll(changes));
        }
    }
    if (row[PSB_WORDS - 1] >> 63 != 0) {
        ends[count++] = PSB_SIDE;
    }
    return count;
}

static bool row_empty(const uint64_t row[PSB_WORDS]) {
    return (row[0] | row[1] | row[2] | row[3]) == 0;
}

/* x of the first and of the last set pixel of a row that has one. */
static int row_first(const uint64_t row[PSB_WORDS]) {
    int word = 0;
    while (row[word] == 0) {
        word++;
    }
    return 64 * word + __builtin_ctzll(row[word]);
}

static int row_last(const uint64_t row[PSB_WORDS]) {
    int word = PSB_WORDS - 1;
    while (row[word] == 0) {
        word--;
    }
    return 64 * word + 63 - __builtin_clzll(row[word]);
}

psb_pixel_box psb_bitmap_box(const psb_bitmap *bitmap) {
    psb_pixel_box box = {PSB_SIDE, -1, PSB_SIDE, -1};
    uint64_t all[PSB_WORDS] = {0};
    for (int y = 0; y < PSB_SIDE; y++) {
        if (!row_empty(bitmap->row[y])) {
            box.bottom = box.bottom < y ? box.bottom : y;
            box.top = y;
            for (int word = 0; word < PSB_WORDS; word++) {
                all[word] |= bitmap->row[y][word];
            }
        }
    }
    if (box.top >= 0) {
        box.left = row_first(all);
        box.right = row_last(all);
    }
    return box;
}

size_t psb_bitmap_count_both(const psb_bitmap *a, const psb_bitmap *b) {
    size_t count = 0;
    for (int y = 0; y < PSB_SIDE; y++) {
        for (int word = 0; word < PSB_WORDS; word++) {
            uint64_t both = a->row[y][word] & b->row[y][word];
            count += both != 0 ? ones(both) : 0; /* most words of most images are 0 */
        }
    }
    return count;
}

/* out = in and its neighbors in the row. */
static void widen(const uint64_t in[PSB_WORDS], uint64_t out[PSB_WORDS]) {
    for (int word = 0; word < PSB_WORDS; word++) {
        out[word] = in[word] | psb_row_left(in, word) | psb_row_right(in, word);
    }
}

/* The pixels of row y that are set together with their neighbors in the row; all beyond the image.
 */
PSB_INLINE void narrow(const psb_bitmap *bitmap, int y, line *out) {
    const line all = ~(line){0};
    line r = all, left, right;
    if (y >= 0 && y < PSB_SIDE) {
        load(bitmap->row[y], &r);
    }
    left_of(&r, &all, &left);
    right_of(&r, &all, &right);
    *out = r & left & right;
}

/* Counts each byte's set pixels. */
PSB_INLINE void count_bytes(const line *r, line *out) {
    line x = *r - (*r >> 1 & 0x5555555555555555);
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    *out = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
}

PSB_INLINE void count_rim(const psb_bitmap *bitmap, const psb_pixel_box *box, size_t *count) {
    const line bytes = (line){0} + 0x00ff00ff00ff00ff;
    line below, inner, sums = {0}; /* sums: of each 16 bits' pixels */
    narrow(bitmap, box->bottom - 1, &below);
    narrow(bitmap, box->bottom, &inner);
    for (int y = box->bottom; y <= box->top; y++) {
        line r, above, rim;
        load(bitmap->row[y], &r);
        narrow(bitmap, y + 1, &above);
        rim = r & ~(below & inner & above);
        count_bytes(&rim, &rim);
        sums += (rim & bytes) + (rim >> 8 & bytes);
        below = inner;
        inner = above;
    }
    *count = 0;
    for (int k = 0; k < PSB_WORDS * 4; k++) {
        *count += sums[k / 4] >> 16 * (k % 4) & 0xffff;
    }
}

PSB_VARIANTS_TO_AVX2(psb_rim, count_rim,
                     (const psb_bitmap *bitmap, const psb_pixel_box *box, size_t *count),
                     (bitmap, box, count))

size_t psb_bitmap_count_rim(const psb_bitmap *bitmap, const psb_pixel_box *box) {
    size_t count;
    PSB_RUN(psb_rim)(bitmap, box, &count);
    return count;
}

/* Adds a row to that of `out` at y, where there is one. */
static void add_row(psb_bitmap *out, int y, const uint64_t row[PSB_WORDS]) {
    if (y >= 0 && y < PSB_SIDE) {
        for (int word = 0; word < PSB_WORDS; word++) {
            out->row[y][word] |= row[word];
        }
    }
}

void psb_bitmap_dilate(const psb_bitmap *in, psb_bitmap *out) {
    memset(out, 0, sizeof *out);
    for (int y = 0; y < PSB_SIDE; y++) {
        uint64_t wide[PSB_WORDS];
        widen(in->row[y], wide);
        for (int dy = -1; dy <= 1; dy++) {
            add_row(out, y + dy, wide);
        }
    }
}

void psb_bitmap_dilate_wide(const psb_bitmap *in, psb_bitmap *out) {
    memset(out, 0, sizeof *out);
    for (int y = 0; y < PSB_SIDE; y++) {
        uint64_t wide[PSB_WORDS], wider[PSB_WORDS];
        widen(in->row[y], wide);
        widen(wide, wider);
        for (int dy = -2; dy <= 2; dy++) {
            add_row(out, y + dy, dy == -2 || dy == 2 ? wide : wider);
        }
    }
}

/* Everything left of a row's first wall pixel and right of its last; the whole row without one. */
static void row_outside(const uint64_t wall[PSB_WORDS], uint64_t outside[PSB_WORDS]) {
    if (row_empty(wall)) {
        memset(outside, 0xff, PSB_WORDS * sizeof *outside);
        return;
    }
    int first = row_first(wall);
    int last = row_last(wall);
    for (int word = 0; word < PSB_WORDS; word++) {
        int left = first - 64 * word; /* pixels of this word that lie left of the wall */
        int right = last - 64 * word; /* its pixels above this one lie right of the wall */
        uint64_t low = left <= 0 ? 0 : left >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
        uint64_t high = right < 0 ? ~UINT64_C(0) : right >= 63 ? 0 : ~UINT64_C(1) << right;
        outside[word] = low | high;
    }
}

/* Spreads a row's outside along the row until walls stop it. */
PSB_INLINE void spread(const line *wall, line *outside) {
    const line none = {0};
    line grown;
    do {
        line left, right, next;
        left_of(outside, &none, &left);
        right_of(outside, &none, &right);
        next = (*outside | left | right) & ~*wall;
        grown = next ^ *outside;
        *outside = next;
    } while (any(&grown));
}

/* Lets the rows from ... to, in this order, flow into each other, the row `before` into the first.
 */
PSB_INLINE bool flow(const psb_bitmap *wall, psb_bitmap *outside, int before, int from, int to) {
    const int up = from <= to ? 1 : -1;
    bool changed = false;
    line last;
    load(outside->row[before], &last);
    for (int y = from; y != to + up; y += up) {
        line here, walls, entered;
        load(outside->row[y], &here);
        load(wall->row[y], &walls);
        entered = last & ~walls & ~here;
        if (any(&entered)) {
            here |= entered;
            spread(&walls, &here);
            store(&here, outside->row[y]);
            changed = true;
        }
        last = here;
    }
    return changed;
}

PSB_INLINE void find_outside(const psb_bitmap *wall, psb_bitmap *outside) {
    for (int y = 0; y < PSB_SIDE; y++) {
        row_outside(wall->row[y], outside->row[y]);
    }
    /* The bottom and top row are border as a whole. */
    for (int word = 0; word < PSB_WORDS; word++) {
        outside->row[0][word] = ~wall->row[0][word];
        outside->row[PSB_SIDE - 1][word] = ~wall->row[PSB_SIDE - 1][word];
    }
    /* Rows below and above all walls are outside already. */
    int bottom = 1, top = PSB_SIDE - 2;
    while (bottom < PSB_SIDE - 1 && row_empty(wall->row[bottom - 1]) &&
           row_empty(wall->row[bottom])) {
        bottom++;
    }
    while (top > 0 && row_empty(wall->row[top + 1]) && row_empty(wall->row[top])) {
        top--;
    }
    /* Upwards and downwards in turn, each at least once, until one way changes nothing. */
    bool changed = true;
    for (int pass = 0; pass < 2 || changed; pass++) {
        changed = pass % 2 == 0 ? flow(wall, outside, bottom - 1, bottom, top + 1)
                                : flow(wall, outside, top + 1, top, bottom - 1);
    }
}

PSB_VARIANTS_TO_AVX2(psb_outside, find_outside, (const psb_bitmap *wall, psb_bitmap *outside),
                     (wall, outside))

void psb_bitmap_outside(const psb_bitmap *wall, psb_bitmap *outside) {
    PSB_RUN(psb_outside)(wall, outside);
}

/* Pixels whose deletion neither splits nor shortens what is around them. near[k]: their neighbors,
 * from the right (x + 1) around over the top row to the lower right. */
PSB_INLINE void find_deletable(const line near[8], line *out) {
    line one_run = {0}, two_runs = {0}, one = {0}, two = {0};
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++) {
        two |= one & near[k];
        one |= near[k];
        if (k % 2 == 0) {
            /* A run that touches a side ends where the two neighbors that follow are not both set.
             */
            line run = near[k] & ~(near[k + 1] & near[(k + 2) % 8]);
            two_runs |= one_run & run;
            one_run |= run;
        }
    }
    *out = ~two_runs & ~(one & ~two);
}

/*
 * Deletes at once what can go from the side `side`: right, above, left, below; in the rows of the
 * box. changed[1 + y] is the last pass, beginning at 1, that deleted something in row y: a row that
 * is as it was four passes ago, when this side had its turn, and so are its neighbors, stays.
 */
PSB_INLINE bool peel(psb_bitmap *bitmap, const psb_bitmap *core, int side, const psb_pixel_box *box,
                     int pass, int changed[PSB_SIDE + 2]) {
    const line none = {0};
    line below = none, here, above; /* as they were before this pass */
    bool any_deleted = false;
    load(bitmap->row[box->bottom], &here);
    for (int y = box->bottom; y <= box->top; y++, below = here, here = above) {
        above = none;
        if (y + 1 < PSB_SIDE) {
            load(bitmap->row[y + 1], &above);
        }
        if (changed[y] < pass - 4 && changed[y + 1] < pass - 4 && changed[y + 2] < pass - 4) {
            continue;
        }
        line near[8] = {[2] = above, [6] = below}, doomed, deletable;
        right_of(&here, &none, &near[0]);
        left_of(&here, &none, &near[4]);
        load(core->row[y], &doomed);
        doomed = here & ~doomed & ~near[2 * side];
        if (any(&doomed)) {
            right_of(&above, &none, &near[1]);
            left_of(&above, &none, &near[3]);
            left_of(&below, &none, &near[5]);
            right_of(&below, &none, &near[7]);
            find_deletable(near, &deletable);
            doomed &= deletable;
            if (any(&doomed)) {
                line left = here & ~doomed;
                store(&left, bitmap->row[y]);
                changed[1 + y] = pass;
                any_deleted = true;
            }
        }
    }
    return any_deleted;
}

PSB_INLINE void thin(psb_bitmap *bitmap, const psb_bitmap *core) {
    psb_pixel_box box = psb_bitmap_box(bitmap);
    int changed[PSB_SIDE + 2] = {0}, pass = 0;
    bool more = box.bottom <= box.top;
    while (more) {
        more = peel(bitmap, core, 3, &box, ++pass, changed);  /* below */
        more |= peel(bitmap, core, 1, &box, ++pass, changed); /* above */
        more |= peel(bitmap, core, 2, &box, ++pass, changed); /* left */
        more |= peel(bitmap, core, 0, &box, ++pass, changed); /* right */
    }
}

PSB_VARIANTS_TO_AVX2(psb_thin, thin, (psb_bitmap * bitmap, const psb_bitmap *core), (bitmap, core))

void psb_bitmap_thin(psb_bitmap *bitmap, const psb_bitmap *core) {
    PSB_RUN(psb_thin)(bitmap, core);
}
