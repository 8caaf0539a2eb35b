/*
 * Tests 3MF: packages made here, whose objects, components and parts are placed as worked out by
 * hand; what is refused, by its message; and how much a small package may ask for.
 */
#include "io/format.h"
#include "support/files.h"
#include "support/test.h"
#include "support/zip.h"

#ifdef PSB_EXPAT

#define CORE "http://schemas.microsoft.com/3dmanufacturing/"
#define ROWS(far)                                                                                  \
    "<mesh><vertices>\n<vertex x=\"0\" y=\"0\" z=\"0\"/>\n<vertex x=\"" far                        \
    "\" y=\"0\" z=\"0\"/>\n<vertex x=\"0\" y=\"1\" z=\"0\"/></vertices>\n"                         \
    "<triangles><triangle v1=\" 0\" v2=\"1\" v3=\"2 \" pid=\"9\"/></triangles></mesh>"

/* One triangle, object 1, in the build as it is. */
static const char plain[] =
    "<?xml version=\"1.0\"?>\n<model unit=\"inch\" xmlns=\"" CORE "core/2015/02\" xmlns:p=\"" CORE
    "production/2015/06\" xmlns:b=\"" CORE "beamlattice/2017/02\">\n"
    "<metadata name=\"Title\">A &lt; B</metadata><resources><object id=\"1\">\n" ROWS(
        "1") "</object>\n</resources>\n<build><item objectid=\"1\"/></build></model>";

static const char other[] =
    "<model xmlns=\"" CORE "core/2015/02\"><resources><object id=\"1\">" ROWS(
        "7") "</object><object id=\"2\"><components><component objectid=\"1\" "
             "transform=\"1 0 0 0 1 0 0 0 1 0 0 5\"/></components></object></resources>"
             "<build><item objectid=\"1\"/></build></model>";

static const char relationships[] =
    "<Relationships><Relationship Type=\"http://schemas.openxmlformats.org/package/2006/"
    "relationships/metadata/thumbnail\" Target=\"/Metadata/thumbnail.png\" Id=\"a\"/>"
    "<Relationship Type=\"" CORE "2013/01/3dmodel\" Target=\"/3D/3dmodel.model\" Id=\"b\"/>"
    "</Relationships>";

static psb_status parse(const test_member *members, size_t count, psb_mesh_buffer *buffer,
                        psb_error *error) {
    psb_text zip = {0};
    test_zip_add(&zip, members, count, count % 2 == 0);
    psb_status status = psb_mesh_parse("a.3mf", zip.data, zip.length, buffer, error);
    psb_text_free(&zip);
    return status;
}

#define MEMBER(name, text)                                                                         \
    { name, text, strlen(text) }

/* The root part with one replacement, a second part, and a picture. */
static psb_status parse_with(const char *from, const char *to, psb_mesh_buffer *buffer,
                             psb_error *error) {
    char *text = test_replaced(plain, from, to);
    const test_member members[] = {MEMBER("_rels/.rels", relationships),
                                   MEMBER("3D/3dmodel.model", text),
                                   MEMBER("3D/Objects/other one.model", other),
                                   MEMBER("Metadata/thumbnail.png", "\x89PNG and so on")};
    psb_status status = parse(members, 4, buffer, error);
    free(text);
    return status;
}

/* The x, y and z of a mesh that are most. */
static void assert_most(const psb_mesh *mesh, double x, double y, double z) {
    double most[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * mesh->nvertices; i++) {
        most[i % 3] = fmax(most[i % 3], mesh->vertices[i]);
    }
    ASSERT_NEAR(most[0], x, 1e-12);
    ASSERT_NEAR(most[1], y, 1e-12);
    ASSERT_NEAR(most[2], z, 1e-12);
}

