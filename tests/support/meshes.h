/* Meshes with known integrals, and changes of meshes that descriptors must or must not notice. */
#ifndef PSB_TESTS_SUPPORT_MESHES_H
#define PSB_TESTS_SUPPORT_MESHES_H

#include "core/random.h"
#include "psbench.h"

/* All are freed with psb_mesh_free; allocation failure ends the test program. */
psb_mesh test_box(double x, double y, double z);              /* centred at the origin */
psb_mesh test_sphere(double radius, int rings, int segments); /* centred at the origin */
psb_mesh test_blob(uint64_t seed, size_t ntriangles); /* random triangles in a lopsided box */
psb_mesh test_copy(const psb_mesh *mesh);
/* Every triangle cut in four at its edges' midpoints. */
psb_mesh test_subdivide(const psb_mesh *mesh);
/* Faces in another order, and the corners of each turned and flipped at random. */
void test_shuffle(psb_mesh *mesh, uint64_t seed);
/* p -> matrix p + shift */
void test_transform(psb_mesh *mesh, const double matrix[3][3], const double shift[3]);
void test_rotation(double axis_x, double axis_y, double axis_z, double angle, double out[3][3]);

/* sqrt of the sum of squared differences. */
double test_row_distance(const float *a, const float *b, size_t n);

/* Describes a mesh in a fresh shape with fresh tables; fails the test on an error. */
void test_describe(const char *spec, const psb_mesh *mesh, const char *id, float *row);

#endif
