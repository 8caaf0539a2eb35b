/*
 * Functions f(rho) exp(i p theta) are even or odd in x and in y: cos(p theta) for even p is even in
 * both, for odd p odd in x; sin(p theta) is odd in y for odd p, odd in both for even p. So the grid
 * is folded onto one quadrant in four ways and each function needs one of them, on a quarter of the
 * points.
 */
#include "lightfield/moments.h"

#include "core/cpu.h"
#include "core/elementary.h"
#include "core/memory.h"
#include "distance/screen.h"

#include <math.h>
#include <string.h>

enum {
    FUNCTIONS = PSB_MOMENTS + 1, /* with the area */
    RADIALS = 3,                 /* of the angular radial transform */
    DEGREES = 11,                /* Zernike: n = 0 ... 10 */
    COLUMNS = 21,                /* functions with one parity of p, at most */
};

/* Symmetry classes: bit 0 for odd in x, bit 1 for odd in y. */
enum { EVEN = 0, ODD_X = 1, ODD_Y = 2, ODD_BOTH = 3, CLASSES = 4 };

static const double PI = 3.14159265358979323846;

/* Classes of the real and the imaginary parts, by the parity of p. */
static const int class_of[2][2] = {{EVEN, ODD_BOTH}, {ODD_X, ODD_Y}};

/* Function k has the same place, column[k], among the real parts with this parity of p and among
 * the imaginary parts. */
struct psb_moment_basis {
    int parity[FUNCTIONS], column[FUNCTIONS], count[2];
    double part[2][FUNCTIONS][PSB_QUADRANT];                              /* real, imaginary */
    float rounded[CLASSES][PSB_MOMENT_CHUNKS][COLUMNS][PSB_MOMENT_CHUNK]; /* 0 at the end */
};

/* Function number k, the area being number 0. */
typedef struct function {
    int p;
    int radial; /* r of the angular radial transform, n of Zernike's polynomials */
} function;

static void list_functions(psb_moment_kind kind, function list[FUNCTIONS]) {
    int count = 0;
    if (kind == PSB_ART) {
        for (; count < FUNCTIONS; count++) {
            list[count] = (function){count / RADIALS, count % RADIALS};
        }
    } else {
        for (int n = 0; n < DEGREES; n++) {
            for (int p = n % 2; p <= n; p += 2) {
                list[count++] = (function){p, n};
            }
        }
    }
}

static double factorial(int n) {
    return n > 1 ? n * factorial(n - 1) : 1;
}

/* Zernike's radial polynomial: sum over s of (-1)^s (n-s)! / (s! a! b!) rho^(n-2s). */
static double zernike(int n, int p, double rho) {
    double sum = 0.0;
    for (int s = 0; s <= (n - p) / 2; s++) {
        int a = (n + p) / 2 - s, b = (n - p) / 2 - s;
        double term = factorial(n - s) / (factorial(s) * factorial(a) * factorial(b));
        sum += (s % 2 == 0 ? term : -term) * psb_pow(rho, n - 2 * s);
    }
    return sum;
}

static double radial_part(psb_moment_kind kind, function f, double rho) {
    return kind == PSB_ART ? psb_cos(PI * f.radial * rho) : zernike(f.radial, f.p, rho);
}

/* Points (x, 0), (x, 1) ... of the quadrant that lie within the disc. */
static int height_at(int x) {
    int y = 0;
    while (x * x + y * y < PSB_DISC * PSB_DISC) {
        y++;
    }
    return y;
}

/* All functions at one point of the quadrant. */
static void sample(psb_moment_basis *basis, psb_moment_kind kind, const function *list, int x,
                   int y, size_t point) {
    double rho = sqrt(x * x + y * y) / PSB_DISC;
    double theta = psb_atan2(y, x); /* 0 at the middle */
    /* A point on an axis of the fold is counted once for each of its mirror images. */
    double share = (x == 0 && y > 0 ? 0.5 : 1.0) * (y == 0 && x > 0 ? 0.5 : 1.0);
    for (int k = 0; k < FUNCTIONS; k++) {
        double value = share * radial_part(kind, list[k], rho), angle = list[k].p * theta;
        double part[2] = {value * psb_cos(angle), value * psb_sin(angle)};
        for (int i = 0; i < 2; i++) {
            basis->part[i][k][point] = part[i];
            basis->rounded[class_of[basis->parity[k]][i]][point / PSB_MOMENT_CHUNK]
                          [basis->column[k]][point % PSB_MOMENT_CHUNK] = (float)part[i];
        }
    }
}

