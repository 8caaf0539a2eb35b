/* Works on images by whole words of pixels. */
#include "lightfield/bitmap.h"

#include <string.h>

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

/* out = in and its neighbours in the row. */
static void widen(const uint64_t in[PSB_WORDS], uint64_t out[PSB_WORDS]) {
    for (int word = 0; word < PSB_WORDS; word++) {
        out[word] = in[word] | psb_row_left(in, word) | psb_row_right(in, word);
    }
}

/* The pixels of a row that are set together with their neighbours in the row. */
static void narrow(const uint64_t in[PSB_WORDS], uint64_t out[PSB_WORDS]) {
    for (int word = 0; word < PSB_WORDS; word++) {
        uint64_t left = psb_row_left(in, word) | (word == 0);
        uint64_t right = psb_row_right(in, word) | (uint64_t)(word == PSB_WORDS - 1) << 63;
        out[word] = in[word] & left & right;
    }
}

size_t psb_bitmap_count_rim(const psb_bitmap *bitmap) {
    /* Narrowed rows; below and above the image all is set. */
    uint64_t inner[3][PSB_WORDS];
    size_t count = 0;
    memset(inner, 0xff, sizeof inner);
    narrow(bitmap->row[0], inner[0]);
    for (int y = 0; y < PSB_SIDE; y++) {
        uint64_t *next = inner[(y + 1) % 3];
        if (y + 1 == PSB_SIDE) {
            memset(next, 0xff, sizeof inner[0]);
        } else if (row_empty(bitmap->row[y + 1])) {
            memset(next, 0, sizeof inner[0]);
        } else {
            narrow(bitmap->row[y + 1], next);
        }
        for (int word = 0; word < PSB_WORDS && !row_empty(bitmap->row[y]); word++) {
            uint64_t rim =
                bitmap->row[y][word] & ~(inner[0][word] & inner[1][word] & inner[2][word]);
            count += rim != 0 ? ones(rim) : 0;
        }
    }
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
static void spread(const uint64_t wall[PSB_WORDS], uint64_t outside[PSB_WORDS]) {
    uint64_t grown;
    do {
        uint64_t wide[PSB_WORDS];
        widen(outside, wide);
        grown = 0;
        for (int word = 0; word < PSB_WORDS; word++) {
            uint64_t next = wide[word] & ~wall[word];
            grown |= next ^ outside[word];
            outside[word] = next;
        }
    } while (grown != 0);
}

/* Lets row `from` flow into the neighbouring row y. */
static bool flow(const psb_bitmap *wall, psb_bitmap *outside, int from, int y) {
    uint64_t entered = 0;
    for (int word = 0; word < PSB_WORDS; word++) {
        uint64_t open = outside->row[from][word] & ~wall->row[y][word];
        entered |= open & ~outside->row[y][word];
        outside->row[y][word] |= open;
    }
    if (entered != 0) {
        spread(wall->row[y], outside->row[y]);
    }
    return entered != 0;
}

void psb_bitmap_outside(const psb_bitmap *wall, psb_bitmap *outside) {
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
        changed = false;
        for (int y = bottom; y <= top + 1; y++) {
            int to = pass % 2 == 0 ? y : top + bottom - y;
            changed |= flow(wall, outside, pass % 2 == 0 ? to - 1 : to + 1, to);
        }
    }
}

/* The eight neighbours of a row's pixels, each shifted into the pixel's place. */
typedef struct ring {
    uint64_t near[8]; /* from the right (x + 1) around over the top row to the lower right */
} ring;

static ring ring_at(const uint64_t below[PSB_WORDS], const uint64_t row[PSB_WORDS],
                    const uint64_t above[PSB_WORDS], int word) {
    ring around = {{psb_row_right(row, word), psb_row_right(above, word), above[word],
                    psb_row_left(above, word), psb_row_left(row, word), psb_row_left(below, word),
                    below[word], psb_row_right(below, word)}};
    return around;
}

/* Pixels whose deletion neither splits nor shortens what is around them. */
static uint64_t deletable(const ring *around) {
    uint64_t one_run = 0, two_runs = 0, one = 0, two = 0;
    for (int k = 0; k < 8; k++) {
        two |= one & around->near[k];
        one |= around->near[k];
        if (k % 2 == 0) {
            /* A run that touches a side ends where the two neighbours that follow are not both set.
             */
            uint64_t run = around->near[k] & ~(around->near[k + 1] & around->near[(k + 2) % 8]);
            two_runs |= one_run & run;
            one_run |= run;
        }
    }
    return ~two_runs & ~(one & ~two);
}

/*
 * Deletes at once what can go from the side `side`: right, above, left, below; in the rows of the
 * box. changed[1 + y] is the last pass, beginning at 1, that deleted something in row y: a row that
 * is as it was four passes ago, when this side had its turn, and so are its neighbours, stays.
 */
static bool peel(psb_bitmap *bitmap, const psb_bitmap *core, int side, const psb_pixel_box *box,
                 int pass, int changed[PSB_SIDE + 2]) {
    static const uint64_t none[PSB_WORDS] = {0};
    uint64_t kept[2][PSB_WORDS];  /* rows as they were before this pass, where it changed them */
    const uint64_t *below = none; /* the same of the row below */
    bool any_deleted = false;
    for (int y = box->bottom; y <= box->top; y++) {
        const uint64_t *above = y + 1 < PSB_SIDE ? bitmap->row[y + 1] : none;
        uint64_t *row = bitmap->row[y], doomed[PSB_WORDS], any = 0, deleted = 0;
        if (changed[y] < pass - 4 && changed[y + 1] < pass - 4 && changed[y + 2] < pass - 4) {
            below = row;
            continue;
        }
        for (int word = 0; word < PSB_WORDS; word++) {
            const uint64_t beside[4] = {psb_row_right(row, word), above[word],
                                        psb_row_left(row, word), below[word]};
            doomed[word] = row[word] & ~core->row[y][word] & ~beside[side];
            any |= doomed[word];
        }
        if (any == 0) {
            below = row;
            continue;
        }
        uint64_t *before = kept[y % 2];
        memcpy(before, row, sizeof kept[0]);
        for (int word = 0; word < PSB_WORDS; word++) {
            if (doomed[word] != 0) {
                ring around = ring_at(below, before, above, word);
                doomed[word] &= deletable(&around);
                row[word] &= ~doomed[word];
                deleted |= doomed[word];
            }
        }
        below = before;
        if (deleted != 0) {
            changed[1 + y] = pass;
            any_deleted = true;
        }
    }
    return any_deleted;
}

void psb_bitmap_thin(psb_bitmap *bitmap, const psb_bitmap *core) {
    static const int sides[4] = {3, 1, 2, 0}; /* below, above, left, right */
    psb_pixel_box box = psb_bitmap_box(bitmap);
    int changed[PSB_SIDE + 2] = {0}, pass = 0;
    bool any;
    do {
        any = false;
        for (int k = 0; k < 4; k++) {
            any |= peel(bitmap, core, sides[k], &box, ++pass, changed);
        }
    } while (any);
}
