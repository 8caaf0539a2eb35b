/* Replaces the vertices of a cell by their mean; triangles in fewer than three cells vanish. */
#include "render/solid.h"

#include "core/vector.h"

enum { FINEST = 128, COARSEST = 4 };

typedef struct box {
    double low[3], side; /* corner and longest side of a cube around the faces */
} box;

/* What is left of a mesh. */
typedef struct coarse {
    size_t nvertices, ntriangles;
    const double *vertices;
    const uint32_t *triangles;
} coarse;

static bool bound(const psb_mesh *mesh, box *b) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * mesh->ntriangles; i++) {
        for (size_t k = 0; k < 3; k++) {
            double x = mesh->vertices[3 * (size_t)mesh->triangles[i] + k];
            low[k] = psb_min(low[k], x);
            high[k] = psb_max(high[k], x);
        }
    }
    b->side = psb_max(high[0] - low[0], psb_max(high[1] - low[1], high[2] - low[2]));
    for (int k = 0; k < 3; k++) {
        b->low[k] = 0.5 * (low[k] + high[k]) - 0.5 * b->side;
    }
    return isfinite(b->side) && b->side > 0;
}

/* Finds the cell of each vertex; a vertex without a face may lie outside of the cube. */
static void find_cells(const psb_mesh *mesh, const box *b, size_t grid, uint32_t *cell) {
    const double size = (double)grid, last = size - 1;
    for (size_t v = 0; v < mesh->nvertices; v++) {
        uint32_t at[3];
        for (size_t k = 0; k < 3; k++) {
            double x = (mesh->vertices[3 * v + k] - b->low[k]) / b->side * size;
            at[k] = (uint32_t)(int32_t)psb_min(psb_max(x, 0), last);
        }
        cell[v] = (at[0] * (uint32_t)grid + at[1]) * (uint32_t)grid + at[2];
    }
}

static psb_status reserve(psb_solid *s, const psb_mesh *mesh, size_t cells, size_t triangles,
                          psb_error *error) {
    static const char what[] = "a model for the pages";
    size_t vertices = 3 * triangles;
    psb_status status =
        psb_buffer_reserve(&s->cells, mesh->nvertices, sizeof(uint32_t), what, error);
    PSB_THEN(status, psb_buffer_reserve(&s->numbers, cells, sizeof(uint16_t), what, error));
    PSB_THEN(status, psb_buffer_reserve(&s->vertices, vertices, 3 * sizeof(double), what, error));
    PSB_THEN(status, psb_buffer_reserve(&s->counts, vertices, sizeof(uint32_t), what, error));
    return PSB_THEN(
        status, psb_buffer_reserve(&s->triangles, triangles, 3 * sizeof(uint32_t), what, error));
}

/* Adds a corner to the vertex *number - 1 of its cell, or to a new one if *number is 0. */
static uint32_t add_corner(const psb_solid *s, uint16_t *number, const double *corner, coarse *c) {
    double *vertices = s->vertices.data;
    uint32_t *counts = s->counts.data;
    if (*number == 0) {
        memset(vertices + 3 * c->nvertices, 0, 3 * sizeof *vertices);
        counts[c->nvertices++] = 0;
        *number = (uint16_t)c->nvertices;
    }
    uint32_t v = *number - 1u;
    counts[v]++;
    for (size_t i = 0; i < 3; i++) {
        vertices[3 * (size_t)v + i] += corner[i];
    }
    return v;
}

/*
 * Makes the vertices in each cell of a grid one; false if more than `most` triangles are left.
 * Vertices get their numbers as triangles name them: at most one in a cell, three of a triangle.
 */