psb_status psb_moment_basis_new(psb_moment_kind kind, psb_moment_basis **basis, psb_error *error) {
    psb_status status = PSB_OK;
    *basis = psb_new_zero(&status, 1, sizeof **basis, "moment functions", error);
    if (status != PSB_OK) {
        return status;
    }
    function list[FUNCTIONS];
    list_functions(kind, list);
    for (int k = 0; k < FUNCTIONS; k++) {
        (*basis)->parity[k] = list[k].p % 2;
        (*basis)->column[k] = (*basis)->count[list[k].p % 2]++;
    }
    size_t point = 0;
    for (int x = 0; x < PSB_DISC; x++) {
        for (int y = 0, height = height_at(x); y < height; y++) {
            sample(*basis, kind, list, x, y, point++);
        }
    }
    return PSB_OK;
}

void psb_moment_basis_free(psb_moment_basis *basis) {
    free(basis);
}

/*
 * Pixels x = left ... right of a row add whole[j] to the grid's column j. Columns below column[x]
 * get the whole weight of the pixels left of x; column[x] and the next get a share. step[x] is the
 * difference of the shares from those of the column to the right, for the columns from column[x] -
 * 1 on.
 */
typedef struct cumulative {
    int column[PSB_SIDE + 1];
    double step[PSB_SIDE + 1][3];
} cumulative;

static double share(double part, double whole) {
    return whole > 0.0 ? part / whole : 0.0;
}

static void accumulate_columns(const psb_pixel_box *box, double centre, double scale,
                               cumulative *columns, double whole[PSB_MOMENT_PITCH]) {
    double part[PSB_SIDE + 1][2] = {{0.0}};
    memset(whole, 0, PSB_MOMENT_PITCH * sizeof *whole);
    columns->column[box->left] = (int)((box->left - centre) * scale + PSB_DISC);
    for (int x = box->left; x <= box->right; x++) {
        double at = (x - centre) * scale + PSB_DISC;
        int j = (int)at;
        whole[j] += 1.0 - (at - j);
        whole[j + 1] += at - j;
        columns->column[x + 1] = j;
        part[x + 1][0] = whole[j];
        part[x + 1][1] = whole[j + 1];
    }
    for (int x = box->left; x <= box->right + 1; x++) {
        int j = columns->column[x];
        double here = share(part[x][0], whole[j]), next = share(part[x][1], whole[j + 1]);
        columns->step[x][0] = 1.0 - here;
        columns->step[x][1] = here - next;
        columns->step[x][2] = next;
    }
}

/* Adds the pixels left of x to two grid rows from i on, with a weight for each. */
typedef double pair __attribute__((vector_size(16)));

static void add_left_of(const cumulative *columns, int x, int i, pair weight,
                        psb_moment_scratch *scratch) {
    for (int k = 0; k < 3; k++) {
        double *at = &scratch->grid[columns->column[x] + k][i];
        pair sum;
        memcpy(&sum, at, sizeof sum);
        sum += weight * columns->step[x][k];
        memcpy(at, &sum, sizeof sum);
    }
}

/* The part of the grid that an image's pixels touch. */
static psb_pixel_box touched_by(const psb_pixel_box *box, const double centre[2], double scale) {
    psb_pixel_box r = {(int)((box->left - centre[0]) * scale + PSB_DISC),
                       (int)((box->right - centre[0]) * scale + PSB_DISC) + 1,
                       (int)((box->bottom - centre[1]) * scale + PSB_DISC),
                       (int)((box->top - centre[1]) * scale + PSB_DISC) + 1};
    return r;
}

/* Makes weights of steps: each column has the shares of the one to the right and its own steps. */
PSB_INLINE void resolve(psb_moment_scratch *scratch) {
    const psb_pixel_box *r = &scratch->touched;
    double pending[PSB_MOMENT_PITCH] = {0.0};
    for (int j = r->right; j >= r->left; j--) {
        double whole = scratch->whole[j], *grid = scratch->grid[j + 1];
        for (int i = r->bottom / 8 * 8; i < r->top / 8 * 8 + 8; i++) { /* by whole eights */
            pending[i] += grid[i];
            grid[i] = pending[i] * whole;
        }
    }
    memset(scratch->grid[r->left], 0, sizeof scratch->grid[0]);
}

/* The largest distance from the grid's middle of the columns, or rows, that are touched. */
PSB_INLINE int reach_of(int low, int high) {
    return PSB_DISC - low > high - PSB_DISC ? PSB_DISC - low : high - PSB_DISC;
}

PSB_INLINE int half_width(const psb_pixel_box *touched) {
    return reach_of(touched->left, touched->right);
}

PSB_INLINE int half_height(const psb_pixel_box *touched) {
    return reach_of(touched->bottom, touched->top);
}

/* Eight points of a column of the grid; weights below the middle are read downwards. */
typedef double points __attribute__((vector_size(64)));
typedef float rounded __attribute__((vector_size(32)));
typedef int64_t places __attribute__((vector_size(64)));

