/* Points as an array of NumPy: N x 3, N x 6 with normals, or one row of x, y, z and so on. */
#include "io/format.h"
#include "io/npy.h"

static psb_status parse(psb_scan *s, psb_mesh_buffer *buffer) {
    PSB_AT_END(psb_npy_close) psb_npy npy = {0};
    psb_status status =
        psb_npy_parse(s->path, s->begin, (size_t)(s->end - s->begin), &npy, s->error);
    s->begin = NULL;
    if (status != PSB_OK) {
        return status;
    }
    size_t columns = npy.columns, n = npy.rows;
    if (n == 1 && columns > 6 && columns % 3 == 0) {
        n = columns / 3;
        columns = 3;
    }
    if ((columns != 3 && columns != 6) || npy.element != PSB_FLOAT32) {
        status = PSB_SCAN_FAIL(s, "%zu x %zu numbers%s: points are N x 3, or N x 6 with normals", n,
                               columns, npy.element != PSB_FLOAT32 ? " of 8 bits" : "");
    }
    PSB_THEN(status, psb_grow_points(s, buffer, n));
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        double values[6];
        for (size_t c = 0; c < columns; c++) {
            values[c] = (double)((const float *)npy.data)[columns * i + c];
        }
        psb_point_add(buffer, values, columns == 6 ? values + 3 : NULL);
    }
    return status;
}

static psb_likeness looks_like(const char *data, size_t size) {
    return size > 6 && memcmp(data, "\x93NUMPY", 6) == 0 ? PSB_SURE : PSB_UNLIKE;
}

const psb_mesh_format psb_format_points_npy = {
    .name = "an array of points",
    .endings = {"npy"},
    .points = true,
    .looks_like = looks_like,
    .parse = parse,
};
