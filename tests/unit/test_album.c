/* Tests that portraits of models survive packing, and are kept and found by the hash of a file. */
#include "run/album.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/test.h"

#include <unistd.h>

static const psb_portrait_kind kind = {500, true};

static void what_is_packed_is_drawn_of_the_mesh(void **state) {
    (void)state;
    psb_mesh box = test_box(4.0, 2.0, 1.0);
    psb_portrait p = {0};
    psb_renderer renderer = {0};
    psb_portrait_view view;
    uint8_t *pixels = malloc(PSB_PORTRAIT_BYTES);
    psb_view from = psb_view_make(PSB_PORTRAIT_WIDTH, PSB_PORTRAIT_HEIGHT);
    assert_int_equal(psb_render(&renderer, &box, &from, pixels, NULL), PSB_OK);
    psb_text solid = {0};
    assert_int_equal(psb_solid_add(&p.solid, &box, 500, &solid, NULL), PSB_OK);
    for (int picture = 0; picture < 2; picture++) {
        assert_int_equal(psb_portrait_make(&p, &box, picture, 500, NULL), PSB_OK);
        assert_true(psb_portrait_unpack(p.packed.data, p.packed.length, &view));
        assert_int_equal(view.picture != NULL, picture);
        assert_int_equal(view.solid_length, solid.length);
        assert_memory_equal(view.solid, solid.data, solid.length);
    }
    assert_memory_equal(view.picture, pixels, PSB_PORTRAIT_BYTES);
    assert_false(psb_portrait_unpack(p.packed.data, PSB_PORTRAIT_BYTES, &view));
    assert_false(psb_portrait_unpack(p.packed.data, 0, &view));
    box.ntriangles = 0; /* nothing to draw: no picture, but no error */
    assert_int_equal(psb_portrait_make(&p, &box, true, 500, NULL), PSB_OK);
    assert_true(psb_portrait_unpack(p.packed.data, p.packed.length, &view));
    assert_null(view.picture);
    free(pixels);
    psb_text_free(&solid);
    psb_renderer_free(&renderer);
    psb_portrait_free(&p);
    psb_mesh_free(&box);
}

/* A model that fails makes pages of one model less: what was kept is still of use. */
static void a_model_less_changes_nothing(void **state) {
    (void)state;
    size_t changes = 0;
    for (size_t n = 1; n <= 20000; n++) {
        psb_portrait_kind a = psb_portrait_kind_of(PSB_THUMBNAILS_FOUND, n);
        psb_portrait_kind b = psb_portrait_kind_of(PSB_THUMBNAILS_FOUND, n + 1);
        assert_true(b.triangles <= a.triangles && b.found <= a.found);
        changes += a.triangles != b.triangles || a.found != b.found;
    }
    assert_in_range(changes, 2, 25);
    assert_int_equal(psb_portrait_kind_of(PSB_THUMBNAILS_FOUND, 20000).triangles, 0);
}

static void add(const char *run, psb_portrait_kind of, uint64_t hash, const char *bytes) {
    psb_album album;
    psb_text packed = {0};
    psb_text_add(&packed, bytes);
    assert_int_equal(psb_album_begin(run, of, &album, NULL), PSB_OK);
    assert_int_equal(psb_album_append(&album, &(psb_stamp){.hash = hash}, &packed, NULL), PSB_OK);
    psb_album_close(&album);
    psb_text_free(&packed);
}

/* `expected` is NULL for what is not there. */
static void find(const char *run, psb_portrait_kind of, uint64_t hash, const char *expected) {
    psb_album album;
    psb_text packed = {0};
    assert_int_equal(psb_album_open(run, of, &album, NULL), PSB_OK);
    assert_int_equal(psb_album_find(&album, hash, &packed), expected != NULL);
    if (expected != NULL) {
        assert_string_equal(packed.data, expected);
    }
    psb_album_close(&album);
    psb_text_free(&packed);
}

static void portraits_are_found_by_their_hash(void **state) {
    (void)state;
    const char *run = test_folder(), *path = test_path("work/portraits");
    find(run, kind, 1, NULL);
    assert_int_equal(psb_make_folder(test_path("work"), NULL), PSB_OK);
    add(run, kind, 7, "-seven");
    add(run, kind, 3, "-three");
    find(run, kind, 7, "-seven");
    find(run, kind, 3, "-three");
    find(run, kind, 5, NULL);
    /* Cut off in the last one by a death: what comes behind it is found. */
    size_t size;
    free(test_read(path, &size));
    assert_int_equal(truncate(path, (off_t)size - 3), 0);
    add(run, kind, 9, "-nine");
    find(run, kind, 3, NULL);
    find(run, kind, 7, "-seven");
    find(run, kind, 9, "-nine");
    /* Of another kind nothing counts; who had it open still reads what it was. */
    psb_portrait_kind other = {501, true};
    psb_album old;
    psb_text packed = {0};
    find(run, other, 7, NULL);
    assert_int_equal(psb_album_open(run, kind, &old, NULL), PSB_OK);
    add(run, other, 8, "-eight");
    assert_true(psb_album_find(&old, 7, &packed));
    assert_string_equal(packed.data, "-seven");
    find(run, other, 8, "-eight");
    find(run, kind, 7, NULL);
    psb_album_remove(&old);
    find(run, other, 8, NULL);
    psb_text_free(&packed);
    test_folder_remove();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_packed_is_drawn_of_the_mesh),
        cmocka_unit_test(a_model_less_changes_nothing),
        cmocka_unit_test(portraits_are_found_by_their_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
