/* Tests EXT and REXT: exact areas by cell, expected largest distances, and invariances. */
#include "core/random.h"
#include "core/vector.h"
#include "fields/cell_slices.h"
#include "fields/shape.h"
#include "normalize/triangle_integrals.h"
#include "support/meshes.h"
#include "support/test.h"

enum { EXT_LENGTH = 136, REXT_LENGTH = 32 * 136 };

/* Puts more area into a slice of the cell (row, column). */
static void add_area(psb_cell_areas *cells, int row, int column, size_t slice, double area) {
    size_t cell = (size_t)(row * PSB_GRID + column), at = cell * cells->slices + slice;
    ((double *)cells->area.data)[cell * cells->step + slice] += area;
    ((uint64_t *)cells->occupied.data)[at / PSB_SLICE_WORD] |= (uint64_t)1 << at % PSB_SLICE_WORD;
}

static float first[REXT_LENGTH], second[REXT_LENGTH];

static double change(const char *spec, size_t length, const psb_mesh *a, const psb_mesh *b) {
    test_describe(spec, a, "model", first);
    test_describe(spec, b, "model", second);
    return test_row_distance(first, second, length);
}

/* Both descriptors: the surface decides, not its triangles. */
static void tessellation_does_not_matter(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(61, 120), fine = test_subdivide(&mesh);
    assert_true(change("EXT", EXT_LENGTH, &mesh, &fine) < 1e-6);
    assert_true(change("REXT", REXT_LENGTH, &mesh, &fine) < 1e-6);
    test_shuffle(&mesh, 5);
    assert_true(change("EXT", EXT_LENGTH, &mesh, &fine) < 1e-6);
    assert_true(change("REXT", REXT_LENGTH, &mesh, &fine) < 1e-6);
    psb_mesh_free(&mesh);
    psb_mesh_free(&fine);
}

static void sphere_has_one_coefficient(void **state) {
    (void)state;
    psb_mesh sphere = test_sphere(1.0, 96, 192);
    test_describe("EXT:points=100000000", &sphere, "sphere", first);
    ASSERT_NEAR(first[0], 1.0, 1e-4);
    for (int i = 1; i < EXT_LENGTH; i++) {
        ASSERT_NEAR(first[i], 0.0, 1e-2); /* facets, and slices of 1/128 */
    }
    psb_mesh_free(&sphere);
}

/* Sum over all cells; every number must be marked as occupied and not negative. */
static double area_in_cells(const psb_cell_areas *cells) {
    const double *area = cells->area.data;
    const uint64_t *occupied = cells->occupied.data;
    double sum = 0.0;
    for (size_t i = 0; i < PSB_CELLS * cells->slices; i++) {
        bool marked = occupied[i / PSB_SLICE_WORD] >> i % PSB_SLICE_WORD & 1;
        double here = area[i / cells->slices * cells->step + i % cells->slices];
        assert_true(marked ? here >= 0.0 : here == 0.0);
        sum += here;
    }
    return sum;
}

static double area_in(const psb_cell_areas *cells, int row, int column) {
    const double *area = cells->area.data;
    double sum = 0.0;
    for (size_t s = 0; s < cells->slices; s++) {
        sum += area[(size_t)(row * PSB_GRID + column) * cells->step + s];
    }
    return sum;
}

static double area_of(const psb_mesh *mesh) {
    double sum = 0.0;
    for (size_t i = 0; i < mesh->ntriangles; i++) {
        const uint32_t *t = mesh->triangles + 3 * i;
        sum += psb_triangle_area(mesh->vertices + 3 * t[0], mesh->vertices + 3 * t[1],
                                 mesh->vertices + 3 * t[2]);
    }
    return sum;
}

static psb_cell_areas fill(const psb_mesh *mesh, int pole, psb_cell_areas cells) {
    psb_error error;
    assert_int_equal(psb_cell_areas_fill(mesh, mesh->vertices, pole, 0.0, &cells, &error), PSB_OK);
    return cells;
}

