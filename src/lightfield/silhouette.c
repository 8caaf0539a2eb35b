/* Chooses a rasterizer, and prepares meshes for it. */
#include "lightfield/silhouette_kernel.h"

#include <math.h>
#include <string.h>

PSB_SET_KERNELS(psb_silhouette_kernels, psb_silhouette_kernel, psb_silhouette_of)

void psb_silhouette_draw_with(const psb_silhouette_kernel *kernel, const psb_drawing *drawing,
                              const psb_camera view[PSB_PAIR], psb_bitmap image[PSB_PAIR]) {
    psb_canvas canvas[PSB_PAIR];
    memset(canvas, 0, sizeof canvas);
    kernel->draw(drawing, view, canvas);
    for (int y = 0; y < PSB_PAIR * PSB_SIDE; y++) {
        for (int word = 0; word < PSB_WORDS; word++) {
            image[y / PSB_SIDE].row[y % PSB_SIDE][word] =
                canvas[y / PSB_SIDE].column[word][y % PSB_SIDE];
        }
    }
}

void psb_silhouette_draw(const psb_drawing *drawing, const psb_camera view[PSB_PAIR],
                         psb_bitmap image[PSB_PAIR]) {
    psb_silhouette_draw_with(psb_cpu_choose(psb_silhouette_kernels), drawing, view, image);
}

/* Finds the box of the triangles of a group along each axis; that of none is less than empty. */
static void bound_group(const psb_drawing *drawing, psb_draw_block *block, size_t group, size_t n) {
    const double *const axis[3] = {drawing->points.x, drawing->points.y, drawing->points.z};
    for (int i = 0; i < 3; i++) {
        double low = n > 0 ? INFINITY : 1.0, high = -low;
        for (size_t k = 0; k < 3; k++) {
            for (size_t t = 0; t < n; t++) {
                double at = axis[i][block->corner[group][k][t]];
                low = at < low ? at : low;
                high = at > high ? at : high;
            }
        }
        block->middle[i][group] = (float)((low + high) / 2.0);
        block->half[i][group] = (float)((high - low) / 2.0);
    }
}

void psb_drawing_close(psb_drawing *drawing, size_t n) {
    static const uint32_t nothing[3] = {0, 0, 0};
    drawing->nblocks = psb_draw_blocks(n);
    for (size_t t = n; t < PSB_DRAW_BLOCK * drawing->nblocks; t++) {
        psb_drawing_put(drawing, t, nothing);
    }
    for (size_t k = 0; k < PSB_DRAW_GROUP * drawing->nblocks; k++) {
        size_t rest = n > PSB_DRAW_GROUP * k ? n - PSB_DRAW_GROUP * k : 0;
        bound_group(drawing, &drawing->block[k / PSB_DRAW_GROUP], k % PSB_DRAW_GROUP,
                    rest < PSB_DRAW_GROUP ? rest : PSB_DRAW_GROUP);
    }
}
