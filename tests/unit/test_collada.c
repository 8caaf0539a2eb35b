/*
 * Tests COLLADA: one square as every kind of primitive and source, each transform against points
 * worked out by hand, nodes that repeat others, and what is refused, by its message.
 */
#include "core/text.h"
#include "io/format.h"
#include "support/files.h"
#include "support/test.h"

#ifdef PSB_EXPAT

static const char square[] =
    "<?xml version=\"1.0\"?>\n"
    "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
    "<asset><unit meter=\"0.01\"/><up_axis>Z_UP</up_axis></asset>\n"
    "<library_geometries><geometry id=\"g\"><mesh>\n"
    "<source id=\"p\"><float_array id=\"a\" count=\"12\">0 0 0 1 0 0 0 1 0 1 1 0</float_array>\n"
    "<technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"><param name=\"X\"/>"
    "<param name=\"Y\"/><param name=\"Z\"/></accessor></technique_common></source>\n"
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\n"
    "<triangles count=\"2\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
    "<p>0 1 2 1 3 2</p></triangles>\n"
    "</mesh></geometry></library_geometries>\n"
    "<library_nodes/><library_controllers/>\n"
    "<library_visual_scenes><visual_scene id=\"s\">\n"
    "<node><instance_geometry url=\"#g\"/></node>\n"
    "</visual_scene></library_visual_scenes>\n"
    "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n";

static psb_status parse(const char *text, psb_mesh_buffer *buffer, psb_error *error) {
    return psb_mesh_parse("a.dae", text, strlen(text), buffer, error);
}