/* Cells share out the whole area, whichever axis is the pole; what was in them before is gone. */
static void cells_hold_the_area(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(63, 80);
    const double matrix[3][3] = {{0.3, 0, 0}, {0, 0.3, 0}, {0, 0, 0.3}};
    const double shift[3] = {-0.3, -0.2, -0.1};
    test_transform(&mesh, matrix, shift);
    psb_cell_areas cells = {0};
    const double larger[3][3] = {{3, 0, 0}, {0, 3, 0}, {0, 0, 3}}, none[3] = {0, 0, 0};
    for (int pole = 0; pole < 3; pole++) {
        cells = fill(&mesh, pole, cells);
        double expected = area_of(&mesh);
        ASSERT_NEAR(area_in_cells(&cells), expected, 1e-12 * expected);
        test_transform(&mesh, larger, none); /* other slices, and more of them */
    }
    psb_cell_areas_free(&cells);
    psb_mesh_free(&mesh);
}

/* One triangle at a time in places where directions are undefined or on a border. */
static void special_places_hold_the_area(void **state) {
    (void)state;
    static double places[][9] = {
        {-1, -1, 0.5, 1, -1, 0.6, 0, 1, 0.4},           /* around the axis */
        {-1, -1, 0, 1, -1, 0, 0, 1, 0},                 /* around the centre */
        {-1, -1, -1, 1, -1, 1, 0, 1, 0.2},              /* close to the centre, both poles */
        {-1, 0, -1, 1, 0, -1, 0.2, 0, 1},               /* in the plane of a meridian */
        {0.1, 0, -1, 1, 0, -1, 0.2, 0, 1},              /* the same beside the axis */
        {0, 0, -1, 1, 0, 0, 0, 0, 1},                   /* with an edge on the axis */
        {0, 0, -1, 0.3, 0.4, 0, 0, 0, 1},               /* the same within a column */
        {0, 0, 0.7, 0.9, 0.2, 0.7, 0.2, 0.9, 0.7},      /* a corner on the axis */
        {0, 0, 0, 0.9, 0.2, 0.7, 0.2, 0.9, 0.1},        /* a corner in the centre */
        {0.5, 0, 0.1, -0.5, 0, 0.1, 0, 0.6, 0.1},       /* an edge across the axis */
        {1e-17, 2e-17, 1, 1, 1e-17, 0, 0.5, 1e-17, -1}, /* rounding instead of zeros */
        {0.5, 0.1, 0.1, 0.6, 0.1, 0.1, 400, 90, 3},     /* far out */
        {5, 1, 1, 6, 1, 1, 4000, 900, 3},               /* beyond all slices */
        {0.5, 0.5, 0.5, 0.5, 0.5, 0.5 + 1e-9, -0.7, 0.1, -0.3}, /* a needle */
        {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, -0.7, 0.1, -0.3},        /* no area */
    };
    uint32_t corners[] = {0, 1, 2};
    psb_cell_areas cells = {0};
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        psb_mesh mesh = {3, places[p], 1, corners, 1};
        for (int pole = 0; pole < 3; pole++) {
            cells = fill(&mesh, pole, cells);
            double expected = area_of(&mesh);
            ASSERT_NEAR(area_in_cells(&cells), expected, 1e-12 * expected + 1e-15);
        }
    }
    psb_cell_areas_free(&cells);
}

/* What lies in the plane of a meridian belongs to both columns beside it. */
static void meridians_share(void **state) {
    (void)state;
    double points[] = {-0.5, 0, -0.5, 0.9, 0, -0.6, 0.2, 0, 0.7};
    uint32_t corners[] = {0, 1, 2};
    psb_mesh mesh = {3, points, 1, corners, 1};
    psb_cell_areas cells = fill(&mesh, 2, (psb_cell_areas){0});
    double sum = 0.0;
    for (int row = 0; row < PSB_CELL_ROWS; row++) {
        double front = area_in(&cells, row, 0), back = area_in(&cells, row, 31);
        ASSERT_NEAR(area_in(&cells, row, 63), front, 1e-15);
        ASSERT_NEAR(area_in(&cells, row, 32), back, 1e-15);
        sum += 2.0 * (front + back);
    }
    ASSERT_NEAR(sum, area_of(&mesh), 1e-12);
    assert_true(area_in(&cells, 32, 0) > 0.0 && area_in(&cells, 32, 31) > 0.0);
    psb_cell_areas_free(&cells);
}

