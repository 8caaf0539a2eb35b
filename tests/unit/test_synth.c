/* Tests the built-in benchmark: all models and classes are there, readable and different. */
#include "core/file.h"
#include "core/number.h"
#include "io/cla.h"
#include "io/off.h"
#include "normalize/moments.h"
#include "support/files.h"
#include "support/test.h"
#include "synth/classes.h"
#include "synth/off_text.h"
#include "synth/synth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static psb_text model_text(uint64_t seed, size_t id) {
    psb_text off = {NULL, 0, 0, false};
    assert_int_equal(psb_synth_model(seed, id, &off, NULL), PSB_OK);
    return off;
}

static double area_of(const psb_mesh *mesh) {
    psb_moments moments;
    psb_error error;
    if (psb_moments_compute(mesh, &moments, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    return moments.area;
}

static void parse(const psb_text *off, psb_mesh_buffer *buffer) {
    psb_error error;
    if (psb_off_parse("generated", off->data, off->length, buffer, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
}

static void counts(void **state) {
    (void)state;
    size_t classes = 0;
    size_t models = 0;
    for (const psb_synth_class *kind = psb_synth_classes; kind->name != NULL; kind++) {
        assert_int_equal(kind->members > 0, kind->make != NULL);
        classes += kind->members > 0;
        models += kind->members;
        if (kind->members > 0) {
            assert_in_range(kind->members, 8, 11);
        }
    }
    assert_int_equal(psb_synth_class_count(), classes);
    assert_int_equal(psb_synth_model_count(), models);
    assert_in_range(classes, 24, 40);
    assert_in_range(models, 200, 300);
}

static void every_id_has_one_place(void **state) {
    (void)state;
    size_t n = psb_synth_model_count();
    bool *seen = calloc(n, sizeof *seen);
    size_t ids = 0;
    for (const psb_synth_class *kind = psb_synth_classes; kind->name != NULL; kind++) {
        for (size_t member = 0; member < kind->members; member++, ids++) {
            size_t id = psb_synth_id_of(kind, member);
            assert_true(id < n && !seen[id]);
            seen[id] = true;
            assert_ptr_equal(psb_synth_place_of(id).kind, kind);
            assert_int_equal(psb_synth_place_of(id).member, member);
        }
    }
    assert_int_equal(ids, n);
    free(seen);
    for (size_t id = 0; id + 1 < n; id++) {
        assert_ptr_not_equal(psb_synth_place_of(id).kind, psb_synth_place_of(id + 1).kind);
    }
}

static void every_model_can_be_read(void **state) {
    (void)state;
    psb_mesh_buffer buffer = {0};
    size_t bytes = 0;
    for (uint64_t seed = PSB_SYNTH_SEED; seed < PSB_SYNTH_SEED + 2; seed++) {
        for (size_t id = 0; id < psb_synth_model_count(); id++) {
            psb_text off = model_text(seed, id);
            parse(&off, &buffer);
            assert_in_range(buffer.mesh.ntriangles, 200, 20000);
            assert_true(area_of(&buffer.mesh) > 0);
            bytes += off.length;
            psb_text_free(&off);
        }
    }
    assert_true(bytes < (size_t)2 * 30000000);
    psb_mesh_buffer_free(&buffer);
}

static void models_depend_on_seed_and_id_only(void **state) {
    (void)state;
    for (size_t id = 0; id < psb_synth_model_count(); id += 7) {
        psb_text first = model_text(1, id);
        psb_text again = model_text(1, id);
        psb_text other = model_text(2, id);
        assert_string_equal(first.data, again.data);
        assert_string_not_equal(first.data, other.data);
        psb_text_free(&first);
        psb_text_free(&again);
        psb_text_free(&other);
    }
    psb_text none = {NULL, 0, 0, false};
    assert_int_equal(psb_synth_model(1, psb_synth_model_count(), &none, NULL), PSB_ERROR_USAGE);
}

/* Height by width of an object, before its model is posed and stretched. */
static double proportion(const psb_synth_class *kind, uint64_t seed) {
    psb_builder builder = {.around = 12, .grid = 2, .smooth = 2};
    psb_builder_restart(&builder, NULL);
    psb_random random = psb_random_seeded(seed, kind->name, "test");
    kind->make(&builder, &random);
    assert_int_equal(builder.status, PSB_OK);
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * builder.nvertices; i++) {
        low[i % 3] = fmin(low[i % 3], psb_builder_vertices(&builder)[i]);
        high[i % 3] = fmax(high[i % 3], psb_builder_vertices(&builder)[i]);
    }
    psb_builder_free(&builder);
    return (high[2] - low[2]) / fmax(high[0] - low[0], high[1] - low[1]);
}

static void members_of_a_class_differ(void **state) {
    (void)state;
    enum { MEMBERS = 8 };
    for (const psb_synth_class *kind = psb_synth_classes; kind->name != NULL; kind++) {
        double seen[MEMBERS];
        for (int i = 0; kind->make != NULL && i < MEMBERS; i++) {
            seen[i] = proportion(kind, (uint64_t)i);
            for (int j = 0; j < i; j++) {
                assert_true(fabs(seen[i] - seen[j]) > 1e-6 * seen[i]);
            }
        }
    }
}

static void no_two_models_are_alike(void **state) {
    (void)state;
    size_t n = psb_synth_model_count();
    psb_text *texts = calloc(n, sizeof *texts);
    for (size_t id = 0; id < n; id++) {
        texts[id] = model_text(PSB_SYNTH_SEED, id);
        for (size_t other = 0; other < id; other++) {
            assert_string_not_equal(texts[id].data, texts[other].data);
        }
    }
    for (size_t id = 0; id < n; id++) {
        psb_text_free(&texts[id]);
    }
    free(texts);
}

/* The last bit of another machine's sine must not show: six digits, not more. */
static void coordinates_have_six_digits(void **state) {
    (void)state;
    psb_mesh_buffer buffer = {0};
    for (size_t id = 0; id < psb_synth_model_count(); id += 10) {
        psb_text off = model_text(PSB_SYNTH_SEED, id);
        parse(&off, &buffer);
        for (size_t i = 0; i < 3 * buffer.mesh.nvertices; i++) {
            char digits[32];
            double value;
            snprintf(digits, sizeof digits, "%.6g", buffer.mesh.vertices[i]);
            assert_true(psb_parse_double(digits, &value) && value == buffer.mesh.vertices[i]);
        }
        psb_text_free(&off);
    }
    psb_mesh_buffer_free(&buffer);
}

/* A box as a file with a given mess; the caller frees the text. */
static psb_text messy_box(unsigned mess) {
    psb_builder builder = {.around = 12, .grid = 6, .smooth = 2};
    psb_builder_restart(&builder, NULL);
    psb_add_box(&builder, 0.5, 0.25, 1e-20, 1, 2, 3);
    psb_text off = {NULL, 0, 0, false};
    psb_random random = psb_random_seeded(1, "box", "mess");
    psb_add_off_text(&off, &builder, mess, &random);
    psb_builder_free(&builder);
    return off;
}

static void mess_is_what_it_says(void **state) {
    (void)state;
    const size_t cells = 6 * 36;
    psb_text tidy = messy_box(0);
    psb_mesh_buffer plain = {0};
    parse(&tidy, &plain);
    assert_int_equal(plain.mesh.ntriangles, 2 * cells);
    assert_int_equal(plain.mesh.npolygons, 2 * cells);
    ASSERT_NEAR(area_of(&plain.mesh), 22, 1e-4);
    assert_null(strpbrk(tidy.data, "#\r"));
    assert_null(strstr(tidy.data, "e-20"));
    for (unsigned mess = 1; mess < 128; mess++) {
        psb_text off = messy_box(mess);
        psb_mesh_buffer buffer = {0};
        parse(&off, &buffer);
        bool polygons = mess & PSB_MESS_POLYGONS;
        assert_int_equal(strchr(off.data, '\r') != NULL, (mess & PSB_MESS_CRLF) != 0);
        assert_int_equal(strchr(off.data, '#') != NULL, (mess & PSB_MESS_COMMENTS) != 0);
        assert_int_equal(strstr(off.data, " 0.8 0.5 0.2") != NULL, (mess & PSB_MESS_COLOURS) != 0);
        assert_int_equal(strstr(off.data, "\n4 ") != NULL, polygons);
        double area = area_of(&buffer.mesh);
        switch (mess & (PSB_MESS_HOLES | PSB_MESS_DUPLICATES | PSB_MESS_DEGENERATE)) {
        case 0:
            assert_int_equal(buffer.mesh.npolygons, (polygons ? 1 : 2) * cells);
            assert_int_equal(buffer.mesh.ntriangles, 2 * cells);
            assert_memory_equal(buffer.mesh.triangles, plain.mesh.triangles,
                                2 * cells * 3 * sizeof(uint32_t));
            break;
        case PSB_MESS_HOLES:
            assert_true(area < 21.9 && area > 18);
            break;
        case PSB_MESS_DUPLICATES:
            assert_true(area > 22.1 && area < 26);
            break;
        case PSB_MESS_DEGENERATE:
            ASSERT_NEAR(area, 22, 1e-4);
            assert_true(buffer.mesh.ntriangles > 2 * cells);
            break;
        default:
            break;
        }
        psb_mesh_buffer_free(&buffer);
        psb_text_free(&off);
    }
    psb_mesh_buffer_free(&plain);
    psb_text_free(&tidy);
}

static void one_model_in_seven_is_messy(void **state) {
    (void)state;
    enum { DRAWS = 20000 };
    psb_random random = psb_random_seeded(7, "any", "mess");
    int messy = 0;
    int kinds[7] = {0};
    for (int i = 0; i < DRAWS; i++) {
        unsigned mess = psb_draw_mess(&random);
        assert_true(mess < 128);
        messy += mess != 0;
        for (int k = 0; k < 7; k++) {
            kinds[k] += (mess >> k & 1) != 0;
        }
    }
    ASSERT_NEAR(messy, 0.15 * DRAWS, 0.01 * DRAWS);
    for (int k = 0; k < 7; k++) {
        ASSERT_NEAR(kinds[k], 0.15 * (1.0 / 7 + 6.0 / 7 * 0.3) * DRAWS, 0.01 * DRAWS);
    }
}

static char *child(const char *folder, const char *name) {
    char *path;
    assert_int_equal(psb_path_join(&path, folder, name, NULL), PSB_OK);
    return path;
}

static void assert_file_holds(const char *folder, const char *name, const psb_text *expected) {
    char *path = child(folder, name);
    psb_input file;
    assert_int_equal(psb_input_open(path, &file, NULL), PSB_OK);
    assert_int_equal(file.size, expected->length);
    assert_memory_equal(file.data, expected->data, file.size);
    psb_input_close(&file);
    free(path);
}

static void folder_holds_the_models(void **state) {
    (void)state;
    const char *folder = test_folder();
    assert_int_equal(psb_synth_write(folder, 11, NULL), PSB_OK);
    for (size_t id = 0; id < psb_synth_model_count(); id++) {
        char name[64];
        snprintf(name, sizeof name, "db/%u/m%u/m%u.off", (unsigned)id / 100, (unsigned)id,
                 (unsigned)id);
        psb_text off = model_text(11, id);
        assert_file_holds(folder, name, &off);
        psb_text_free(&off);
    }
    /* It repairs what it wrote, and takes over a new seed. */
    char *damaged = child(folder, "db/1/m107/m107.off");
    assert_int_equal(psb_write_file(damaged, "OFF\n", 4, NULL), PSB_OK);
    assert_int_equal(psb_synth_write(folder, 11, NULL), PSB_OK);
    psb_text off = model_text(11, 107);
    assert_file_holds(folder, "db/1/m107/m107.off", &off);
    psb_text_free(&off);
    assert_int_equal(psb_synth_write(folder, 12, NULL), PSB_OK);
    off = model_text(12, 107);
    assert_file_holds(folder, "db/1/m107/m107.off", &off);
    psb_text_free(&off);
    free(damaged);
    test_folder_remove();
}

static void check_classification(const char *folder, const char *name, int level) {
    char *path = child(folder, name);
    psb_classification cla;
    psb_error error;
    if (psb_cla_read(path, &cla, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    free(path);
    assert_int_equal(cla.nmodels, psb_synth_model_count());
    bool *seen = calloc(cla.nmodels, sizeof *seen);
    for (size_t i = 0; i < cla.nmodels; i++) {
        int64_t id;
        assert_true(psb_parse_int64(cla.models[i], &id) && id >= 0 && !seen[id]);
        seen[id] = true;
        const psb_synth_class *kind = psb_synth_place_of((size_t)id).kind;
        const psb_class *found = &cla.classes[cla.class_of[i]];
        assert_string_equal(found->name, level < 0 ? kind->name : kind->coarse[level]);
        assert_int_equal(found->miscellaneous, strcmp(found->name, "-1") == 0);
        const bool top = level >= 0 || strcmp(kind->parent, "0") == 0;
        assert_int_equal(found->parent == PSB_NO_CLASS, top);
        if (!top) {
            assert_string_equal(cla.classes[found->parent].name, kind->parent);
        }
    }
    free(seen);
    psb_cla_free(&cla);
}

static void classifications_read_back(void **state) {
    (void)state;
    const char *folder = test_folder();
    assert_int_equal(psb_synth_write(folder, PSB_SYNTH_SEED, NULL), PSB_OK);
    check_classification(folder, "classification/v1/base/test.cla", -1);
    check_classification(folder, "classification/v1/coarse1/coarse1Test.cla", 0);
    check_classification(folder, "classification/v1/coarse2/coarse2Test.cla", 1);
    check_classification(folder, "classification/v1/coarse3/coarse3Test.cla", 2);
    test_folder_remove();
}

static void other_folders_are_left_alone(void **state) {
    (void)state;
    const char *folder = test_folder();
    char *precious = child(folder, "README.txt");
    const char text[] = "Not the built-in benchmark, but work of months.\n";
    assert_int_equal(psb_write_file(precious, text, strlen(text), NULL), PSB_OK);
    psb_error error;
    assert_int_equal(psb_synth_write(folder, 11, &error), PSB_ERROR_USAGE);
    assert_non_null(strstr(error.message, folder));
    assert_int_equal(test_count_files(folder), 1);
    test_folder_remove();
    assert_int_equal(psb_synth_write("/dev/null/x", 11, &error), PSB_ERROR_IO);
    free(precious);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(every_id_has_one_place),
        cmocka_unit_test(every_model_can_be_read),
        cmocka_unit_test(models_depend_on_seed_and_id_only),
        cmocka_unit_test(members_of_a_class_differ),
        cmocka_unit_test(no_two_models_are_alike),
        cmocka_unit_test(coordinates_have_six_digits),
        cmocka_unit_test(mess_is_what_it_says),
        cmocka_unit_test(one_model_in_seven_is_messy),
        cmocka_unit_test(folder_holds_the_models),
        cmocka_unit_test(classifications_read_back),
        cmocka_unit_test(other_folders_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