/* Reads the square with one replacement. */
static void read_with(const char *from, const char *to, psb_mesh_buffer *buffer) {
    psb_error error;
    char *text = test_replaced(square, from, to);
    if (parse(text, buffer, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    free(text);
}

/* The corners of all triangles, in order. */
static void assert_corners(const psb_mesh *mesh, const double (*expected)[3], size_t count) {
    assert_int_equal(3 * mesh->ntriangles, count);
    for (size_t i = 0; i < 3 * count; i++) {
        double value = mesh->vertices[3 * (size_t)mesh->triangles[i / 3] + i % 3];
        ASSERT_NEAR(value, expected[i / 3][i % 3], 1e-12);
    }
}

static const double two_triangles[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                           {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};

/* Unit and axis change nothing, either. */
static void primitives_are_alike(void **state) {
    (void)state;
    static const char from[] =
        "<triangles count=\"2\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
        "<p>0 1 2 1 3 2</p></triangles>";
#define VERTEX(offset) "<input semantic=\"VERTEX\" source=\"#v\" offset=\"" #offset "\"/>"
#define NORMAL(offset) "<input semantic=\"NORMAL\" source=\"#n\" offset=\"" #offset "\"/>"
    static const char *const to[] = {
        from,
        "<triangles count=\"1\">" VERTEX(
            0) "<p>0 1 2</p></triangles>"
               "<lines count=\"1\">" VERTEX(0) "<p>0 3</p></lines>"
                                               "<polylist count=\"1\">" VERTEX(
                                                   0) "<vcount>3</vcount><p>1 3 2</p></polylist>",
        "<triangles count=\"2\">" NORMAL(0) VERTEX(2)
            NORMAL(1) "<p>9 9 0 9 9 1 9 9 2 9 -1 1\n9 9 3 9 9 2</p></triangles>",
        "<polylist count=\"2\">" VERTEX(0)
            NORMAL(1) "<vcount> 3 3 </vcount><p>0 7 1 7 2 7 1 7 3 7 2 7</p></polylist>",
        "<polygons count=\"2\">" VERTEX(0) "<p>0 1 2</p><p>1 3 2</p></polygons>",
        "<tristrips count=\"1\">" VERTEX(0) "<p>0 1 2 3</p></tristrips>",
        "<trifans count=\"2\">" VERTEX(0) "<p>0 1 2</p><p>1 3 2</p></trifans>",
        "<triangles count=\"0\">" VERTEX(0) "</triangles><triangles count=\"2\">" VERTEX(
            0) "<p>0 1 2 <!-- and --> 1 3 2</p></triangles>",
    };
    psb_mesh_buffer buffer = {0};
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++) {
        read_with(from, to[i], &buffer);
        assert_corners(&buffer.mesh, two_triangles, 6);
        assert_int_equal(buffer.mesh.nvertices, 4);
        assert_int_equal(buffer.mesh.npolygons, 2);
        assert_false(buffer.refers);
    }
    psb_mesh_buffer_free(&buffer);
}

static void sources_are_alike(void **state) {
    (void)state;
    static const char from[] =
        "<float_array id=\"a\" count=\"12\">0 0 0 1 0 0 0 1 0 1 1 0</float_array>\n"
        "<technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"><param name=\"X\"/>"
        "<param name=\"Y\"/><param name=\"Z\"/></accessor></technique_common></source>";
#define ACCESSOR(attributes, parameters)                                                           \
    "<technique_common><accessor source=\"#a\" count=\"4\" " attributes ">" parameters             \
    "</accessor></technique_common></source>"
    static const char *const to[] = {
        /* A stride with holes, and numbers in front. */
        "<float_array id=\"a\" count=\"18\">7 7 0 8 0 0 1 8 0 0 0 8 1 0 1 8 1 "
        "0</float_array>" ACCESSOR("stride=\"4\" offset=\"2\"",
                                   "<param name=\"X\"/><param/><param name=\"Y\"/>"
                                   "<param name=\"Z\"/>"),
        "<float_array id=\"a\" count=\"12\">0 0 0 1e0 0 0 0 +1 0 1.0 1 0</float_array>" ACCESSOR(
            "stride=\"3\"", "<param/><param/><param/>"),
        "<int_array id=\"a\" count=\"12\">0 0 0 1 0 0 0 1 0 1 1 0</int_array>" ACCESSOR(
            "stride=\"3\"", ""),
        /* The numbers are another source's. */
        "<technique_common><accessor source=\"#b\" count=\"4\" stride=\"3\"/></technique_common>"
        "</source><source id=\"q\"><float_array id=\"b\" count=\"12\">0 0 0 1 0 0 0 1 0 1 1 0"
        "</float_array></source>",
        /* An id that another mesh has, too. */
        "<float_array id=\"a\" count=\"12\">0 0 0 1 0 0 0 1 0 1 1 0</float_array>" ACCESSOR(
            "stride=\"3\"", "") "</mesh></geometry><geometry id=\"h\"><mesh>"
                                "<source id=\"p\"><float_array id=\"c\" count=\"12\">0 0 0 1 0 0 0 "
                                "1 0 1 1 0</float_array>"
                                "<technique_common><accessor source=\"#c\" count=\"4\" "
                                "stride=\"3\"/></technique_common>"
                                "</source></mesh></geometry><geometry id=\"g2\"><mesh><source "
                                "id=\"p\"><float_array "
                                "id=\"d\">0 0 0 1 0 0 0 1 0 1 1 "
                                "0</float_array><technique_common><accessor source=\"#d\" "
                                "count=\"4\" stride=\"3\"/></technique_common></source>",
    };
    psb_mesh_buffer buffer = {0};
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++) {
        char *text = test_replaced(square, from, to[i]), *named = NULL;
        if (strstr(text, "\"g2\"") != NULL) {
            named = test_replaced(text, "url=\"#g\"", "url=\"#g2\"");
        }
        psb_error error;
        if (parse(named != NULL ? named : text, &buffer, &error) != PSB_OK) {
            fail_msg("%zu: %s", i, error.message);
        }
        assert_corners(&buffer.mesh, two_triangles, 6);
        free(named);
        free(text);
    }
    psb_mesh_buffer_free(&buffer);
}

/* Where the square's corner (1, 1, 0) goes. */
static void transforms_are_placed(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double corner[3];
    } cases[] = {
        {"", {1, 1, 0}},
        {"<translate>1 2 3</translate>", {2, 3, 3}},
        {"<scale>2 3 4</scale>", {2, 3, 0}},
        {"<rotate>0 0 2 90</rotate>", {-1, 1, 0}},
        {"<rotate>1 0 0 -90</rotate>", {1, 0, -1}},
        {"<matrix>0 0 1 5 1 0 0 6 0 1 0 7 0 0 0 1</matrix>", {5, 7, 8}},
        {"<translate>1 0 0</translate><scale>2 2 2</scale>", {3, 2, 0}},
        {"<scale>2 2 2</scale><translate>1 0 0</translate>", {4, 2, 0}},
        {"<skew>45 0 1 0 1 0 0</skew>", {2, 1, 0}},
        {"<skew>-45 1 0 0 0 0 3</skew>", {1, 1, -1}},
        {"<lookat>1 2 3 1 2 0 0 1 0</lookat>", {2, 3, 3}},
        {"<lookat>0 0 0 1 0 0 0 0 1</lookat>", {0, -1, 1}},
    };
    psb_mesh_buffer buffer = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char to[256];
        snprintf(to, sizeof to, "<node>%s<instance_geometry", cases[i].text);
        char *text = test_replaced(square, "<node><instance_geometry", to);
        psb_status status = parse(text, &buffer, NULL);
        free(text);
        assert_int_equal(status, PSB_OK);
        const psb_mesh *mesh = &buffer.mesh;
        for (size_t k = 0; k < 3; k++) {
            ASSERT_NEAR(mesh->vertices[3 * (size_t)mesh->triangles[4] + k], cases[i].corner[k],
                        1e-12);
        }
    }
    psb_mesh_buffer_free(&buffer);
}