/* Many small triangles, each put whole where its middle lies, by angles and distance. */
static void fill_by_middles(const psb_mesh *mesh, psb_cell_areas *cells) {
    psb_error error;
    assert_int_equal(psb_cell_areas_clear(cells, 2 * PSB_BALL_SLICES, &error), PSB_OK);
    for (size_t i = 0; i < mesh->ntriangles; i++) {
        const uint32_t *t = mesh->triangles + 3 * i;
        const double *a = mesh->vertices + 3 * t[0], *b = mesh->vertices + 3 * t[1];
        const double *c = mesh->vertices + 3 * t[2];
        double m[3];
        for (int k = 0; k < 3; k++) {
            m[k] = (a[k] + b[k] + c[k]) / 3.0;
        }
        double azimuth = atan2(m[1], m[0]), polar = acos(m[2] / psb_norm(m));
        size_t slice = 0;
        while (psb_slice_radius(slice + 1) <= psb_norm(m)) {
            slice++;
        }
        int column = (int)((azimuth < 0.0 ? azimuth + 2.0 * M_PI : azimuth) * 32.0 / M_PI) % 64;
        add_area(cells, (int)(polar * 64.0 / M_PI + 0.5), column, slice,
                 psb_triangle_area(a, b, c));
    }
}

/*
 * Borders are planes instead of cones and spheres, which must not matter: distances as from areas
 * found by trigonometry.
 */
static void cells_are_where_angles_say(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(71, 24);
    const double matrix[3][3] = {{0.4, 0, 0}, {0, 0.5, 0}, {0, 0, 0.6}};
    const double shift[3] = {-0.4, -0.3, -0.2};
    test_transform(&mesh, matrix, shift);
    psb_cell_areas cells = fill(&mesh, 2, (psb_cell_areas){0}), reference = {0};
    psb_mesh fine = test_subdivide(&mesh);
    for (int times = 0; times < 5; times++) {
        psb_mesh finer = test_subdivide(&fine);
        psb_mesh_free(&fine);
        fine = finer;
    }
    fill_by_middles(&fine, &reference);
    enum { SHELL_NODES = PSB_SHELLS * PSB_NODES };
    double *values[2];
    for (int i = 0; i < 2; i++) {
        values[i] = malloc(2 * (size_t)SHELL_NODES * sizeof *values[i]);
        assert_non_null(values[i]);
        psb_extent_distances(i == 0 ? &cells : &reference, 6000.0 / area_of(&mesh),
                             values[i] + SHELL_NODES, values[i]);
    }
    double difference = 0.0, norm = 0.0;
    for (size_t i = 0; i < SHELL_NODES + PSB_NODES; i++) {
        difference += (values[0][i] - values[1][i]) * (values[0][i] - values[1][i]);
        norm += values[1][i] * values[1][i];
    }
    assert_true(sqrt(difference / norm) < 0.03);
    free(values[0]);
    free(values[1]);
    psb_cell_areas_free(&reference);
    psb_cell_areas_free(&cells);
    psb_mesh_free(&fine);
    psb_mesh_free(&mesh);
}

/*
 * The closed form against what it stands for: many draws of a sparse random set of points, for one
 * node whose area by distance is known.
 */
static void expectation_equals_drawing_points(void **state) {
    (void)state;
    psb_cell_areas cells = {0};
    psb_error error;
    assert_int_equal(psb_cell_areas_clear(&cells, PSB_BALL_SLICES, &error), PSB_OK);
    static const struct {
        size_t slice;
        double area;
    } holds[] = {{20, 0.004}, {21, 0.002}, {70, 0.003}, {101, 0.001}};
    const double density = 400.0;
    enum { ROW = 30, COLUMN = 10 }; /* seen by node (ROW, COLUMN) among others */
    for (int h = 0; h < 4; h++) {
        add_area(&cells, ROW, COLUMN, holds[h].slice, holds[h].area);
    }
    double *whole = malloc(PSB_NODES * sizeof *whole);
    double *shells = malloc((size_t)PSB_SHELLS * PSB_NODES * sizeof *shells);
    assert_true(whole != NULL && shells != NULL);
    psb_extent_distances(&cells, density, whole, shells);
    psb_random random = psb_random_seeded(1, "points", "test");
    const int draws = 200000;
    double mean = 0.0;
    for (int d = 0; d < draws; d++) {
        double farthest = 0.0;
        for (int h = 0; h < 4; h++) {
            /* Poisson by products of uniform numbers (Knuth). */
            double limit = exp(-density * holds[h].area), product = psb_random_unit(&random);
            while (product > limit) {
                double u = psb_random_unit(&random);
                double r = psb_slice_radius(holds[h].slice) * (1.0 - u) +
                           psb_slice_radius(holds[h].slice + 1) * u;
                farthest = fmax(farthest, r);
                product *= psb_random_unit(&random);
            }
        }
        mean += farthest / draws;
    }
    ASSERT_NEAR(whole[(size_t)ROW * PSB_GRID + COLUMN], mean, 2e-3);
    ASSERT_NEAR(whole[(size_t)(ROW + 10) * PSB_GRID + COLUMN], 0.0, 0.0);
    free(shells);
    free(whole);
    psb_cell_areas_free(&cells);
}

