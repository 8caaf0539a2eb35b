/*
 * Connected components, counted as the published annotations count them: a flood from every face
 * that no earlier flood has reached. A flood follows an edge to the faces that its sides remember,
 * so one that starts at a forgotten face (see edges.h) may end at once and still counts.
 */
#include "annotate/annotate.h"
#include "core/memory.h"

typedef struct flood {
    bool *reached; /* per face */
    size_t *stack; /* faces that are reached, but whose edges were not yet followed */
} flood;

static void run(const psb_edges *edges, flood *f, size_t seed) {
    size_t waiting = 0;
    f->reached[seed] = true;
    f->stack[waiting++] = seed;
    while (waiting > 0) {
        size_t face = f->stack[--waiting];
        for (size_t i = 0; i < 6; i++) {
            size_t other = edges->faces[edges->of_corner[3 * face + i / 2]][i % 2];
            if (other != PSB_NO_FACE && !f->reached[other]) {
                f->reached[other] = true;
                f->stack[waiting++] = other;
            }
        }
    }
}

psb_status psb_count_components(const psb_edges *edges, size_t *count, psb_error *error) {
    flood f = {0};
    size_t n = edges->ntriangles;
    psb_status status = PSB_OK;
    f.reached = psb_new_zero(&status, n, sizeof *f.reached, "faces", error);
    f.stack = psb_new(&status, n, sizeof *f.stack, "faces", error);
    if (status == PSB_OK) {
        *count = 0;
        for (size_t seed = 0; seed < n; seed++) {
            if (!f.reached[seed]) {
                run(edges, &f, seed);
                ++*count;
            }
        }
    }
    free(f.reached);
    free(f.stack);
    return status;
}
