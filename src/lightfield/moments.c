/*
 * Functions f(rho) exp(i p theta) are even or odd in x and in y: cos(p theta) for even p is even in
 * both, for odd p odd in x; sin(p theta) is odd in y for odd p, odd in both for even p. So the grid
 * is folded onto one quadrant in four ways and each function needs one of them, on a quarter of the
 * points.
 */
#include "lightfield/moments.h"

#include "core/elementary.h"
#include "core/linear.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum {
    FUNCTIONS = PSB_MOMENTS + 1, /* with the area */
    RADIALS = 3,                 /* of the angular radial transform */
    DEGREES = 11,                /* Zernike: n = 0 ... 10 */
    COLUMNS = 21,                /* functions with one parity of p, at most */
};

static const double PI = 3.14159265358979323846;

/* Classes of the real and the imaginary parts, by the parity of p. */
static const int class_of[2][2] = {{PSB_EVEN, PSB_ODD_BOTH}, {PSB_ODD_X, PSB_ODD_Y}};

/* Function k has the same place, column[k], among the real parts with this parity of p and among
 * the imaginary parts. */
struct psb_moment_basis {
    int parity[FUNCTIONS], column[FUNCTIONS], count[2];
    double part[2][FUNCTIONS][PSB_QUADRANT]; /* real, imaginary */
    /* By point and, without gaps, by column; 0 at the end. */
    float rounded[PSB_CLASSES][PSB_MOMENT_CHUNKS][PSB_MOMENT_CHUNK * COLUMNS];
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
        int place = (int)point % PSB_MOMENT_CHUNK * basis->count[basis->parity[k]];
        for (int i = 0; i < 2; i++) {
            basis->part[i][k][point] = part[i];
            basis->rounded[class_of[basis->parity[k]][i]][point / PSB_MOMENT_CHUNK]
                          [place + basis->column[k]] = (float)part[i];
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

PSB_SET_KERNELS(psb_fold_kernels, psb_fold_kernel, psb_fold)

/* Clears what a fold reads: the touched columns and rows, and seven rows beyond. */
static void clear(psb_moment_scratch *scratch) {
    const int width = psb_moment_width(&scratch->touched),
              height = psb_moment_height(&scratch->touched) + 8;
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
 * A sum in float32 has PSB_MOMENT_CHUNK terms, which BLAS adds in any order; beside it the two
 * factors and some to spare are rounded. Functions are at most 1, weights add up to the number of
 * pixels, and a magnitude has two parts.
 */
const double psb_moment_slack = 1.4143 * (PSB_MOMENT_CHUNK + 8.0) * 0x1p-24;

/* sum[m][column] = product of image m's folded grid with the functions of a class. */
static void multiply(const psb_moment_basis *basis, const psb_moment_scratch *scratch, int class,
                     size_t count, double sum[PSB_MOMENT_IMAGES][COLUMNS]) {
    memset(sum, 0, PSB_MOMENT_IMAGES * sizeof sum[0]);
    for (int chunk = 0; chunk < PSB_MOMENT_CHUNKS; chunk++) {
        float part[PSB_MOMENT_IMAGES][COLUMNS] = {{0}};
        psb_rough_product(PSB_MOMENT_IMAGES, (int)count, PSB_MOMENT_CHUNK,
                          scratch->rounded[class][chunk][0], basis->rounded[class][chunk], false,
                          part[0], COLUMNS);
        for (int m = 0; m < PSB_MOMENT_IMAGES; m++) {
            for (int column = 0; column < COLUMNS; column++) {
                sum[m][column] += (double)part[m][column];
            }
        }
    }
}

void psb_moment_magnitudes(const psb_moment_basis *basis, const psb_moment_scratch *scratch,
                           double moment[PSB_MOMENT_IMAGES][PSB_MOMENTS]) {
    double sum[PSB_CLASSES][PSB_MOMENT_IMAGES][COLUMNS];
    for (int i = 0; i < PSB_CLASSES; i++) {
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
    double side = class & PSB_ODD_X ? -1.0 : 1.0, half = class & PSB_ODD_Y ? -1.0 : 1.0;
    return (right[y] + side * left[y]) + half * (right[-y] + side * left[-y]);
}

double psb_moment_exact(const psb_moment_basis *basis, const psb_moment_scratch *scratch, int k) {
    const int *class = class_of[basis->parity[k + 1]];
    double sum[2] = {scratch->grid[1 + PSB_DISC][PSB_DISC] * basis->part[0][k + 1][0], 0.0};
    int point = 1;
    for (int x = 0; x < PSB_DISC && x <= psb_moment_width(&scratch->touched); x++) {
        for (int y = x == 0, height = height_at(x); y < height; y++, point++) {
            for (int i = 0; i < 2 && y <= psb_moment_height(&scratch->touched); i++) {
                sum[i] += folded_at(scratch, class[i], x, y) * basis->part[i][k + 1][point];
            }
        }
    }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1]);
}