/* A skew that is not at right angles: the first axis turns by the angle. */
static void skews_turn_their_axis(void **state) {
    (void)state;
    psb_mesh_buffer buffer = {0};
    read_with("<node><instance_geometry", "<node><skew>30 1 1 0 0 1 0</skew><instance_geometry",
              &buffer);
    const double *corner = buffer.mesh.vertices + 3 * (size_t)buffer.mesh.triangles[4];
    ASSERT_NEAR(atan2(corner[1], corner[0]) * 180 / 3.14159265358979323846, 75, 1e-9);
    ASSERT_NEAR(corner[0], 1, 1e-12);
    psb_mesh_buffer_free(&buffer);
}

static void mirrors_turn_polygons(void **state) {
    (void)state;
    static const double expected[6][3] = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 0},
                                          {0, 1, 0}, {-1, 1, 0}, {-1, 0, 0}};
    psb_mesh_buffer buffer = {0};
    read_with("<node><instance_geometry", "<node><scale>-1 1 1</scale><instance_geometry", &buffer);
    assert_corners(&buffer.mesh, expected, 6);
    psb_mesh_buffer_free(&buffer);
}

/* Counts squares, and the x of the last vertex. */
static void nodes_repeat_others(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
        size_t squares;
        double most;
    } cases[] = {
        {"<node><instance_geometry url=\"#g\"/></node>",
         "<node><translate>5 0 0</translate><node><translate>1 0 0</translate>"
         "<instance_geometry url=\"#g\"/></node><instance_geometry url=\"#g\"/></node>",
         2, 7},
        /* A node within a library's node, and one of the scene. */
        {"<node><instance_geometry url=\"#g\"/></node>",
         "<node id=\"out of\"><node id=\"in\"><translate>3 0 0</translate><instance_geometry "
         "url=\"#g\"/></node></node><node><translate>9 0 0</translate><instance_node "
         "url=\"#in\"/></node><node><instance_node url=\"#out%20of\"/></node>",
         3, 13},
        {"</COLLADA>",
         "<library_visual_scenes><visual_scene id=\"t\"><node><translate>8 0 0</translate>"
         "</node></visual_scene></library_visual_scenes></COLLADA>",
         1, 1},
        {"<scene><instance_visual_scene url=\"#s\"/></scene>", "", 1, 1},
        {"<library_visual_scenes><visual_scene id=\"s\">\n"
         "<node><instance_geometry url=\"#g\"/></node>\n"
         "</visual_scene></library_visual_scenes>\n"
         "<scene><instance_visual_scene url=\"#s\"/></scene>",
         "<!-- geometries alone -->", 1, 1},
    };
    psb_mesh_buffer buffer = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double most = 0;
        read_with(cases[i].from, cases[i].to, &buffer);
        assert_int_equal(buffer.mesh.npolygons, 2 * cases[i].squares);
        for (size_t v = 0; v < buffer.mesh.nvertices; v++) {
            most = fmax(most, buffer.mesh.vertices[3 * v]);
        }
        ASSERT_NEAR(most, cases[i].most, 0);
    }
    psb_mesh_buffer_free(&buffer);
}

