/* Tests that the cost of a descriptor depends neither on the other descriptors nor on the order. */
#include "core/random.h"
#include "descriptors/descriptor.h"
#include "support/meshes.h"
#include "support/test.h"

enum { DESCRIPTORS = 12, LONGEST = 8192 };

/* Its time is the number of looks at it: one when work begins, and one whenever it changes hands.
 */
static double looks;
static double counting_clock(void) {
    return ++looks;
}

typedef struct fixture {
    psb_mesh mesh;
    psb_tables *tables;
    psb_shape *shape;
    psb_spec **specs;
    size_t nspecs;
    double alone[DESCRIPTORS];
} fixture;

static double cost_of(const fixture *f, size_t spec) {
    static float row[LONGEST];
    psb_error error;
    if (psb_shape_describe(f->shape, f->specs[spec], row, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    psb_cost cost = psb_shape_cost(f->shape);
    return psb_cost_alone(&cost);
}

static void load(const fixture *f) {
    assert_int_equal(psb_shape_load(f->shape, &f->mesh, "model", NULL), PSB_OK);
}

static int set_up(void **state) {
    static fixture f;
    f = (fixture){.mesh = test_blob(7, 50)};
    assert_int_equal(psb_spec_parse_list(NULL, "all", &f.specs, &f.nspecs, NULL), PSB_OK);
    assert_int_equal(f.nspecs, DESCRIPTORS);
    assert_int_equal(psb_tables_new(&f.tables, NULL), PSB_OK);
    assert_int_equal(psb_shape_new(f.tables, &f.shape, NULL), PSB_OK);
    psb_shape_set_clock(f.shape, counting_clock);
    /* Twice, for whoever is the first to ask for a shared table looks at the clock around that. */
    for (size_t i = 0; i < 2 * f.nspecs; i++) {
        size_t s = i % f.nspecs;
        load(&f);
        f.alone[s] = cost_of(&f, s);
    }
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    for (size_t s = 0; s < f->nspecs; s++) {
        psb_spec_free(f->specs[s]);
    }
    free(f->specs);
    psb_shape_free(f->shape);
    psb_tables_free(f->tables);
    psb_mesh_free(&f->mesh);
    return 0;
}

static size_t find(const fixture *f, const char *name) {
    size_t s = 0;
    while (strcmp(f->specs[s]->label.text, name) != 0) {
        s++;
        assert_true(s < f->nspecs);
    }
    return s;
}

/* One look more than it asked for fields, and the same of each of these. */
static void every_field_is_in_it(void **state) {
    const fixture *f = *state;
    /* itself, extent, points; axes and moments ask for nothing */
    ASSERT_NEAR(f->alone[find(f, "EXT")], 2 + 2 + 2 + 1 + 1, 0);
    ASSERT_NEAR(f->alone[find(f, "REXT")], 2 + 2 + 2 + 1 + 1, 0);
    /* itself, distances, points; moments */
    ASSERT_NEAR(f->alone[find(f, "SHD")], 2 + 2 + 1 + 1, 0);
    /* itself, and nobody else's work */
    ASSERT_NEAR(f->alone[find(f, "LFD")], 1, 0);
}

static void pairs_cost_what_each_costs_alone(void **state) {
    const fixture *f = *state;
    for (size_t a = 0; a < f->nspecs; a++) {
        for (size_t b = 0; b < f->nspecs; b++) {
            load(f);
            ASSERT_NEAR(cost_of(f, a), f->alone[a], 0);
            ASSERT_NEAR(cost_of(f, b), f->alone[b], 0);
        }
    }
}

/* Every set of some random ones, in a random order; the same shape sees one model after the other.
 */
static void order_and_set_do_not_matter(void **state) {
    const fixture *f = *state;
    psb_random random = psb_random_seeded(1, "costs", "order");
    for (int round = 0; round < 50; round++) {
        size_t order[DESCRIPTORS], count = 1 + psb_random_below(&random, DESCRIPTORS);
        for (size_t s = 0; s < DESCRIPTORS; s++) {
            size_t other = psb_random_below(&random, (uint32_t)s + 1);
            order[s] = order[other];
            order[other] = s;
        }
        load(f);
        for (size_t k = 0; k < count; k++) {
            ASSERT_NEAR(cost_of(f, order[k]), f->alone[order[k]], 0);
        }
    }
}

/* A field with other parameters is another field, and what was there for it does not count. */
static void parameters_make_other_fields(void **state) {
    const fixture *f = *state;
    psb_spec *wide;
    static float row[LONGEST];
    assert_int_equal(psb_spec_parse(NULL, "EXT:points=50", &wide, NULL), PSB_OK);
    load(f);
    size_t ext = find(f, "EXT");
    cost_of(f, ext);
    psb_cost first = psb_shape_cost(f->shape);
    assert_int_equal(psb_shape_describe(f->shape, wide, row, NULL), PSB_OK);
    psb_cost second = psb_shape_cost(f->shape);
    ASSERT_NEAR(psb_cost_alone(&second), f->alone[ext], 0);
    int same = 0, fields = 0;
    for (int i = 0; i < PSB_COST_FIELDS; i++) {
        for (int j = 0; j < PSB_COST_FIELDS; j++) {
            same += first.fields[i].key != 0 && first.fields[i].key == second.fields[j].key;
        }
        fields += first.fields[i].key != 0;
    }
    assert_int_equal(fields, 4); /* moments, axes, points, extent */
    assert_int_equal(same, 3);
    psb_spec_free(wide);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_in_it),
        cmocka_unit_test(pairs_cost_what_each_costs_alone),
        cmocka_unit_test(order_and_set_do_not_matter),
        cmocka_unit_test(parameters_make_other_fields),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
