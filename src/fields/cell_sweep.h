/*
 * Divides a convex polygon at ascending borders, which are planes through the axis z or the origin.
 * Integers, the keys, say on which side of a border each corner lies. If rounding makes the keys
 * contradict the coordinates, the part that is cut off wrongly is as small as the error.
 */
#ifndef PSB_FIELDS_CELL_SWEEP_H
#define PSB_FIELDS_CELL_SWEEP_H

/*
 * Coordinates of a point in the pose, turned so that the pole is z. U is the distance from the axis
 * along the middle of the point's column; on the meridian between two columns it is the same.
 */
enum { PSB_X, PSB_Y, PSB_Z, PSB_U, PSB_COORDINATES };

typedef struct psb_cell_vertex {
    double at[PSB_COORDINATES];
    int azimuth; /* 2i on the meridian that begins column i, 2i + 1 within the column, -1: on z */
    int row;
} psb_cell_vertex;

enum {
    /* Corners of a polygon that is swept; each of its parts may have four more. */
    PSB_SWEEP_CORNERS = 5,
    PSB_PART_CORNERS = PSB_SWEEP_CORNERS + 4,
};

typedef struct psb_polygon {
    const psb_cell_vertex *const *corner;
    int corners;
} psb_polygon;

enum { PSB_SWEEP_MIDDLE = PSB_SWEEP_CORNERS + 2 };

/*
 * Two ways lead along the edges from the corner with the least key to the corner with the greatest;
 * each border cuts one edge on either way.
 */
typedef struct psb_sweep {
    psb_polygon whole;
    const int *key;
    int left, right; /* the last corners before the border, on either way */
    int turn;        /* which of each two below is for the next part */
    int first, end;  /* of that part, so far */
    const psb_cell_vertex *part[2][2 * PSB_SWEEP_MIDDLE];
} psb_sweep;

/* `whole` and `key`, one for each corner, must last as long as the sweep. */
void psb_sweep_begin(psb_sweep *s, psb_polygon whole, const int *key);

/*
 * Cuts off the next part, up to the border where f, linear in the coordinates k and k + 1, is 0.
 * Corners with a key of at most `level` lie before the border, at least one beyond. `cut` gets the
 * coordinates of the two new corners, which belong to this part and the next. The part is valid
 * until the next but one is taken.
 */
psb_polygon psb_sweep_next(psb_sweep *s, int level, const double f[2], int k,
                           psb_cell_vertex cut[2]);

/* The last part, behind all borders. */
psb_polygon psb_sweep_rest(psb_sweep *s);

#endif
