/*
 * The regular dodecahedron from whose vertices the light field descriptor looks at a model (Chen,
 * Tian, Shen, Ouhyoung 2003), and its rotations.
 *
 * Silhouettes from opposite vertices are mirror images. So ten of the twenty vertices represent
 * their pairs, the axes. A rotation of the dodecahedron permutes the ten axes.
 */
#pragma once

#include <stdint.h>

enum {
    PSB_AXES = 10,      /* pairs of opposite vertices */
    PSB_ROTATIONS = 60, /* proper rotations that map the dodecahedron to itself */
};

/* One vertex of each axis. Edge 3 - sqrt5, circumradius 1.07047; axis z through two faces. */
void psb_dodecahedron_vertices(double vertex[PSB_AXES][3]);

/*
 * The rotations of a tetrahedron whose corners are among the vertices: 0, 2, 5 and 8 are its axes.
 * Of the other axes 3 and 4, 1 and 9, 6 and 7 are pairs that stay pairs. Rotation k carries axis m
 * to axis psb_tetrahedral[k][m].
 */
enum { PSB_TETRAHEDRAL = 12 };
static const uint8_t psb_tetrahedral[PSB_TETRAHEDRAL][PSB_AXES] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {5, 9, 8, 3, 4, 0, 7, 6, 2, 1}, {2, 1, 0, 4, 3, 8, 7, 6, 5, 9},
    {8, 9, 5, 4, 3, 2, 6, 7, 0, 1}, {0, 4, 5, 6, 7, 8, 9, 1, 2, 3}, {8, 3, 2, 6, 7, 0, 1, 9, 5, 4},
    {5, 4, 0, 7, 6, 2, 1, 9, 8, 3}, {2, 3, 8, 7, 6, 5, 9, 1, 0, 4}, {0, 7, 8, 9, 1, 2, 3, 4, 5, 6},
    {2, 6, 5, 9, 1, 0, 4, 3, 8, 7}, {8, 7, 0, 1, 9, 5, 4, 3, 2, 6}, {5, 6, 2, 1, 9, 8, 3, 4, 0, 7},
};

/*
 * The rotation group on the axes: rotation r carries axis m to axis rotation[r][m]. The sixty
 * permutations are distinct and closed under composition and inversion. They come in five dozens:
 * the tetrahedral ones, and these followed by one other.
 */
void psb_dodecahedron_rotations(uint8_t rotation[PSB_ROTATIONS][PSB_AXES]);
