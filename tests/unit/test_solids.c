/* Tests the parts of generated objects: closed, facing outward, and as large as geometry says. */
#include "../support/test.h"
#include "core/vector.h"
#include "synth/solids.h"

static psb_builder builder;

/* A coarse or a fine tessellation in a frame that is turned, moved and stretched. */
static void begin(int around, int grid) {
    psb_builder_restart(&builder, NULL);
    builder.around = around;
    builder.grid = grid;
    builder.smooth = grid;
    psb_move(&builder, 5, -3, 2);
    psb_turn(&builder, 0, 0.7);
    psb_turn(&builder, 1, -1.9);
    psb_turn(&builder, 2, 2.6);
    psb_stretch(&builder, 1, 2, 1);
}

typedef struct integrals {
    double volume;         /* positive where faces look outward */
    double vector_area[3]; /* 0 where the surface is closed */
} integrals;

static integrals integrate(void) {
    integrals sum = {0, {0, 0, 0}};
    const uint32_t *corners = psb_builder_corners(&builder);
    assert_int_equal(builder.status, PSB_OK);
    for (size_t i = 0; i < builder.nfaces; i++) {
        uint32_t size = psb_builder_sizes(&builder)[i];
        for (uint32_t k = 0; k < size; k++) {
            assert_true(corners[k] < builder.nvertices);
        }
        for (uint32_t k = 2; k < size; k++) {
            const double *a = psb_builder_vertices(&builder) + 3 * corners[0];
            double u[3], v[3], normal[3];
            psb_subtract(psb_builder_vertices(&builder) + 3 * corners[k - 1], a, u);
            psb_subtract(psb_builder_vertices(&builder) + 3 * corners[k], a, v);
            psb_cross(u, v, normal);
            sum.volume += psb_dot(a, normal) / 6;
            for (int axis = 0; axis < 3; axis++) {
                sum.vector_area[axis] += normal[axis] / 2;
            }
        }
        corners += size;
    }
    return sum;
}

/* Closed, and of this volume before the stretch of begin(), within a share of it. */
static void check_solid(double volume, double share) {
    integrals found = integrate();
    ASSERT_NEAR(psb_norm(found.vector_area), 0, 1e-9);
    ASSERT_NEAR(found.volume / 2, volume, share * volume);
}

/* Area of a regular polygon in a circle, as a share of the circle's. */
static double polygon_share(int n) {
    return n * sin(2 * M_PI / n) / (2 * M_PI);
}

static void boxes_and_prisms_are_exact(void **state) {
    (void)state;
    for (int grid = 1; grid <= 5; grid++) {
        begin(9, grid);
        psb_add_box(&builder, 1, 2, 3, 0.5, 0.7, 1.1);
        check_solid(0.5 * 0.7 * 1.1, 1e-12);
        assert_int_equal(builder.nfaces, 6 * grid * grid);
        begin(9, grid);
        psb_add_prism(&builder, 3, (const double[][2]){{0, 0}, {2, 0}, {0, 3}}, -1, 4);
        check_solid(15, 1e-12);
        begin(9, grid);
        const double wedge[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
        psb_add_loft(&builder, 2, 4, wedge);
        check_solid(1, 1e-12);
        begin(9, grid);
        psb_add_band(&builder, 4, (const double[][2]){{1, 0}, {0, 1}, {-1, 0}, {0, -1}},
                     (const double[][2]){{2, 0}, {0, 2}, {-2, 0}, {0, -2}}, 0, 3);
        check_solid(18, 1e-12);
    }
}

static void round_solids_are_those_of_their_polygons(void **state) {
    (void)state;
    for (int n = 3; n <= 40; n += 7) {
        double share = M_PI * polygon_share(n);
        begin(n, 1);
        psb_add_cone(&builder, -1, 2, 3, 1);
        check_solid(share * 4.0 / 3 * (4 + 2 + 1), 1e-12);
        begin(n, 1);
        psb_add_cone(&builder, 0, 2, 3, 0);
        check_solid(share * 4, 1e-12);
        begin(n, 1);
        psb_add_cone(&builder, 0, 0, 3, 2);
        check_solid(share * 4, 1e-12);
        begin(n, 1);
        psb_add_stick(&builder, (double[]){1, 1, 1}, (double[]){4, 5, 1}, 0.5, 0.5);
        check_solid(share * 0.25 * 5, 1e-12);
        begin(n, 1);
        psb_add_stick(&builder, (double[]){0, 0, 0}, (double[]){0, 0, 3}, 1, 0);
        check_solid(share, 1e-12);
    }
}

static void curved_solids_converge(void **state) {
    (void)state;
    begin(100, 1);
    psb_add_ball(&builder, 1, 2, 3, 1, 2, 0.5);
    check_solid(4 * M_PI / 3, 0.005);
    begin(100, 1);
    psb_add_torus(&builder, 2, 0.5, 0.25);
    check_solid(2 * M_PI * 2 * M_PI * 0.5 * 0.25, 0.005);
    /* A quarter circle of radius 3: by Pappus, as long as its middle line. */
    enum { POINTS = 60 };
    double path[POINTS][3];
    double radii[POINTS];
    for (int i = 0; i < POINTS; i++) {
        double angle = M_PI / 2 * i / (POINTS - 1);
        path[i][0] = 3 * cos(angle);
        path[i][1] = 0;
        path[i][2] = 3 * sin(angle);
        radii[i] = 0.4;
    }
    begin(100, 1);
    psb_add_tube(&builder, POINTS, (const double(*)[3])path, radii);
    check_solid(M_PI * 0.16 * 1.5 * M_PI, 0.005);
}

static void turned_curves_pass_through_their_points(void **state) {
    (void)state;
    const double points[][2] = {{0, 0}, {1, 0}, {1, 0}, {2, 1}, {1, 3}, {0, 4}};
    for (int smooth = 1; smooth <= 8; smooth++) {
        psb_builder_restart(&builder, NULL);
        builder.around = 8;
        builder.smooth = smooth;
        psb_add_turned(&builder, 6, points);
        assert_int_equal(builder.status, PSB_OK);
        /* Four pieces, as one of the five has no length; poles are one vertex, the rest eight. */
        assert_int_equal(builder.nvertices, 2 + 8 * (4 * smooth - 1));
        for (int i = 0; i < 6; i++) {
            double nearest = 1;
            for (size_t v = 0; v < builder.nvertices; v++) {
                const double *p = psb_builder_vertices(&builder) + 3 * v;
                nearest =
                    fmin(nearest, hypot(hypot(p[0], p[1]) - points[i][0], p[2] - points[i][1]));
            }
            ASSERT_NEAR(nearest, 0, 1e-12);
        }
    }
}

static void sheets_are_open(void **state) {
    (void)state;
    psb_builder_restart(&builder, NULL);
    const double points[6][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}};
    psb_add_sheet(&builder, 2, 3, points);
    assert_int_equal(builder.nfaces, 2);
    integrals found = integrate();
    ASSERT_NEAR(found.vector_area[2], 2, 1e-12);
}

static int end(void **state) {
    (void)state;
    psb_builder_free(&builder);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_and_prisms_are_exact),
        cmocka_unit_test(round_solids_are_those_of_their_polygons),
        cmocka_unit_test(curved_solids_converge),
        cmocka_unit_test(turned_curves_pass_through_their_points),
        cmocka_unit_test(sheets_are_open),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
