/* Groups corners by their edge's lower vertex, then tells them apart by the other. */
#include "annotate/edges.h"

#include "core/memory.h"

/* Scratch of the grouping. neighbor[v] == v: the vertex has no proper edge. */
typedef struct grouping {
    uint32_t *neighbor; /* nvertices: other end of the first edge made at the vertex */
    size_t *start;      /* nvertices + 2: where the bucket of a lower vertex starts */
    size_t *corners;    /* corners, bucket by bucket, in the file's order within each */
    size_t *edge;       /* nvertices: last edge found with this upper vertex ... */
    size_t *stamp;      /* ... and the lower vertex that it belongs to, plus 1 */
} grouping;

static void free_grouping(grouping *g) {
    free(g->neighbor);
    free(g->start);
    free(g->corners);
    free(g->edge);
    free(g->stamp);
}

static psb_status allocate(const psb_mesh *mesh, grouping *g, psb_edges *edges, psb_error *error) {
    static const char what[] = "edges";
    size_t n = mesh->nvertices, corners = 3 * mesh->ntriangles;
    psb_status status = PSB_OK;
    g->neighbor = psb_new_zero(&status, n, sizeof *g->neighbor, what, error);
    g->start = psb_new_zero(&status, n + 2, sizeof *g->start, what, error);
    g->corners = psb_new(&status, corners, sizeof *g->corners, what, error);
    g->edge = psb_new(&status, n, sizeof *g->edge, what, error);
    g->stamp = psb_new_zero(&status, n, sizeof *g->stamp, what, error);
    edges->faces = psb_new(&status, corners, sizeof *edges->faces, what, error);
    edges->of_corner = psb_new(&status, corners, sizeof *edges->of_corner, what, error);
    return status;
}

static size_t next_corner(size_t corner) {
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/* Sets neighbor[]. stamp[] marks vertices that have one, and is cleared for its second use. */
static void find_neighbors(const psb_mesh *mesh, grouping *g) {
    for (size_t c = 0; c < 3 * mesh->ntriangles; c++) {
        uint32_t ends[2] = {mesh->triangles[c], mesh->triangles[next_corner(c)]};
        for (int i = 0; i < 2; i++) {
            if (g->stamp[ends[i]] == 0) {
                g->stamp[ends[i]] = 1;
                g->neighbor[ends[i]] = ends[1 - i];
            }
        }
    }
    memset(g->stamp, 0, mesh->nvertices * sizeof *g->stamp);
}

typedef struct directed_edge {
    uint32_t low, high;
    int side; /* 0: the edge runs from low to high */
} directed_edge;

static directed_edge edge_at(const psb_mesh *mesh, const grouping *g, size_t corner) {
    uint32_t from = mesh->triangles[corner], to = mesh->triangles[next_corner(corner)];
    if (from == to) {
        to = g->neighbor[from];
    }
    return from <= to ? (directed_edge){from, to, 0} : (directed_edge){to, from, 1};
}

static void fill_buckets(const psb_mesh *mesh, grouping *g) {
    size_t corners = 3 * mesh->ntriangles;
    for (size_t c = 0; c < corners; c++) {
        g->start[edge_at(mesh, g, c).low + 2]++;
    }
    for (size_t v = 2; v < mesh->nvertices + 2; v++) {
        g->start[v] += g->start[v - 1];
    }
    /* start[v + 1] moves from the bucket's start to its end, which is the start of the next. */
    for (size_t c = 0; c < corners; c++) {
        g->corners[g->start[edge_at(mesh, g, c).low + 1]++] = c;
    }
}

static void number_edges(const psb_mesh *mesh, grouping *g, psb_edges *edges) {
    for (size_t i = 0; i < 3 * mesh->ntriangles; i++) {
        size_t corner = g->corners[i];
        directed_edge d = edge_at(mesh, g, corner);
        if (g->stamp[d.high] != (size_t)d.low + 1) {
            g->stamp[d.high] = (size_t)d.low + 1;
            g->edge[d.high] = edges->count;
            edges->faces[edges->count][0] = PSB_NO_FACE;
            edges->faces[edges->count][1] = PSB_NO_FACE;
            edges->count++;
        }
        size_t e = g->edge[d.high];
        edges->of_corner[corner] = e;
        edges->faces[e][d.side] = corner / 3;
    }
}

psb_status psb_edges_make(const psb_mesh *mesh, psb_edges *edges, psb_error *error) {
    grouping g = {0};
    *edges = (psb_edges){.ntriangles = mesh->ntriangles};
    psb_status status = allocate(mesh, &g, edges, error);
    if (status == PSB_OK) {
        find_neighbors(mesh, &g);
        fill_buckets(mesh, &g);
        number_edges(mesh, &g, edges);
    }
    free_grouping(&g);
    return status;
}

void psb_edges_free(psb_edges *edges) {
    free(edges->faces);
    free(edges->of_corner);
    *edges = (psb_edges){0};
}