PSB_INLINE void read_up(const double *column, points *out) {
    memcpy(out, column, sizeof *out);
}

PSB_INLINE void read_down(const double *column, points *out) {
    points up;
    read_up(column - 7, &up);
    *out = PSB_SHUFFLE(places, up, up, 7, 6, 5, 4, 3, 2, 1, 0);
}

/* Stores eight numbers, rounded, of image number `which` from point `at` on. */
PSB_INLINE void put(const points *in, psb_moment_scratch *scratch, int class, int which, int at) {
    const rounded numbers = __builtin_convertvector(*in, rounded);
    const int chunk = at / PSB_MOMENT_CHUNK, begin = at % PSB_MOMENT_CHUNK;
    float *to = scratch->rounded[class][chunk][which];
    if (begin + 8 <= PSB_MOMENT_CHUNK) {
        memcpy(to + begin, &numbers, sizeof numbers);
    } else {
        for (int k = 0; k < 8; k++) {
            to = scratch->rounded[class][(at + k) / PSB_MOMENT_CHUNK][which];
            to[(at + k) % PSB_MOMENT_CHUNK] = numbers[k];
        }
    }
}

/* Folds eight points above and eight below the middle of two columns, from y = 0 or beyond on. */
PSB_INLINE void fold_eight(const double *right, const double *left, int y, points folded[CLASSES]) {
    points a, b, even[2], odd[2];
    read_up(right + y, &a);
    read_up(left + y, &b);
    even[0] = a + b;
    odd[0] = a - b;
    read_down(right - y, &a);
    read_down(left - y, &b);
    even[1] = a + b;
    odd[1] = a - b;
    folded[EVEN] = even[0] + even[1];
    folded[ODD_X] = odd[0] + odd[1];
    folded[ODD_Y] = even[0] - even[1];
    folded[ODD_BOTH] = odd[0] - odd[1];
}

/*
 * Folds the grid. Columns are taken by whole eights of rows: what is beyond them is overwritten by
 * the next column, and at last by zeros.
 */
PSB_INLINE void fold(psb_moment_scratch *scratch, int which) {
    const int width = half_width(&scratch->touched), top = half_height(&scratch->touched);
    int at = 0, height = PSB_DISC;
    resolve(scratch);
    for (int x = 0; x < PSB_DISC && x <= width; x++, at += height) {
        const double *right = scratch->grid[1 + PSB_DISC + x] + PSB_DISC;
        const double *left = scratch->grid[1 + PSB_DISC - x] + PSB_DISC;
        while (x * x + (height - 1) * (height - 1) >= PSB_DISC * PSB_DISC) {
            height--; /* to height_at(x) */
        }
        for (int y = 0; y < height; y += 8) {
            points folded[CLASSES] = {{0.0}};
            if (y <= top) {
                fold_eight(right, left, y, folded);
            }
            for (int class = 0; class < CLASSES; class ++) {
                put(&folded[class], scratch, class, which, at + y);
            }
        }
    }
    float middle = (float)scratch->grid[1 + PSB_DISC][PSB_DISC];
    for (int class = 0; class < CLASSES; class ++) {
        /* At the middle the angle counts as 0, so that there no real part vanishes. */
        if (class == EVEN || class == ODD_X) {
            scratch->rounded[class][0][which][0] = middle;
        }
        for (int chunk = at / PSB_MOMENT_CHUNK; chunk < PSB_MOMENT_CHUNKS; chunk++) {
            int begin = at > chunk * PSB_MOMENT_CHUNK ? at - chunk * PSB_MOMENT_CHUNK : 0;
            memset(&scratch->rounded[class][chunk][which][begin], 0,
                   (size_t)(PSB_MOMENT_CHUNK - begin) * sizeof(float));
        }
    }
}

PSB_VARIANTS(psb_fold_kernels, psb_fold_kernel, fold, (psb_moment_scratch * scratch, int which),
             (scratch, which))

/* Clears what a fold reads: the touched columns and rows, and seven rows beyond. */
static void clear(psb_moment_scratch *scratch) {
    const int width = half_width(&scratch->touched), height = half_height(&scratch->touched) + 8;
    const int bottom = height < PSB_DISC ? PSB_DISC - height : 0;
    const int end = PSB_DISC + height < PSB_MOMENT_PITCH ? PSB_DISC + height : PSB_MOMENT_PITCH;
    for (int j = width < PSB_DISC ? PSB_DISC - width : 0; j < PSB_DISC + width + 2; j++) {
        memset(&scratch->grid[j][bottom], 0, (size_t)(end - bottom) * sizeof scratch->grid[j][0]);
    }
}