static void objects_are_placed(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
        size_t triangles;
        double most[3];
    } cases[] = {
        {"inch", "inch", 1, {1, 1, 0}},
        {"<item objectid=\"1\"/>",
         "<item objectid=\"1\" transform=\"0 1 0 0 0 1 1 0 0 10 20 30\"/>",
         1,
         {10, 21, 31}},
        {"<item objectid=\"1\"/>", "<item objectid=\"1\"/><item objectid=\"1\"/>", 2, {1, 1, 0}},
        /* Parts by the production extension, in any case, with escapes. */
        {"<item objectid=\"1\"/>",
         "<item objectid=\"1\"/><item objectid=\"2\" p:UUID=\"u\" "
         "p:path=\"/3D/objects/other%20one.model\"/>",
         2,
         {7, 1, 5}},
        {"unit=\"inch\"", "requiredextensions=\"p\"", 1, {1, 1, 0}},
        {"<triangles>", "<triangles><m:colorgroup xmlns:m=\"m\"/>", 1, {1, 1, 0}},
        {"</mesh>",
         "</mesh><s:slicestack xmlns:s=\"s\"><s:slice><s:vertices><s:vertex x=\"9\" "
         "y=\"9\"/></s:vertices></s:slice></s:slicestack>",
         1,
         {1, 1, 0}},
    };
    psb_mesh_buffer buffer = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        psb_error error;
        psb_status status = parse_with(cases[i].from, cases[i].to, &buffer, &error);
        if (status != PSB_OK) {
            fail_msg("%zu: %s", i, error.message);
        }
        assert_int_equal(buffer.mesh.ntriangles, cases[i].triangles);
        assert_int_equal(buffer.mesh.npolygons, cases[i].triangles);
        assert_most(&buffer.mesh, cases[i].most[0], cases[i].most[1], cases[i].most[2]);
    }
    psb_mesh_buffer_free(&buffer);
}

static void components_are_nested(void **state) {
    (void)state;
    psb_mesh_buffer buffer = {0};
    assert_int_equal(
        parse_with("</resources>\n<build><item objectid=\"1\"/>",
                   "<object id=\"2\"><metadatagroup/><components><component objectid=\"1\"/>"
                   "<component objectid=\"1\" transform=\"1 0 0 0 1 0 0 0 1 5 0 0\"/></components>"
                   "</object>\n<object id=\"3\"><components><component objectid=\"2\" "
                   "transform=\"2 0 0 0 2 0 0 0 -2 0 0 1\"/></components></object></resources>"
                   "<build><item objectid=\"3\" transform=\"1 0 0 0 1 0 0 0 1 100 0 0\"/>",
                   &buffer, NULL),
        PSB_OK);
    assert_int_equal(buffer.mesh.ntriangles, 2);
    assert_most(&buffer.mesh, 112, 2, 1);
    /* A mirror turns the triangle. */
    assert_true(buffer.mesh.triangles[1] > buffer.mesh.triangles[2]);
    psb_mesh_buffer_free(&buffer);
}

/* Where relationships do not say which part is the model, its usual name does; under any name. */
static void the_model_part_is_found(void **state) {
    (void)state;
    psb_mesh_buffer buffer = {0};
    psb_error error;
    char *elsewhere = test_replaced(relationships, "/3D/3dmodel.model", "/any.xml");
    const test_member usual[] = {MEMBER("3d/3DModel.model", plain), MEMBER("x.png", "x"),
                                 MEMBER("y", "")};
    const test_member named[] = {MEMBER("any.xml", plain), MEMBER("_rels/.rels", elsewhere)};
    assert_int_equal(parse(usual, 3, &buffer, &error), PSB_OK);
    assert_int_equal(parse(named, 2, &buffer, &error), PSB_OK);
    assert_int_equal(parse(named + 1, 1, &buffer, &error), PSB_ERROR_INPUT);
    assert_string_equal(error.message, "a.3mf: no 3MF package: it has no part '/any.xml'");
    psb_text zip = {0};
    test_zip_add(&zip, usual, 3, true);
    assert_int_equal(psb_mesh_parse("a.stl", zip.data, zip.length, &buffer, &error), PSB_OK);
    assert_int_equal(psb_mesh_parse("a.3mf", zip.data, zip.length / 2, &buffer, &error),
                     PSB_ERROR_INPUT);
    assert_false(psb_mesh_may_refer("a.3mf"));
    assert_int_equal(psb_mesh_unpacked_most(NULL, "a.3mf", 100, SIZE_MAX), 64 << 20);
    psb_text_free(&zip);
    free(elsewhere);
    psb_mesh_buffer_free(&buffer);
}