/* One slice, by the library's functions, from next to no points to more than anyone counts. */
static void one_slice_has_a_closed_form(void **state) {
    (void)state;
    psb_cell_areas cells = {0};
    psb_error error;
    double *whole = malloc(PSB_NODES * sizeof *whole);
    double *shells = malloc((size_t)PSB_SHELLS * PSB_NODES * sizeof *shells);
    assert_true(whole != NULL && shells != NULL);
    static const size_t slices[] = {0, 77, 150}; /* the last one outside of all shells */
    for (double n = 1e-9; n < 1e9; n *= 1.7) {
        for (int k = 0; k < 3; k++) {
            size_t slice = slices[k];
            assert_int_equal(psb_cell_areas_clear(&cells, 200, &error), PSB_OK);
            add_area(&cells, 64, 10, slice, 0.25 * n);
            psb_extent_distances(&cells, 4.0, whole, shells);
            double begin = psb_slice_radius(slice), end = psb_slice_radius(slice + 1);
            double some = -expm1(-n);
            double expected = begin * some + (end - begin) * (1.0 - some / n);
            double tolerance = 1e-9 * expected + 1e-17;
            ASSERT_NEAR(whole[63 * PSB_GRID + 10], expected, tolerance);
            ASSERT_NEAR(whole[63 * PSB_GRID + 11], expected, tolerance);
            ASSERT_NEAR(whole[63 * PSB_GRID + 42], expected, tolerance); /* over the pole */
            ASSERT_NEAR(shells[(63 * PSB_SHELLS + 77 / PSB_SHELL_SLICES) * PSB_GRID + 10],
                        slice == 77 ? expected : 0.0, tolerance);
        }
    }
    free(shells);
    free(whole);
    psb_cell_areas_free(&cells);
}

/* Area so little that its expected number of points is 0 in double: no points, not 0 / 0. */
static void vanishing_area_is_none(void **state) {
    (void)state;
    psb_cell_areas cells = {0};
    psb_error error;
    double *whole = malloc(PSB_NODES * sizeof *whole);
    double *shells = malloc((size_t)PSB_SHELLS * PSB_NODES * sizeof *shells);
    assert_true(whole != NULL && shells != NULL);
    assert_int_equal(psb_cell_areas_clear(&cells, 200, &error), PSB_OK);
    add_area(&cells, 64, 10, 77, 5e-324);
    psb_extent_distances(&cells, 0.25, whole, shells);
    assert_true(whole[63 * PSB_GRID + 10] == 0.0);
    free(shells);
    free(whole);
    psb_cell_areas_free(&cells);
}

/* All versions for this processor give the same bits: slices side by side and alone, near and far.
 */