void psb_moment_splat(const psb_bitmap *image, const psb_pixel_box *box, const double centre[2],
                      double radius, psb_moment_scratch *scratch, int which) {
    static const psb_pixel_box middle = {PSB_DISC, PSB_DISC, PSB_DISC, PSB_DISC};
    double scale = radius > 0.0 ? PSB_DISC / radius : 0.0;
    cumulative columns;
    scratch->touched = box->left <= box->right ? touched_by(box, centre, scale) : middle;
    clear(scratch);
    accumulate_columns(box, centre[0], scale, &columns, scratch->whole);
    for (int y = box->bottom; y <= box->top; y++) {
        double at = (y - centre[1]) * scale + PSB_DISC;
        int i = (int)at;
        uint16_t ends[PSB_SIDE];
        int count = psb_row_runs(image->row[y], ends);
        for (int e = 0; e < count; e++) {
            double sign = e % 2 == 0 ? -1.0 : 1.0;
            pair weight = {sign * (1.0 - (at - i)), sign * (at - i)};
            add_left_of(&columns, ends[e], i, weight, scratch);
        }
    }
    ((const psb_fold_kernel *)psb_cpu_choose(psb_fold_kernels))->fold(scratch, which);
}

/*
 * A sum in float32 has at most PSB_MOMENT_CHUNK / 4 terms in a row; beside it the two factors, the
 * product, two more additions of the vector's parts and some to spare are rounded. Functions are
 * at most 1, weights add up to the number of pixels, and a magnitude has two parts.
 */
const double psb_moment_slack = 1.4143 * (PSB_MOMENT_CHUNK / 4.0 + 8.0) * 0x1p-24;

/* sum[m][column] = product of image m's folded grid with the functions of a class. */
static void multiply(const psb_moment_basis *basis, const psb_moment_scratch *scratch, int class,
                     size_t count, double sum[PSB_MOMENT_IMAGES][COLUMNS]) {
    const psb_screen_kernel *kernel = psb_cpu_choose(psb_screen_kernels);
    memset(sum, 0, PSB_MOMENT_IMAGES * sizeof sum[0]);
    for (int chunk = 0; chunk < PSB_MOMENT_CHUNKS; chunk++) {
        float part[PSB_MOMENT_IMAGES][COLUMNS] = {{0}};
        psb_row_view grids = {scratch->rounded[class][chunk], PSB_MOMENT_IMAGES, PSB_MOMENT_CHUNK,
                              PSB_FLOAT32};
        psb_row_view functions = {basis->rounded[class][chunk], count, PSB_MOMENT_CHUNK,
                                  PSB_FLOAT32};
        kernel->dots(&grids, &functions, part[0], COLUMNS);
        for (int m = 0; m < PSB_MOMENT_IMAGES; m++) {
            for (int column = 0; column < COLUMNS; column++) {
                sum[m][column] += (double)part[m][column];
            }
        }
    }
}

void psb_moment_magnitudes(const psb_moment_basis *basis, const psb_moment_scratch *scratch,
                           double moment[PSB_MOMENT_IMAGES][PSB_MOMENTS]) {
    double sum[CLASSES][PSB_MOMENT_IMAGES][COLUMNS];
    for (int i = 0; i < CLASSES; i++) {
        multiply(basis, scratch, class_of[i / 2][i % 2], (size_t)basis->count[i / 2],
                 sum[class_of[i / 2][i % 2]]);
    }
    for (int k = 1; k < FUNCTIONS; k++) {
        const int *class = class_of[basis->parity[k]], column = basis->column[k];
        for (int m = 0; m < PSB_MOMENT_IMAGES; m++) {
            double re = sum[class[0]][m][column], im = sum[class[1]][m][column];
            moment[m][k - 1] = sqrt(re * re + im * im);
        }
    }
}

/* The same as above of one point and class. */
static double folded_at(const psb_moment_scratch *scratch, int class, int x, int y) {
    const double *right = scratch->grid[1 + PSB_DISC + x] + PSB_DISC;
    const double *left = scratch->grid[1 + PSB_DISC - x] + PSB_DISC;
    double side = class & ODD_X ? -1.0 : 1.0, half = class & ODD_Y ? -1.0 : 1.0;
    return (right[y] + side * left[y]) + half * (right[-y] + side * left[-y]);
}

double psb_moment_exact(const psb_moment_basis *basis, const psb_moment_scratch *scratch, int k) {
    const int *class = class_of[basis->parity[k + 1]];
    double sum[2] = {scratch->grid[1 + PSB_DISC][PSB_DISC] * basis->part[0][k + 1][0], 0.0};
    int point = 1;
    for (int x = 0; x < PSB_DISC && x <= half_width(&scratch->touched); x++) {
        for (int y = x == 0, height = height_at(x); y < height; y++, point++) {
            for (int i = 0; i < 2 && y <= half_height(&scratch->touched); i++) {
                sum[i] += folded_at(scratch, class[i], x, y) * basis->part[i][k + 1][point];
            }
        }
    }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1]);
}
