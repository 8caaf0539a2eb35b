/* Tests models for the query page: few triangles, which still lie near the model's surface. */
#include "render/solid.h"
#include "support/meshes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static size_t sextet(char digit) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return (size_t)(strchr(digits, digit) - digits);
}

static size_t byte_at(const psb_text *text, size_t which) {
    size_t at = which / 3 * 4, digit = which % 3;
    assert_true(at + 3 < text->length);
    size_t high = sextet(text->data[at + digit]), low = sextet(text->data[at + digit + 1]);
    return (high << (2 + 2 * digit) | low >> (4 - 2 * digit)) & 0xff;
}

/* The numbers of two bytes, lower first, that base64 text holds. */
static size_t number_at(const psb_text *text, size_t which) {
    return byte_at(text, 2 * which) | byte_at(text, 2 * which + 1) << 8;
}

/* Reads the next index, which stands as its difference from the one before. */
static size_t next_index(const psb_text *text, size_t *at, size_t before) {
    size_t code = 0, unit = 1, byte;
    do {
        byte = byte_at(text, (*at)++);
        code += byte % 128 * unit;
        unit *= 128;
    } while (byte >= 128);
    return code % 2 == 0 ? before + code / 2 : before - (code + 1) / 2;
}

static psb_text pack(const psb_mesh *mesh, size_t most) {
    psb_solid solid = {0};
    psb_text text = {0};
    psb_error error;
    if (psb_solid_add(&solid, mesh, most, &text, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    psb_solid_free(&solid);
    return text;
}

/* A mesh that is small enough is taken as it is: corners of a box are at the cube's ends. */
static void small_ones_stay(void **state) {
    (void)state;
    psb_mesh box = test_box(4.0, 2.0, 1.0);
    psb_text text = pack(&box, 100);
    assert_int_equal(number_at(&text, 0), box.nvertices);
    assert_int_equal(number_at(&text, 1), box.ntriangles);
    for (size_t v = 0; v < box.nvertices; v++) {
        size_t x = number_at(&text, 2 + 3 * v), y = number_at(&text, 3 + 3 * v);
        assert_true(x == 0 || x == 65535);
        assert_in_range(y, 16383, 49152); /* half as long, around the centre */
    }
    size_t at = 4 + 6 * box.nvertices, index = 0;
    for (size_t i = 0; i < 3 * box.ntriangles; i++) {
        index = next_index(&text, &at, index);
        assert_int_equal(index, box.triangles[i]);
    }
    assert_int_equal(text.length, (at + 2) / 3 * 4);
    psb_text_free(&text);
    psb_mesh_free(&box);
}

/* A fine sphere becomes a coarse one: no more triangles than asked for, vertices near its surface.
 */
static void large_ones_are_drawn_together(void **state) {
    (void)state;
    psb_mesh sphere = test_sphere(3.0, 80, 160);
    psb_text text = pack(&sphere, 600);
    size_t vertices = number_at(&text, 0), triangles = number_at(&text, 1);
    assert_in_range(triangles, 200, 600);
    assert_in_range(vertices, 100, 600);
    for (size_t v = 0; v < vertices; v++) {
        double square = 0;
        for (size_t k = 0; k < 3; k++) {
            double x = (double)number_at(&text, 2 + 3 * v + k) / 32767.5 - 1;
            square += x * x;
        }
        ASSERT_NEAR(sqrt(square), 1.0, 0.1);
    }
    size_t at = 4 + 6 * vertices, index = 0;
    for (size_t i = 0; i < 3 * triangles; i++) {
        index = next_index(&text, &at, index);
        assert_true(index < vertices);
    }
    assert_int_equal(text.length, (at + 2) / 3 * 4);
    psb_text_free(&text);
    psb_mesh_free(&sphere);
}

static void nothing_of_a_point(void **state) {
    (void)state;
    double vertices[] = {1, 2, 3};
    uint32_t triangle[] = {0, 0, 0};
    psb_mesh point = {1, vertices, 1, triangle, 1};
    psb_text text = pack(&point, 100);
    assert_int_equal(text.length, 0);
    psb_text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_ones_stay),
        cmocka_unit_test(large_ones_are_drawn_together),
        cmocka_unit_test(nothing_of_a_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
