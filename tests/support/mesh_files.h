/* Checks what mesh files are read as, for the tests of each format. */
#pragma once

#include "io/mesh.h"

/* For test_each_file: checks that the file reads as the mesh whose text is `expected`. */
void test_mesh_reads(const char *path, const char *expected);
/* Checks that the file is refused with this message, and leaves an empty mesh. */
void test_mesh_refuses(const char *path, const char *expected);

/* Checks that the mesh is empty. */
void test_mesh_is_empty(const psb_mesh *mesh);
/* Checks that both have the same bytes; does not compare npolygons. */
void test_meshes_are_equal(const psb_mesh *a, const psb_mesh *b);
/* Checks what psb_mesh promises: finite coordinates, indices in range, at least one triangle. */
void test_mesh_keeps_promises(const psb_mesh *mesh);
