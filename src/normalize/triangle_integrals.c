/*
 * Integrals over a triangle.
 *
 * The distance integral has a closed form. With h the distance of the origin from the triangle's
 * plane and polar coordinates (rho, phi) about the origin's foot,
 *     integral of sqrt(h^2 + rho^2) rho drho dphi = 1/3 integral of (h^2 + rho^2)^(3/2) - h^3 dphi,
 * taken along the three edges with the sign of their turn. On an edge at distance d from the foot,
 * t = d tan(phi) runs along the edge and the integrand becomes, with S = sqrt(h^2 + d^2 + t^2),
 *     d S + d h^2 / S + h^4 d / ((d^2 + t^2) S),
 * whose three terms have elementary antiderivatives.
 */
#include "normalize/triangle_integrals.h"

#include "core/elementary_kernel.h"
#include "core/vector.h"

enum { LANES = 8, ENDS = 6 * PSB_TRIANGLES };

/* The antiderivative at t, for an edge at distance d > 0 from the foot. */
PSB_INLINE double antiderivative(double h, double d, double t) {
    double r2 = h * h + d * d;
    double s = sqrt(r2 + t * t);
    double smooth = d * (0.5 * t * s + (0.5 * r2 + h * h) * psb_asinh_of(t / sqrt(r2)));
    double cone = h * h * h * (psb_atan2_of(h * t, d * s) - psb_atan2_of(t, d));
    return (smooth + cone) / 3.0;
}

PSB_INLINE void find(size_t n, const double *h, const double *d, const double *t, double *out) {
    for (size_t i = 0; i < n; i += LANES) {
        double block[LANES];
        for (size_t k = 0; k < LANES; k++) {
            block[k] = antiderivative(h[i + k], d[i + k], t[i + k]);
        }
        memcpy(out + i, block, sizeof block);
    }
}

PSB_GATHERING_VARIANTS(psb_antiderivative, find,
                       (size_t n, const double *h, const double *d, const double *t, double *out),
                       (n, h, d, t, out))

/* Edges whose antiderivatives are still to be computed, with an entry for each end. */
typedef struct edges {
    size_t n; /* number of entries */
    double h[ENDS], d[ENDS], t[ENDS];
    bool turned[ENDS / 2]; /* the edge turns clockwise around the foot */
    size_t triangle[ENDS / 2];
} edges;

static void add_edge(edges *to, size_t triangle, double h, double d, double begin, double end) {
    to->turned[to->n / 2] = d < 0.0;
    to->triangle[to->n / 2] = triangle;
    for (int k = 0; k < 2; k++) {
        to->h[to->n] = fabs(h);
        to->d[to->n] = fabs(d);
        to->t[to->n++] = k == 0 ? begin : end;
    }
}

/* Lists the edges along which the closed form is integrated. */
static void list_edges(const double *corner[3], const double normal[3], size_t triangle,
                       edges *to) {
    double h = psb_dot(normal, corner[0]);
    double foot[3] = {h * normal[0], h * normal[1], h * normal[2]};
    for (int e = 0; e < 3; e++) {
        double p[3], q[3], edge[3], side[3];
        psb_subtract(corner[e], foot, p);
        psb_subtract(corner[(e + 1) % 3], foot, q);
        psb_subtract(q, p, edge);
        double length = psb_norm(edge);
        if (length == 0.0) {
            continue;
        }
        psb_divide(edge, length);
        psb_cross(p, edge, side);
        double d = psb_dot(side, normal); /* signed: positive if the foot is on the left */
        if (d != 0.0) {
            add_edge(to, triangle, h, d, psb_dot(p, edge), psb_dot(q, edge));
        }
    }
}

/* Adds the edges' integrals to those of their triangles. */
static void add_closed_forms(edges *of, double *integrals) {
    size_t n = of->n;
    double value[ENDS];
    for (; of->n % LANES != 0; of->n++) {
        of->h[of->n] = of->d[of->n] = of->t[of->n] = 1.0;
    }
    PSB_RUN(psb_antiderivative)(of->n, of->h, of->d, of->t, value);
    for (size_t i = 0; i < n; i += 2) {
        double from = value[i], to = value[i + 1];
        integrals[of->triangle[i / 2]] += of->turned[i / 2] ? from - to : to - from;
    }
}

