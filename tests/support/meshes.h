/* Makes meshes with known integrals, and changes them as descriptors must or must not notice. */
#pragma once

#include "core/random.h"
#include "psbench.h"

/* Free each mesh with psb_mesh_free; if memory runs out, the test program ends. */
psb_mesh test_box(double x, double y, double z);              /* centred at the origin */
psb_mesh test_sphere(double radius, int rings, int segments); /* centred at the origin */
psb_mesh test_blob(uint64_t seed, size_t ntriangles); /* random triangles in a lopsided box */
psb_mesh test_copy(const psb_mesh *mesh);
/* Returns a mesh in which every triangle is cut in four at its edges' midpoints. */
psb_mesh test_subdivide(const psb_mesh *mesh);
/* Puts faces in another order, and turns and flips the corners of each at random. */
void test_shuffle(psb_mesh *mesh, uint64_t seed);
/* Replaces each vertex p by matrix p + shift. */
void test_transform(psb_mesh *mesh, const double matrix[3][3], const double shift[3]);
void test_rotation(double axis_x, double axis_y, double axis_z, double angle, double out[3][3]);

/* Returns the Euclidean distance of two rows. */
double test_row_distance(const float *a, const float *b, size_t n);

/* Describes a mesh in a fresh shape with fresh tables; fails the test on an error. */
void test_describe(const char *spec, const psb_mesh *mesh, const char *id, float *row);
