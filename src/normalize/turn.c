/* Converts a random point of the unit sphere in four dimensions to a rotation (Shoemake 1992). */
#include "normalize/turn.h"

#include "core/random.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

void psb_turn_random(uint64_t seed, const char *model, double rotation[3][3]) {
    psb_random random = psb_random_seeded(seed, model, "turn");
    double q[4], square;
    do { /* until the point of the cube is in the ball */
        square = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = 2 * psb_random_unit(&random) - 1;
            square += q[k] * q[k];
        }
    } while (square > 1 || square < 1e-6);
    double w = q[0], x = q[1], y = q[2], z = q[3], s = 2 / square;
    const double rows[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                               {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                               {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
    memcpy(rotation, rows, sizeof rows);
}

void psb_turn_mesh(psb_mesh *mesh, double rotation[3][3]) {
    for (size_t v = 0; v < mesh->nvertices; v++) {
        double *p = mesh->vertices + 3 * v, turned[3];
        for (int k = 0; k < 3; k++) {
            turned[k] = psb_dot(rotation[k], p);
        }
        memcpy(p, turned, sizeof turned);
    }
}