static void damage_is_named(void **state) {
    (void)state;
#define PART "a.3mf/3D/3dmodel.model:"
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"</model>", "", PART "10: its XML is broken: no element found"},
        {"<model", "<!DOCTYPE model [<!ENTITY a \"b\">]><model",
         PART "2: its document type declares entities or attributes, which is refused"},
        {"unit=\"inch\"", "requiredextensions=\"p b\"",
         PART "2: requires the extension " CORE "beamlattice/2017/02, which is not read"},
        {"unit=\"inch\"", "requiredextensions=\"zz\"",
         PART "2: requires the extension zz, which is not read"},
        {"x=\"1\"", "x=\"1,5\"", PART "6: a vertex whose x is '1,5', not a finite number"},
        {"x=\"1\"", "x=\"1e999\"", PART "6: a vertex whose x is '1e999', not a finite number"},
        {"x=\"1\" ", "", PART "6: a vertex whose x is '', not a finite number"},
        {"v2=\"1\"", "v2=\"3\"", PART "8: a triangle whose v2 is '3', but its mesh has 3 vertices"},
        {"v2=\"1\"", "v2=\"-1\"",
         PART "8: a triangle whose v2 is '-1', but its mesh has 3 vertices"},
        {"<item objectid=\"1\"", "<item objectid=\"4\"",
         PART "10: names object 4, but its part has no such object"},
        {"<item objectid=\"1\"", "<item objectid=\"x\"",
         PART "10: <item> has the objectid 'x', which is no number from 0 on"},
        {"</resources>", "<object id=\"1\"/></resources>", PART "9: a second object of the id 1"},
        {"<item objectid=\"1\"", "<item objectid=\"1\" transform=\"1 0 0\"",
         PART "10: has a transform that is not 12 numbers: '1'"},
        {"<item objectid=\"1\"", "<item objectid=\"1\" p:path=\"/3D/none.model\"",
         PART "10: names the part '/3D/none.model', which the package does not have"},
        {"<item objectid=\"1\"", "<item objectid=\"1\" p:path=\"\"",
         PART "10: names the part '', which the package does not have"},
        {"</resources>\n<build><item objectid=\"1\"",
         "<object id=\"2\"><bo:booleanshape xmlns:bo=\"bo\"/></object></resources>\n<build><item "
         "objectid=\"2\"",
         PART "9: object 2 is a booleanshape, which is not read"},
        {"</resources>\n<build><item objectid=\"1\"",
         "<object id=\"2\"><components><component objectid=\"2\"/></components></object>"
         "</resources>\n<build><item objectid=\"2\"",
         PART "9: objects or nodes lie more than 256 deep: one may contain itself"},
        {"<item objectid=\"1\"/>", "", "a.3mf: an empty mesh: no item of its build has triangles"},
        {"<model", "<modell", PART "10: its XML is broken: mismatched tag"},
    };
    psb_mesh_buffer buffer = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        psb_error error = {0};
        psb_status status = parse_with(cases[i].from, cases[i].to, &buffer, &error);
        if (status != PSB_ERROR_INPUT || strcmp(error.message, cases[i].message) != 0) {
            fail_msg("%s: %d, %s", cases[i].to, status, error.message);
        }
    }
    psb_mesh_buffer_free(&buffer);
}

/* Blanks that pack well, and components that double what is below them. */
static void small_packages_stay_small(void **state) {
    (void)state;
    const size_t size = (size_t)80 << 20;
    psb_mesh_buffer buffer = {0};
    psb_error error;
    char *blanks = malloc(size);
    assert_non_null(blanks);
    memset(blanks, ' ', size);
    const test_member members[] = {{"3D/3dmodel.model", blanks, size}, MEMBER("y", "")};
    assert_int_equal(parse(members, 2, &buffer, &error), PSB_ERROR_INPUT);
    assert_string_equal(error.message,
                        "a.3mf: unpacks to more than the 67108864 bytes that are allowed");
    free(blanks);
    psb_text objects = {0};
    for (int i = 2; i < 60; i++) {
        psb_text_printf(&objects,
                        "<object id=\"%d\"><components><component objectid=\"%d\"/><component "
                        "objectid=\"%d\"/></components></object>",
                        i, i - 1, i - 1);
    }
    psb_text_add(&objects, "</resources>\n<build><item objectid=\"59\"");
    assert_int_equal(
        parse_with("</resources>\n<build><item objectid=\"1\"", objects.data, &buffer, &error),
        PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "objects or nodes that are allowed"));
    psb_text_free(&objects);
    psb_mesh_buffer_free(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_placed),        cmocka_unit_test(components_are_nested),
        cmocka_unit_test(the_model_part_is_found),   cmocka_unit_test(damage_is_named),
        cmocka_unit_test(small_packages_stay_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void the_missing_library_is_named(void **state) {
    (void)state;
    psb_mesh_buffer buffer = {0};
    psb_error error;
    psb_text zip = {0};
    const test_member member = {"3D/3dmodel.model", "<model/>", 8};
    test_zip_add(&zip, &member, 1, false);
    assert_int_equal(psb_mesh_parse("a.3mf", zip.data, zip.length, &buffer, &error),
                     PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "built without "));
    psb_text_free(&zip);
    psb_mesh_buffer_free(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_missing_library_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