static void versions_agree(void **state) {
    (void)state;
    enum { NUMBERS = (PSB_SHELLS + 1) * PSB_NODES };
    psb_cell_areas cells = {0};
    psb_error error;
    psb_random random = psb_random_seeded(5, "extent", "versions");
    double *numbers[2] = {malloc(NUMBERS * sizeof(double)), malloc(NUMBERS * sizeof(double))};
    assert_true(numbers[0] != NULL && numbers[1] != NULL);
    assert_int_equal(psb_cell_areas_clear(&cells, 200, &error), PSB_OK);
    for (int n = 0; n < 20000; n++) {
        int cell = (int)psb_random_below(&random, PSB_CELLS);
        double area = exp(30.0 * psb_random_unit(&random) - 27.0);
        add_area(&cells, cell / PSB_GRID, cell % PSB_GRID, psb_random_below(&random, 200), area);
    }
    bool compared = false;
    for (int v = 0; psb_extent_kernels[v] != NULL; v++) {
        const psb_extent_kernel *kernel = (const void *)psb_extent_kernels[v];
        if (psb_cpu_has(kernel->variant.needs)) {
            double *to = numbers[compared];
            kernel->run(&cells, 2.0, to, to + PSB_NODES);
            assert_memory_equal(to, numbers[0], NUMBERS * sizeof(double));
            compared = true;
        }
    }
    free(numbers[0]);
    free(numbers[1]);
    psb_cell_areas_free(&cells);
}

/* The area of a convex polygon of (distance, a, b) that lies nearer than a level. */
static double area_nearer(const double (*corner)[3], int n, double level) {
    double kept[2 * PSB_PART_CORNERS][3], sum = 0.0;
    int m = 0;
    for (int v = 0; v < n; v++) {
        const double *p = corner[v], *q = corner[(v + 1) % n];
        if (p[0] < level) {
            memcpy(kept[m++], p, sizeof kept[0]);
        }
        if ((p[0] < level) != (q[0] < level)) {
            double part = (level - p[0]) / (q[0] - p[0]);
            for (int k = 0; k < 3; k++) {
                kept[m][k] = p[k] + part * (q[k] - p[k]);
            }
            m++;
        }
    }
    for (int v = 2; v < m; v++) {
        sum += (kept[v - 1][1] - kept[0][1]) * (kept[v][2] - kept[0][2]) -
               (kept[v - 1][2] - kept[0][2]) * (kept[v][1] - kept[0][1]);
    }
    return fabs(sum);
}

enum { SLICED_CELLS = 3, SLICED = 192 };

/* Adds a random piece, and by clipping its triangles what each slice has of it. */
static void make_piece(psb_random *random, const double *level, psb_cell_pieces *pieces,
                       double expected[SLICED_CELLS][SLICED]) {
    double corner[PSB_PART_CORNERS][3], triangle[3][3];
    psb_cell_vertex vertex[PSB_PART_CORNERS];
    const psb_cell_vertex *part[PSB_PART_CORNERS];
    bool many = psb_random_below(random, 4) == 0;
    int corners = 3 + (int)psb_random_below(random, many ? PSB_PART_CORNERS - 2 : 2);
    double base = 160.0 * psb_random_unit(random);
    double range = pow(10.0, 4.0 * psb_random_unit(random) - 2.0);
    for (int v = 0; v < corners; v++) {
        corner[v][0] = base + range * psb_random_unit(random);
        if (psb_random_below(random, 4) == 0) {
            corner[v][0] = floor(corner[v][0]); /* on the border of slices of the ball */
        }
        for (int k = 0; k < 2; k++) {
            corner[v][k + 1] = psb_random_unit(random);
        }
        vertex[v] = (psb_cell_vertex){{corner[v][1], corner[v][2], corner[v][0], 0.0}, 0, 0};
        part[v] = &vertex[v];
    }
    double scale = psb_random_unit(random);
    uint32_t cell = (uint32_t)psb_random_below(random, SLICED_CELLS);
    psb_pieces_add(pieces, (psb_polygon){part, corners}, (const double[2]){1.0, 0.0},
                   (const int[2]){PSB_X, PSB_Y}, scale, cell);
    for (int v = 2; v < corners; v++) {
        memcpy(triangle[0], corner[0], sizeof triangle[0]);
        memcpy(triangle[1], corner[v - 1], 2 * sizeof triangle[0]);
        for (int s = 0; s < SLICED; s++) {
            expected[cell][s] += scale * (area_nearer(triangle, 3, level[s + 1]) -
                                          area_nearer(triangle, 3, level[s]));
        }
    }
}

