/*
 * Tests that a polygon has its area whichever corner comes first and whichever way it runs, in
 * every format that has polygons, and that convex polygons are the fans that they were.
 */
#include "core/random.h"
#include "core/text.h"
#include "core/vector.h"
#include "io/mesh.h"
#include "support/test.h"

#include <math.h>

enum { MOST = 60 };

typedef struct polygon {
    size_t n;
    double corner[MOST][3];
} polygon;

/* ---- shapes in the plane, turned in space -------------------------------------------------- */

static void lift(psb_random *random, polygon *p) {
    double u[3], v[3], w[3], shift = psb_random_unit(random);
    for (int k = 0; k < 3; k++) {
        u[k] = psb_random_unit(random) - 0.5;
        v[k] = psb_random_unit(random) - 0.5;
    }
    psb_cross(u, v, w);
    psb_normalize(u);
    psb_cross(w, u, v);
    psb_normalize(v);
    for (size_t i = 0; i < p->n; i++) {
        double x = p->corner[i][0], y = p->corner[i][1];
        for (int k = 0; k < 3; k++) {
            p->corner[i][k] = x * u[k] + y * v[k] + shift;
        }
    }
}

/* All corners are seen from the origin: radii `least` to 1; a circle for 1. */
static void make_star(psb_random *random, polygon *p, double least) {
    p->n = 4 + (size_t)psb_random_below(random, MOST - 4);
    for (size_t i = 0; i < p->n; i++) {
        double angle = 6.283185307179586 * (double)i / (double)p->n;
        double radius = least + (1 - least) * psb_random_unit(random);
        p->corner[i][0] = radius * cos(angle);
        p->corner[i][1] = radius * sin(angle);
    }
}

/* A band that winds around the origin: no place sees all corners. */
static void make_spiral(psb_random *random, polygon *p) {
    size_t half = 8 + (size_t)psb_random_below(random, MOST / 2 - 8);
    double step = 0.2 + 0.3 * psb_random_unit(random);
    p->n = 2 * half;
    for (size_t i = 0; i < half; i++) {
        double angle = step * (double)i, radius = 1 + 0.3 * angle;
        for (int side = 0; side < 2; side++) {
            double *c = p->corner[side == 0 ? i : p->n - 1 - i];
            c[0] = (radius + 0.8 * side) * cos(angle);
            c[1] = (radius + 0.8 * side) * sin(angle);
        }
    }
}

/* A row of teeth, right-angled, with corners in the midst of straight sides. */
static void make_comb(psb_random *random, polygon *p) {
    size_t teeth = 2 + (size_t)psb_random_below(random, 8);
    p->n = 0;
    for (size_t i = 0; i < teeth; i++) {
        const double x = 2 * (double)i, teeth_of[4][2] = {{x, 0}, {x, 3}, {x + 1, 3}, {x + 1, 0}};
        for (int c = 0; c < 4; c++, p->n++) {
            p->corner[p->n][0] = teeth_of[c][0];
            p->corner[p->n][1] = teeth_of[c][1];
        }
    }
    for (size_t i = 0; i < teeth + 1; i++, p->n++) {
        p->corner[p->n][0] = (2 * (double)teeth - 1) * (1 - (double)i / (double)teeth);
        p->corner[p->n][1] = -1;
    }
}

/* ---- files --------------------------------------------------------------------------------- */

/* Begins with corner `first` and runs backwards if `turned`. */
static size_t index_at(const polygon *p, size_t i, size_t first, bool turned) {
    return (turned ? first + p->n - i : first + i) % p->n;
}

static void write_file(const polygon *p, size_t first, bool turned, int format, psb_text *out) {
    if (format == 0) {
        psb_text_printf(out, "OFF\n%zu 1 0\n", p->n);
    } else if (format == 2) {
        psb_text_printf(out,
                        "ply\nformat ascii 1.0\nelement vertex %zu\nproperty double x\n"
                        "property double y\nproperty double z\nelement face 1\n"
                        "property list uchar int vertex_indices\nend_header\n",
                        p->n);
    }
    for (size_t i = 0; i < p->n; i++) {
        const double *c = p->corner[i];
        psb_text_printf(out, "%s%.17g %.17g %.17g\n", format == 1 ? "v " : "", c[0], c[1], c[2]);
    }
    if (format == 1) {
        psb_text_add(out, "f");
    } else {
        psb_text_printf(out, "%zu", p->n);
    }
    for (size_t i = 0; i < p->n; i++) {
        psb_text_printf(out, " %zu", index_at(p, i, first, turned) + (format == 1 ? 1 : 0));
    }
    psb_text_add(out, "\n");
}

