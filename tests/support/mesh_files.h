/* Mesh files and what they should be read as, for the tests of each format. */
#ifndef PSB_TESTS_SUPPORT_MESH_FILES_H
#define PSB_TESTS_SUPPORT_MESH_FILES_H

#include "io/mesh.h"

/* For test_each_file: the file reads as the mesh whose text is `expected`. */
void test_mesh_reads(const char *path, const char *expected);
/* The file is refused with this message, and leaves an empty mesh. */
void test_mesh_refuses(const char *path, const char *expected);

/* The mesh is empty. */
void test_mesh_is_empty(const psb_mesh *mesh);
/* Both have the same bytes; polygons are not looked at. */
void test_meshes_are_equal(const psb_mesh *a, const psb_mesh *b);
/* What psb_mesh promises: finite coordinates, indices in range, at least one triangle. */
void test_mesh_keeps_promises(const psb_mesh *mesh);

#endif