/* Pieces of any form, in the ball and beyond, and two on the same slices: each kernel alike. */
static void slices_share_out_pieces(void **state) {
    (void)state;
    static double level[PSB_LEVELS], expected[SLICED_CELLS][SLICED];
    static psb_cell_pieces pieces[40];
    psb_random random = psb_random_seeded(8, "pieces", "slices");
    psb_error error;
    psb_slice_levels(SLICED, level);
    for (size_t b = 0; b < 40; b++) {
        while (pieces[b].n < (int)b % PSB_PIECES + 1 && psb_pieces_have_room(&pieces[b])) {
            make_piece(&random, level, &pieces[b], expected);
        }
    }
    psb_cell_areas cells[2] = {{0}, {0}};
    int compared = 0;
    for (const psb_variant *const *v = psb_slice_kernels; *v != NULL; v++) {
        psb_cell_areas *to = &cells[compared > 0];
        if (psb_cpu_has((*v)->needs)) {
            assert_int_equal(psb_cell_areas_clear(to, SLICED, &error), PSB_OK);
            for (size_t b = 0; b < 40; b++) {
                ((const psb_slice_kernel *)*v)->run(level, &pieces[b], to);
            }
            size_t bytes = PSB_CELLS * sizeof(double);
            assert_memory_equal(to->area.data, cells[0].area.data, to->step * bytes);
            assert_memory_equal(to->occupied.data, cells[0].occupied.data, SLICED * bytes / 64);
            compared++;
        }
    }
    area_in_cells(&cells[0]); /* every number is marked */
    for (size_t i = 0; i < SLICED_CELLS * SLICED; i++) {
        const double *cell = (double *)cells[0].area.data + i / SLICED * cells[0].step;
        ASSERT_NEAR(cell[i % SLICED], expected[i / SLICED][i % SLICED], 1e-11);
    }
    psb_cell_areas_free(&cells[0]);
    psb_cell_areas_free(&cells[1]);
}

static void angles_are_those_of_the_library(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(9, "angles", "extent");
    for (int round = 0; round < 2000; round++) {
        double x[PSB_ANGLES], y[PSB_ANGLES], angle[PSB_ANGLES];
        for (int i = 0; i < PSB_ANGLES; i++) {
            x[i] = i % 5 == 1 ? 0.0 : psb_random_unit(&random) - 0.5;
            y[i] = i % 7 == 1 ? 0.0 : psb_random_unit(&random) - 0.5;
        }
        for (const psb_variant *const *v = psb_angle_kernels; *v != NULL; v++) {
            if (psb_cpu_has((*v)->needs)) {
                ((const psb_angle_kernel *)*v)->run(x, y, angle);
                for (int i = 0; i < PSB_ANGLES; i++) {
                    double expected = atan2(y[i], x[i]);
                    ASSERT_NEAR(angle[i], expected < 0.0 ? expected + 2.0 * M_PI : expected, 1e-7);
                    assert_true(angle[i] == psb_direction_angle(x[i], y[i]));
                }
            }
        }
    }
}

/* With points beyond number: each node's distance is the outermost non-empty shell's. */
static void outermost_shell_is_the_extent(void **state) {
    (void)state;
    psb_mesh sphere = test_sphere(1.0, 12, 24); /* facets: many distances, all below 1 */
    psb_cell_areas cells = {0};
    psb_error error;
    const double half[3][3] = {{0.6, 0, 0}, {0, 0.5, 0}, {0, 0, 0.9}};
    const double none[3] = {0, 0, 0};
    test_transform(&sphere, half, none);
    assert_int_equal(psb_cell_areas_fill(&sphere, sphere.vertices, 2, 1e-9, &cells, &error),
                     PSB_OK);
    double *whole = malloc(PSB_NODES * sizeof *whole);
    double *shells = malloc((size_t)PSB_SHELLS * PSB_NODES * sizeof *shells);
    assert_true(whole != NULL && shells != NULL);
    psb_extent_distances(&cells, 1e12, whole, shells);
    for (size_t j = 0; j < PSB_GRID; j++) {
        for (size_t i = 0; i < PSB_GRID; i++) {
            double outermost = 0.0;
            for (size_t s = 0; s < PSB_SHELLS; s++) {
                double r = shells[(j * PSB_SHELLS + s) * PSB_GRID + i];
                outermost = r > 0.0 ? r : outermost;
            }
            ASSERT_NEAR(whole[j * PSB_GRID + i], outermost, 1e-9);
            /* And it is the ellipsoid's, up to a facet and a slice. */
            double polar = M_PI * (2.0 * (double)j + 1.0) / 128.0;
            double azimuth = 2.0 * M_PI * (double)i / 64.0;
            double u[3] = {sin(polar) * cos(azimuth) / 0.6, sin(polar) * sin(azimuth) / 0.5,
                           cos(polar) / 0.9};
            ASSERT_NEAR(outermost, 1.0 / psb_norm(u), 0.07);
        }
    }
    free(shells);
    free(whole);
    psb_cell_areas_free(&cells);
    psb_mesh_free(&sphere);
}