/* Integrates by Radon's seven points, a rule of degree 5. */
PSB_INLINE double seven_points(double at[3][3], double area) {
    static const double weight[3] = {9.0 / 40.0, 0.13239415278850618074, 0.12593918054482715260};
    static const double inner[2] = {0.47014206410511508977, 0.10128650732345633880};
    double middle[3];
    for (int i = 0; i < 3; i++) {
        middle[i] = (at[0][i] + at[1][i] + at[2][i]) / 3.0;
    }
    double sum = weight[0] * psb_norm(middle);
    for (int ring = 0; ring < 2; ring++) {
        double a = inner[ring];
        for (int v = 0; v < 3; v++) {
            double p[3];
            for (int i = 0; i < 3; i++) {
                p[i] = 3.0 * a * middle[i] + (1.0 - 3.0 * a) * at[v][i];
            }
            sum += weight[ring + 1] * psb_norm(p);
        }
    }
    return area * sum;
}

PSB_INLINE void apply_rule(psb_corners corners, double *twice_area, double *integrals) {
    for (size_t i = 0; i < PSB_TRIANGLES; i++) {
        double at[3][3], u[3], v[3], w[3], normal[3];
        psb_take_corners(corners, i, at);
        psb_subtract(at[1], at[0], u);
        psb_subtract(at[2], at[0], v);
        psb_subtract(at[2], at[1], w);
        psb_cross(u, v, normal);
        double twice = psb_norm(normal);
        double longest2 = psb_max(psb_dot(u, u), psb_max(psb_dot(v, v), psb_dot(w, w)));
        double nearest2 =
            psb_min(psb_dot(at[0], at[0]), psb_min(psb_dot(at[1], at[1]), psb_dot(at[2], at[2])));
        double integral = seven_points(at, 0.5 * twice);
        twice_area[i] = twice;
        integrals[i] = longest2 < nearest2 / 36.0 ? integral : -1.0;
    }
}

PSB_VARIANTS(psb_rule, apply_rule, (psb_corners corners, double *twice_area, double *integrals),
             (corners, twice_area, integrals))

void psb_triangle_distance_integrals(psb_corners corners, size_t n, double *integrals) {
    edges wait;
    wait.n = 0;
    double twice_area[PSB_TRIANGLES], by_rule[PSB_TRIANGLES];
    PSB_RUN(psb_rule)(corners, twice_area, by_rule);
    for (size_t t = 0; t < n; t++) {
        bool flat = !(twice_area[t] > 0.0);
        integrals[t] = flat ? 0.0 : psb_max(by_rule[t], 0.0);
        if (!flat && by_rule[t] < 0.0) {
            double at[3][3], normal[3];
            psb_take_corners(corners, t, at);
            const double *corner[3] = {at[0], at[1], at[2]};
            psb_normal(at[0], at[1], at[2], normal);
            psb_divide(normal, twice_area[t]);
            list_edges(corner, normal, t, &wait);
        }
    }
    if (wait.n > 0) {
        add_closed_forms(&wait, integrals);
    }
}

double psb_triangle_positive_area(double area, double xa, double xb, double xc) {
    double x[3] = {xa, xb, xc};
    int positive = (xa > 0.0) + (xb > 0.0) + (xc > 0.0);
    if (positive == 0 || positive == 3) {
        return positive == 3 ? area : 0.0;
    }
    /* One corner is alone on its side, where it cuts off a smaller triangle. */
    bool alone_positive = positive == 1;
    int alone = 0;
    while ((x[alone] > 0.0) != alone_positive) {
        alone++;
    }
    double p = x[alone], q = x[(alone + 1) % 3], r = x[(alone + 2) % 3];
    double cut = area * (p / (p - q)) * (p / (p - r));
    return alone_positive ? cut : area - cut;
}
