/*
 * Points as text, a line each (.xyz, .pts, .txt): x, y, z and what else there may be, separated by
 * blanks, commas or semicolons. If each line has six numbers, of which the last three are a vector
 * of length 1, these are its normals. A first line may have the number of points; # starts a
 * comment.
 */
#include "io/format.h"

#include <math.h>

enum { COLUMNS = 6 };

/* Reads the line's first six numbers; returns how many there are, or -1 if one is none. */
static int read_line(psb_scan *s, double values[COLUMNS]) {
    int n = 0;
    while (psb_scan_next_on_line(s)) {
        double value;
        if (!psb_scan_double(&s->at, s->end, &value) || !isfinite(value)) {
            return -1;
        }
        if (n < COLUMNS) {
            values[n] = value;
        }
        n++;
        psb_scan_next_on_line(s);
        if (s->at < s->end && (*s->at == ',' || *s->at == ';')) {
            s->at++;
        }
    }
    return n;
}

static psb_status parse(psb_scan *s, psb_mesh_buffer *buffer) {
    psb_mesh *mesh = &buffer->mesh;
    double expected = -1;
    psb_status status = PSB_OK;
    s->comment = '#';
    psb_scan_take(s, "\xef\xbb\xbf");
    while (status == PSB_OK && psb_scan_next(s)) {
        double values[COLUMNS];
        const psb_scan start = *s;
        int n = read_line(s, values);
        if (n == 1 && mesh->nvertices == 0 && expected < 0) {
            expected = values[0];
        } else if (n < 3) {
            status = n < 0 ? psb_scan_fail_token(s, "a finite number")
                           : PSB_SCAN_FAIL(&start, "%d of a point's 3 coordinates", n);
        } else {
            status = psb_grow_points(s, buffer, mesh->nvertices + 1);
            if (status == PSB_OK) {
                psb_point_add(buffer, values, n >= COLUMNS ? values + 3 : NULL);
            }
        }
    }
    return status == PSB_OK && expected >= 0 && expected != (double)mesh->nvertices
               ? PSB_SCAN_FAIL(s, "%zu points, but the first line says %.15g", mesh->nvertices,
                               expected)
               : status;
}

/* Any text that begins with a number could be points. */
static psb_likeness looks_like(const char *data, size_t size) {
    psb_scan s = {.begin = data, .at = data, .end = data + size, .comment = '#'};
    double value;
    psb_scan_take(&s, "\xef\xbb\xbf");
    return psb_scan_next(&s) && psb_scan_double(&s.at, s.end, &value) ? PSB_POSSIBLE : PSB_UNLIKE;
}

const psb_mesh_format psb_format_points_text = {
    .name = "a text of points",
    .endings = {"xyz", "pts", "txt"},
    .points = true,
    .looks_like = looks_like,
    .parse = parse,
};