/* A skin in its bind shape, a morph's base mesh, and a skin of a morph. */
static void controllers_place_their_mesh(void **state) {
    (void)state;
    static const char skin[] =
        "<controller id=\"c\"><skin source=\"#%s\"><bind_shape_matrix>1 0 0 4  0 1 0 0  0 0 1 0  0 "
        "0 0 1</bind_shape_matrix></skin></controller>";
    static const char morph[] = "<controller id=\"m\"><morph source=\"#g\"/></controller>";
    static const double far[] = {5, 1, 5};
    psb_mesh_buffer buffer = {0};
    for (int i = 0; i < 3; i++) {
        char to[512] = "<library_controllers>";
        size_t used = strlen(to);
        used += (size_t)snprintf(to + used, sizeof to - used, skin, i == 0 ? "g" : "m");
        snprintf(to + used, sizeof to - used, "%s</library_controllers>", morph);
        char *with = test_replaced(square, "<library_controllers/>", to);
        char *text = test_replaced(with, "instance_geometry url=\"#g\"",
                                   i == 1 ? "instance_controller url=\"#m\""
                                          : "instance_controller url=\"#c\"");
        assert_int_equal(parse(text, &buffer, NULL), PSB_OK);
        ASSERT_NEAR(buffer.mesh.vertices[3], far[i], 0);
        free(with);
        free(text);
    }
    psb_mesh_buffer_free(&buffer);
}

static void encodings_are_read(void **state) {
    (void)state;
    psb_mesh_buffer buffer = {0};
    psb_error error;
    psb_text wide = {0};
    psb_text_add_bytes(&wide, "\xff\xfe", 2);
    for (const char *at = strchr(square, '\n') + 1; *at != '\0'; at++) {
        const char both[2] = {*at, '\0'};
        psb_text_add_bytes(&wide, both, 2);
    }
    assert_int_equal(psb_mesh_parse("a.dae", wide.data, wide.length, &buffer, &error), PSB_OK);
    assert_int_equal(buffer.mesh.ntriangles, 2);
    psb_text_free(&wide);
    read_with("<?xml version=\"1.0\"?>",
              "<?xml version=\"1.0\" encoding=\"windows-1252\"?><!-- \xe4\x80 -->", &buffer);
    /* Under any name, and within any blanks. */
    const char *padded = "\n <!-- x --><COLLADA";
    char *text = test_replaced(strchr(square, '\n'), "<COLLADA", padded);
    assert_int_equal(psb_mesh_parse("a.off", text, strlen(text), &buffer, &error), PSB_OK);
    free(text);
    psb_mesh_buffer_free(&buffer);
}