static bool draw_together(const psb_solid *s, const psb_mesh *mesh, const box *b, size_t grid,
                          size_t most, coarse *c) {
    uint32_t *cells = s->cells.data, *triangles = s->triangles.data;
    uint16_t *number = s->numbers.data;
    const uint32_t *counts = s->counts.data;
    double *vertices = s->vertices.data;
    find_cells(mesh, b, grid, cells);
    memset(number, 0, grid * grid * grid * sizeof *number);
    *c = (coarse){0, 0, vertices, triangles};
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *corner = mesh->triangles + 3 * t;
        const uint32_t cell[3] = {cells[corner[0]], cells[corner[1]], cells[corner[2]]};
        if (cell[0] == cell[1] || cell[1] == cell[2] || cell[2] == cell[0]) {
            continue;
        }
        if (c->ntriangles == most) {
            return false;
        }
        for (size_t k = 0; k < 3; k++) {
            triangles[3 * c->ntriangles + k] =
                add_corner(s, &number[cell[k]], mesh->vertices + 3 * (size_t)corner[k], c);
        }
        c->ntriangles++;
    }
    for (size_t v = 0; v < c->nvertices; v++) {
        for (size_t i = 0; i < 3; i++) {
            vertices[3 * v + i] /= counts[v];
        }
    }
    return true;
}

static uint8_t *put(uint8_t *at, size_t number) {
    at[0] = (uint8_t)number;
    at[1] = (uint8_t)(number >> 8);
    return at + 2;
}

/* Puts a difference, its sign in the lowest bit, in groups of seven bits: the high bit says that
 * another one follows. */
static uint8_t *put_difference(uint8_t *at, uint32_t before, uint32_t now) {
    uint32_t left = now < before ? 2 * (before - now) - 1 : 2 * (now - before);
    for (; left > 127; left >>= 7) {
        *at++ = (uint8_t)(left | 128);
    }
    *at = (uint8_t)left;
    return at + 1;
}

static psb_status add_bytes(psb_solid *s, const coarse *c, const box *b, psb_text *out,
                            psb_error *error) {
    enum { LONGEST = 3 }; /* bytes of a difference */
    size_t most = 4 + 6 * c->nvertices + 3 * LONGEST * c->ntriangles;
    psb_status status = psb_buffer_reserve(&s->bytes, most, 1, "a model for the pages", error);
    if (status != PSB_OK) {
        return status;
    }
    uint8_t *begin = s->bytes.data, *at = put(put(begin, c->nvertices), c->ntriangles);
    for (size_t i = 0; i < 3 * c->nvertices; i++) {
        double x = (c->vertices[i] - b->low[i % 3]) / b->side;
        at = put(at, (size_t)(65535 * psb_min(psb_max(x, 0), 1) + 0.5));
    }
    for (size_t i = 0; i < 3 * c->ntriangles; i++) {
        at = put_difference(at, i > 0 ? c->triangles[i - 1] : 0, c->triangles[i]);
    }
    psb_text_add_base64(out, begin, (size_t)(at - begin));
    return PSB_OK;
}

psb_status psb_solid_add(psb_solid *solid, const psb_mesh *mesh, size_t most, psb_text *out,
                         psb_error *error) {
    box b;
    coarse c = {mesh->nvertices, mesh->ntriangles, mesh->vertices, mesh->triangles};
    if (!bound(mesh, &b)) {
        return PSB_OK;
    }
    if (mesh->ntriangles <= most && mesh->nvertices <= UINT16_MAX) {
        return add_bytes(solid, &c, &b, out, error);
    }
    /* A surface that fills the cube's sides has about this many cells. */
    size_t grid = (size_t)fmin(fmax(1.2 * sqrt((double)most), COARSEST), FINEST);
    psb_status status = reserve(solid, mesh, grid * grid * grid, most, error);
    while (status == PSB_OK && !draw_together(solid, mesh, &b, grid, most, &c)) {
        if (grid <= COARSEST) {
            return PSB_OK; /* the coarsest grid leaves too many */
        }
        grid = grid * 7 / 8 > COARSEST ? grid * 7 / 8 : COARSEST;
    }
    return PSB_THEN(status, add_bytes(solid, &c, &b, out, error));
}

void psb_solid_free(psb_solid *solid) {
    psb_buffer_free(&solid->cells);
    psb_buffer_free(&solid->numbers);
    psb_buffer_free(&solid->vertices);
    psb_buffer_free(&solid->triangles);
    psb_buffer_free(&solid->counts);
    psb_buffer_free(&solid->bytes);
}
