/*
 * Functions f(rho) exp(i p theta) are even or odd in x and in y: cos(p theta) for even p is even in
 * both, for odd p odd in x; sin(p theta) is odd in y for odd p, odd in both for even p. So the grid
 * is folded onto one quadrant in four ways and each function needs one of them, on a quarter of the
 * points.
 */
#include "lightfield/moments.h"

#include "core/cpu.h"
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
        sum += (s % 2 == 0 ? term : -term) * pow(rho, n - 2 * s);
    }
    return sum;
}

static double radial_part(psb_moment_kind kind, function f, double rho) {
    return kind == PSB_ART ? cos(PI * f.radial * rho) : zernike(f.radial, f.p, rho);
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
    double theta = atan2(y, x); /* 0 at the middle */
    /* A point on an axis of the fold is counted once for each of its mirror images. */
    double share = (x == 0 && y > 0 ? 0.5 : 1.0) * (y == 0 && x > 0 ? 0.5 : 1.0);
    for (int k = 0; k < FUNCTIONS; k++) {
        double value = share * radial_part(kind, list[k], rho), angle = list[k].p * theta;
        double part[2] = {value * cos(angle), value * sin(angle)};
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
 * Weights of all pixels left of x within a row, for x = left ... right + 1, on the grid's columns:
 * whole[j] for j < column[x], then part[x][0] and part[x][1], then 0.
 */
typedef struct cumulative {
    int column[PSB_SIDE + 1];
    double part[PSB_SIDE + 1][2];
    double whole[PSB_MOMENT_PITCH];
} cumulative;

static void accumulate_columns(const psb_box *box, double centre, double scale,
                               cumulative *columns) {
    memset(columns->whole, 0, sizeof columns->whole);
    columns->column[box->left] = (int)((box->left - centre) * scale + PSB_DISC);
    columns->part[box->left][0] = columns->part[box->left][1] = 0.0;
    for (int x = box->left; x <= box->right; x++) {
        double at = (x - centre) * scale + PSB_DISC;
        int j = (int)at;
        columns->whole[j] += 1.0 - (at - j);
        columns->whole[j + 1] += at - j;
        columns->column[x + 1] = j;
        columns->part[x + 1][0] = columns->whole[j];
        columns->part[x + 1][1] = columns->whole[j + 1];
    }
}

/* Adds `weight` times the pixels left of x to grid row i. */
static void add_left_of(const cumulative *columns, int x, int i, double weight,
                        psb_moment_scratch *scratch) {
    int j = columns->column[x];
    scratch->step[j][i] += weight;
    scratch->sum[j][i] += weight * columns->part[x][0];
    scratch->sum[j + 1][i] += weight * columns->part[x][1];
}

/* The part of the grid that an image's pixels touch, rows and columns inclusive. */
typedef struct region {
    int left, right, bottom, top;
} region;

static region touched(const psb_box *box, const double centre[2], double scale) {
    region r = {(int)((box->left - centre[0]) * scale + PSB_DISC),
                (int)((box->right - centre[0]) * scale + PSB_DISC) + 1,
                (int)((box->bottom - centre[1]) * scale + PSB_DISC),
                (int)((box->top - centre[1]) * scale + PSB_DISC) + 1};
    return r;
}

/* Adds whole[j] times the steps at columns above j. */
static void resolve_steps(const cumulative *columns, const region *r, psb_moment_scratch *scratch) {
    double pending[PSB_MOMENT_PITCH] = {0.0};
    for (int j = r->right; j >= r->left; j--) {
        for (int i = r->bottom; i <= r->top; i++) {
            scratch->sum[j][i] += pending[i] * columns->whole[j];
            pending[i] += scratch->step[j][i];
        }
    }
}

/* Folds the grid, of which columns with |x| up to `width` hold something. */
PSB_INLINE void fold(psb_moment_scratch *scratch, int width, int which) {
    double *even = scratch->folded[EVEN], *odd_x = scratch->folded[ODD_X];
    double *odd_y = scratch->folded[ODD_Y], *odd_both = scratch->folded[ODD_BOTH];
    int at = 0, height = PSB_DISC;
    for (int x = 0; x < PSB_DISC && x <= width; x++) {
        const double *right = scratch->sum[PSB_DISC + x] + PSB_DISC;
        const double *left = scratch->sum[PSB_DISC - x] + PSB_DISC;
        while (x * x + (height - 1) * (height - 1) >= PSB_DISC * PSB_DISC) {
            height--; /* to height_at(x) */
        }
        for (int y = 0; y < height; y++, at++) {
            double even_above = right[y] + left[y], odd_above = right[y] - left[y];
            double even_below = right[-y] + left[-y], odd_below = right[-y] - left[-y];
            even[at] = even_above + even_below;
            odd_x[at] = odd_above + odd_below;
            odd_y[at] = even_above - even_below;
            odd_both[at] = odd_above - odd_below;
        }
    }
    /* At the middle the angle counts as 0, so that there no real part vanishes. */
    even[0] = odd_x[0] = scratch->sum[PSB_DISC][PSB_DISC];
    for (int class = 0; class < CLASSES; class ++) {
        double *folded = scratch->folded[class];
        memset(&folded[at], 0, sizeof scratch->folded[class] - (size_t)at * sizeof *folded);
        for (int chunk = 0; chunk < PSB_MOMENT_CHUNKS; chunk++, folded += PSB_MOMENT_CHUNK) {
            for (int i = 0; i < PSB_MOMENT_CHUNK; i++) {
                scratch->rounded[class][chunk][which][i] = (float)folded[i];
            }
        }
    }
}

PSB_VARIANTS(psb_fold_kernels, psb_fold_kernel, fold,
             (psb_moment_scratch * scratch, int width, int which), (scratch, width, which))

void psb_moment_splat(const psb_bitmap *image, const psb_box *box, const double centre[2],
                      double radius, psb_moment_scratch *scratch, int which) {
    double scale = radius > 0.0 ? PSB_DISC / radius : 0.0;
    cumulative columns;
    int width = 0;
    if (box->left <= box->right) {
        region r = touched(box, centre, scale);
        width = r.right - PSB_DISC > PSB_DISC - r.left ? r.right - PSB_DISC : PSB_DISC - r.left;
        int first = width < PSB_DISC ? PSB_DISC - width : 0;
        size_t bytes = (size_t)(PSB_DISC + width + 1 - first) * sizeof scratch->sum[0];
        memset(scratch->sum[first], 0, bytes);
        memset(scratch->step[first], 0, bytes);
        accumulate_columns(box, centre[0], scale, &columns);
        for (int y = box->bottom; y <= box->top; y++) {
            double at = (y - centre[1]) * scale + PSB_DISC;
            int i = (int)at;
            uint16_t ends[PSB_SIDE];
            int count = psb_row_runs(image->row[y], ends);
            for (int e = 0; e < count; e++) {
                double sign = e % 2 == 0 ? -1.0 : 1.0;
                add_left_of(&columns, ends[e], i, sign * (1.0 - (at - i)), scratch);
                add_left_of(&columns, ends[e], i + 1, sign * (at - i), scratch);
            }
        }
        resolve_steps(&columns, &r, scratch);
    } else {
        memset(scratch->sum[PSB_DISC], 0, sizeof scratch->sum[PSB_DISC]);
    }
    ((const psb_fold_kernel *)psb_cpu_choose(psb_fold_kernels))->fold(scratch, width, which);
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

double psb_moment_exact(const psb_moment_basis *basis, const psb_moment_scratch *scratch, int k) {
    const int *class = class_of[basis->parity[k + 1]];
    double sum[2] = {0.0};
    for (int point = 0; point < PSB_QUADRANT; point++) {
        for (int i = 0; i < 2; i++) {
            sum[i] += scratch->folded[class[i]][point] * basis->part[i][k + 1][point];
        }
    }
    return hypot(sum[0], sum[1]);
}