static void read_file(const polygon *p, size_t first, bool turned, int format,
                      psb_mesh_buffer *to) {
    static const char *const names[] = {"a.off", "a.obj", "a.ply"};
    psb_text text = {0};
    psb_error error;
    write_file(p, first, turned, format, &text);
    if (psb_mesh_parse(names[format], text.data, text.length, to, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    psb_text_free(&text);
    assert_int_equal(to->mesh.ntriangles, p->n - 2);
    assert_int_equal(to->mesh.npolygons, 1);
}

/* ---- the properties ------------------------------------------------------------------------ */

/* Newell's vector: as long as twice the area. */
static void newell(const polygon *p, double out[3]) {
    memset(out, 0, 3 * sizeof *out);
    for (size_t i = 0; i < p->n; i++) {
        double part[3];
        psb_cross(p->corner[i], p->corner[(i + 1) % p->n], part);
        for (int k = 0; k < 3; k++) {
            out[k] += part[k];
        }
    }
}

static void check(const polygon *p, const psb_mesh *mesh, bool turned) {
    double expected[3], sum[3] = {0, 0, 0}, area = 0;
    newell(p, expected);
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        double normal[3];
        const uint32_t *c = mesh->triangles + 3 * t;
        psb_normal(mesh->vertices + 3 * (size_t)c[0], mesh->vertices + 3 * (size_t)c[1],
                   mesh->vertices + 3 * (size_t)c[2], normal);
        area += psb_norm(normal);
        for (int k = 0; k < 3; k++) {
            sum[k] += turned ? -normal[k] : normal[k];
        }
    }
    psb_subtract(sum, expected, sum);
    const double length = psb_norm(expected);
    assert_true(psb_norm(sum) < 1e-9 * length);
    if (!(fabs(area - length) < 1e-9 * length)) {
        fail_msg("area %.12g for %.12g", area / 2, length / 2);
    }
}

static bool is_fan(const polygon *p, const psb_mesh *mesh, size_t first, bool turned) {
    bool fan = true;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        for (size_t c = 0; c < 3; c++) {
            fan =
                fan && mesh->triangles[3 * t + c] == index_at(p, c == 0 ? 0 : t + c, first, turned);
        }
    }
    return fan;
}

static void the_first_corner_does_not_matter(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "polygons", "");
    psb_mesh_buffer buffer = {0};
    size_t split = 0;
    for (int i = 0; i < 400; i++) {
        polygon p;
        if (i % 4 == 0) {
            make_spiral(&random, &p);
        } else if (i % 4 == 1) {
            make_comb(&random, &p);
        } else {
            make_star(&random, &p, i % 4 == 2 ? 0.1 : 1);
        }
        lift(&random, &p);
        for (int turn = 0; turn < 6; turn++) {
            size_t first = (size_t)psb_random_below(&random, p.n);
            bool turned = turn % 2 == 1;
            read_file(&p, first, turned, turn / 2, &buffer);
            check(&p, &buffer.mesh, turned);
            bool fan = is_fan(&p, &buffer.mesh, first, turned);
            assert_true(fan || i % 4 != 3);
            split += !fan;
        }
    }
    assert_in_range(split, 1000, 1800);
    psb_mesh_buffer_free(&buffer);
}

/* A polygon that crosses itself, one without area, and one that is not plane: read as before. */
static void what_has_no_ears_keeps_its_fan(void **state) {
    (void)state;
    static const polygon odd[] = {
        {4, {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}},
        {5, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1.5, 0, 0}}},
        {4, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}},
        {4, {{0, 0, 0}, {1, 0, 0.2}, {1, 1, 0}, {0, 1, 0.2}}},
        {4, {{1e200, 0, 0}, {0, 1e200, 0}, {-1e200, 0, 0}, {0, -1e200, 0}}},
    };
    psb_mesh_buffer buffer = {0};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        for (size_t first = 0; first < odd[i].n; first++) {
            read_file(&odd[i], first, false, (int)(first % 3), &buffer);
            assert_true(is_fan(&odd[i], &buffer.mesh, first, false));
        }
    }
    psb_mesh_buffer_free(&buffer);
}

/* Teeth as thin as a hair, whose ears lie behind all others: within the bound, or an error. */
static void a_hostile_polygon_ends(void **state) {
    (void)state;
    enum { TEETH = 3000 };
    psb_text text = {0};
    psb_mesh_buffer buffer = {0};
    psb_text_printf(&text, "OFF\n%d 1 0\n", 2 * TEETH + 1);
    for (int i = 0; i < TEETH; i++) {
        psb_text_printf(&text, "%d 0 0\n%d.5 %d 0\n", i, i, 100 + i);
    }
    psb_text_printf(&text, "%d -1 0\n%d", TEETH / 2, 2 * TEETH + 1);
    for (int i = 0; i < 2 * TEETH + 1; i++) {
        psb_text_printf(&text, " %d", 2 * TEETH - i);
    }
    psb_error error;
    psb_status status = psb_mesh_parse("a.off", text.data, text.length, &buffer, &error);
    assert_true(status == PSB_OK || strstr(error.message, "too long to split") != NULL);
    psb_text_free(&text);
    psb_mesh_buffer_free(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_corner_does_not_matter),
        cmocka_unit_test(what_has_no_ears_keeps_its_fan),
        cmocka_unit_test(a_hostile_polygon_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