static void damage_is_named(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"</COLLADA>", "", "a.dae:14: its XML is broken: no element found"},
        {"</mesh>", "</mash>", "a.dae:9: its XML is broken: mismatched tag"},
        {"<COLLADA", "<!DOCTYPE COLLADA [<!ENTITY a \"b\">]><COLLADA",
         "a.dae:2: its document type declares entities or attributes, which is refused"},
        {"<COLLADA", "<KOLLADA", NULL},
        {"1.4.1", "1.3.0", "a.dae:2: COLLADA of version 1.3.0, but 1.4 and 1.5 are read"},
        {"url=\"#g\"", "url=\"#h\"",
         "a.dae:12: <instance_geometry> names '#h', but the file has no <geometry> of this id"},
        {"url=\"#g\"", "url=\"b.dae#g\"",
         "a.dae:12: <instance_geometry> names 'b.dae#g', which is not in this file: other files "
         "are not read"},
        {"instance_geometry url=\"#g\"", "instance_node url=\"b.dae#n\"",
         "a.dae:12: <instance_node> names 'b.dae#n', which is not in this file: other files are "
         "not read"},
        {"url=\"#g\"", "url=\"#\"",
         "a.dae:12: <instance_geometry> names '#', but the file has no <geometry> of this id"},
        {"url=\"#g\"", "",
         "a.dae:12: <instance_geometry> names '', which is not in this file: other files are not "
         "read"},
        {"<library_nodes/>", "<geometry id=\"g\"/>",
         "a.dae:12: names 'g', which is the id of several elements <geometry>"},
        {"<p>0 1 2", "<p>0 1 4", "a.dae:8: index 4, but there are 4 positions"},
        {"<p>0 1 2", "<p>0 -1 2", "a.dae:8: index -1, but there are 4 positions"},
        {"<p>0 1 2", "<p>0 x 2", "a.dae:8: <p> has 'x' where an index is expected"},
        {"<p>0 1 2", "<p>0 2", "a.dae:8: 5 corners, which are not triangles"},
        {"offset=\"0\"", "offset=\"3\"", "a.dae:8: <p> has '' where an index is expected"},
        {"offset=\"0\"", "offset=\"x\"",
         "a.dae:8: <input> has the offset 'x', which is no whole number from 0 on"},
        {"count=\"2\"", "count=\"3\"", "a.dae:8: <triangles> has a count of 3, but there are 2"},
        {"<p>0 1 2 1 3 2</p>", "", "a.dae:8: <triangles> has a count of 2, but no <p>"},
        {"semantic=\"VERTEX\"", "", "a.dae:8: <triangles> has no input of VERTEX"},
        {"semantic=\"POSITION\"", "", "a.dae:7: <vertices> has no input of POSITION"},
        {"1 1 0</float_array>", "1 1</float_array>",
         "a.dae:5: has no numbers left for position 3 of 4"},
        {"1 1 0</float_array>", "1 NaN 0</float_array>",
         "a.dae:5: 'NaN' is not a number, in position 3"},
        {"1 1 0</float_array>", "1 1e999 0</float_array>",
         "a.dae:4: geometry 'g' has a coordinate inf at position 3"},
        {"1 1 0</float_array>", "1 1e308 0</float_array>", NULL},
        {"stride=\"3\"", "stride=\"2\"", "a.dae:6: positions of 2 numbers, expected 3"},
        {"<param name=\"Z\"/>", "<param/>", "a.dae:6: positions of 2 numbers, expected 3"},
        {"stride=\"3\"", "stride=\"99999999999\"",
         "a.dae:6: <accessor> has the stride '99999999999', which is no whole number from 0 on"},
        {"<technique_common>", "<extra/><technique>", NULL},
        {"<p>0 1 2 1 3 2</p></triangles>",
         "<p>0 1 2 1 3 2</p></triangles><polygons count=\"1\"><ph><p>0 1 3 2</p><h>0 1 "
         "2</h></ph></polygons>",
         "a.dae:8: a polygon with holes (<ph>), which is not read"},
        {"<mesh>", "<convex_mesh convex_hull_of=\"#x\"/><mesh>",
         "a.dae:4: the convex hull of another geometry, which is not read"},
        {"<mesh>", "<brep/><mesh>",
         "a.dae:4: a boundary representation (<brep>), which is not read"},
        {"<instance_geometry", "<translate>1 2</translate><instance_geometry",
         "a.dae:12: <translate> has '' where number 3 of 3 is expected"},
        {"<instance_geometry", "<translate>1,5 2 0</translate><instance_geometry",
         "a.dae:12: <translate> has '1,5' where number 1 of 3 is expected"},
        {"<instance_geometry", "<skew>45 1 1 0 0 1 0</skew><instance_geometry",
         "a.dae:12: <skew> has axes that make no transform"},
        {"<instance_geometry", "<skew>45 1 0 0 1 0 0</skew><instance_geometry",
         "a.dae:12: <skew> has axes that make no transform"},
        {"<instance_geometry", "<lookat>0 0 0 0 5 0 0 1 0</lookat><instance_geometry",
         "a.dae:12: <lookat> has axes that make no transform"},
        {"<instance_geometry", "<scale>1 2 3 4</scale><instance_geometry",
         "a.dae:12: <scale> has more than 3 numbers"},
        {"<node>", "<node id=\"n\"><instance_node url=\"#n\"/>",
         "a.dae:12: objects or nodes lie more than 256 deep: one may contain itself"},
        {"<instance_geometry url=\"#g\"/>", "",
         "a.dae: an empty mesh: no node of the scene has polygons"},
    };
    psb_mesh_buffer buffer = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        psb_error error = {0};
        char *text = test_replaced(square, cases[i].from, cases[i].to);
        psb_status status = parse(text, &buffer, &error);
        if (cases[i].message != NULL &&
            (status != PSB_ERROR_INPUT || strcmp(error.message, cases[i].message) != 0)) {
            fail_msg("%s: %d, %s", cases[i].to, status, error.message);
        }
        free(text);
    }
    psb_mesh_buffer_free(&buffer);
}