/* The pose turns every axis to its larger side, so a mirror image has the same rows. */
static void mirror_images_are_equal(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(67, 90), mirrored = test_copy(&mesh);
    const double mirror[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    const double none[3] = {0, 0, 0};
    test_transform(&mirrored, mirror, none);
    assert_true(change("EXT", EXT_LENGTH, &mesh, &mirrored) < 1e-6);
    assert_true(change("REXT", REXT_LENGTH, &mesh, &mirrored) < 1e-6);
    psb_mesh_free(&mesh);
    psb_mesh_free(&mirrored);
}

/*
 * Turning an axis over multiplies coefficients by -1 or conjugates them: magnitudes and the sum
 * |Re| + |Im| stay, full coefficients do not.
 */
static void forms_under_turned_axes(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(3, "forms", "test");
    psb_coefficients a, turned[3];
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int m = 0; m <= l; m++) {
            double *c = a[psb_lm(l, m)];
            c[0] = psb_random_unit(&random) - 0.5;
            c[1] = m > 0 ? psb_random_unit(&random) - 0.5 : 0.0;
            /* z -> -z; y -> -y; x -> -x (azimuth -> pi - azimuth) */
            double flip = (l + m) % 2 == 0 ? 1.0 : -1.0, half = m % 2 == 0 ? 1.0 : -1.0;
            const double images[3][2] = {
                {flip * c[0], flip * c[1]}, {c[0], -c[1]}, {half * c[0], -half * c[1]}};
            for (int k = 0; k < 3; k++) {
                memcpy(turned[k][psb_lm(l, m)], images[k], sizeof images[k]);
            }
        }
    }
    static const psb_form forms[] = {PSB_FORM_MAGNITUDE, PSB_FORM_SUM};
    for (int f = 0; f < 2; f++) {
        double before[PSB_FULL], after[PSB_FULL];
        psb_harmonics_store(a, forms[f], before);
        for (int k = 0; k < 3; k++) {
            psb_harmonics_store(turned[k], forms[f], after);
            for (size_t i = 0; i < psb_form_length(forms[f]); i++) {
                ASSERT_NEAR(after[i], before[i], 1e-15);
            }
        }
    }
}

/* A needle far thinner than a cell still counts, by its area. */
static void thin_parts_are_not_missed(void **state) {
    (void)state;
    psb_mesh needle = test_box(4, 1e-5, 1e-5), rod = test_box(4, 1e-3, 1e-3);
    assert_true(change("EXT", EXT_LENGTH, &needle, &rod) < 0.05);
    psb_mesh_free(&needle);
    psb_mesh_free(&rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tessellation_does_not_matter),
        cmocka_unit_test(sphere_has_one_coefficient),
        cmocka_unit_test(cells_hold_the_area),
        cmocka_unit_test(special_places_hold_the_area),
        cmocka_unit_test(meridians_share),
        cmocka_unit_test(cells_are_where_angles_say),
        cmocka_unit_test(expectation_equals_drawing_points),
        cmocka_unit_test(one_slice_has_a_closed_form),
        cmocka_unit_test(vanishing_area_is_none),
        cmocka_unit_test(versions_agree),
        cmocka_unit_test(slices_share_out_pieces),
        cmocka_unit_test(angles_are_those_of_the_library),
        cmocka_unit_test(outermost_shell_is_the_extent),
        cmocka_unit_test(mirror_images_are_equal),
        cmocka_unit_test(forms_under_turned_axes),
        cmocka_unit_test(thin_parts_are_not_missed),
    };
    return cmocka_run_group_tests_name("extent", tests, NULL, NULL);
}
