/*
 * The regular dodecahedron from whose vertices the light field descriptor looks at a model (Chen,
 * Tian, Shen, Ouhyoung 2003), and its rotations.
 *
 * Silhouettes from opposite vertices are mirror images. So ten of the twenty vertices represent
 * their pairs, the axes. A rotation of the dodecahedron permutes the ten axes.
 */
#ifndef PSB_LIGHTFIELD_DODECAHEDRON_H
#define PSB_LIGHTFIELD_DODECAHEDRON_H

#include <stdint.h>

enum {
    PSB_AXES = 10,      /* pairs of opposite vertices */
    PSB_ROTATIONS = 60, /* proper rotations that map the dodecahedron to itself */
};

/* One vertex of each axis. Edge 3 - sqrt5, circumradius 1.07047; axis z through two faces. */
void psb_dodecahedron_vertices(double vertex[PSB_AXES][3]);

/*
 * The rotation group on the axes: rotation r carries axis m to axis rotation[r][m]. The sixty
 * permutations are distinct and closed under composition and inversion.
 */
void psb_dodecahedron_rotations(uint8_t rotation[PSB_ROTATIONS][PSB_AXES]);

#endif