/* What a few bytes ask for is refused in time: each node of the 40 places the one before twice. */
static void repetition_is_bounded(void **state) {
    (void)state;
    for (int with = 0; with < 2; with++) {
        psb_mesh_buffer buffer = {0};
        psb_error error = {0};
        psb_text nodes = {0};
        psb_text_printf(&nodes, "<library_nodes><node id=\"n0\">%s</node>",
                        with ? "<instance_geometry url=\"#g\"/>" : "");
        for (int i = 1; i <= 40; i++) {
            psb_text_printf(&nodes,
                            "<node id=\"n%d\"><instance_node url=\"#n%d\"/><instance_node "
                            "url=\"#n%d\"/></node>",
                            i, i - 1, i - 1);
        }
        psb_text_add(&nodes, "</library_nodes>");
        char *with_nodes = test_replaced(square, "<library_nodes/>", nodes.data);
        char *text = test_replaced(with_nodes, "instance_geometry url=\"#g\"/></node>\n",
                                   "instance_node url=\"#n40\"/></node>\n");
        assert_int_equal(parse(text, &buffer, &error), PSB_ERROR_INPUT);
        assert_non_null(strstr(error.message, "objects or nodes that are allowed"));
        free(with_nodes);
        free(text);
        psb_text_free(&nodes);
        psb_mesh_buffer_free(&buffer);
    }
}

static void depth_is_bounded(void **state) {
    (void)state;
    psb_mesh_buffer buffer = {0};
    psb_error error = {0};
    psb_text deep = {0};
    for (int i = 0; i < 100000; i++) {
        psb_text_add(&deep, "<node>");
    }
    char *text = test_replaced(square, "<node>", deep.data);
    assert_int_equal(parse(text, &buffer, &error), PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "elements lie more than 256 deep"));
    free(text);
    psb_text_free(&deep);
    psb_mesh_buffer_free(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(primitives_are_alike),
        cmocka_unit_test(sources_are_alike),
        cmocka_unit_test(transforms_are_placed),
        cmocka_unit_test(skews_turn_their_axis),
        cmocka_unit_test(mirrors_turn_polygons),
        cmocka_unit_test(nodes_repeat_others),
        cmocka_unit_test(controllers_place_their_mesh),
        cmocka_unit_test(encodings_are_read),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(repetition_is_bounded),
        cmocka_unit_test(depth_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void the_missing_library_is_named(void **state) {
    (void)state;
    psb_mesh_buffer buffer = {0};
    psb_error error;
    assert_int_equal(psb_mesh_parse("a.dae", "<COLLADA/>", 10, &buffer, &error), PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "built without expat"));
    psb_mesh_buffer_free(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_missing_library_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
