/*
 * Integrals over a triangle.
 *
 * The distance integral, closed form: with h the distance of the origin from the triangle's plane
 * and polar coordinates (rho, phi) about the origin's foot,
 *     integral of sqrt(h^2 + rho^2) rho drho dphi = 1/3 integral of (h^2 + rho^2)^(3/2) - h^3 dphi,
 * taken along the three edges with the sign of their turn. On an edge at distance d from the foot,
 * t = d tan(phi) runs along the edge and the integrand becomes, with S = sqrt(h^2 + d^2 + t^2),
 *     d S + d h^2 / S + h^4 d / ((d^2 + t^2) S),
 * whose three terms have elementary antiderivatives.
 */
#include "normalize/triangle_integrals.h"

#include "core/elementary.h"
#include "core/vector.h"

#include <stdbool.h>

/* The antiderivative at t, for an edge at distance d > 0 from the foot. */
static double edge_antiderivative(double h, double d, double t) {
    double r2 = h * h + d * d;
    double s = sqrt(r2 + t * t);
    double smooth = d * (0.5 * t * s + (0.5 * r2 + h * h) * psb_asinh(t / sqrt(r2)));
    double cone = h * h * h * (psb_atan2(h * t, d * s) - psb_atan2(t, d));
    return (smooth + cone) / 3.0;
}

static double closed_form(const double *corner[3], const double normal[3]) {
    double h = psb_dot(normal, corner[0]);
    double foot[3] = {h * normal[0], h * normal[1], h * normal[2]};
    double sum = 0.0;
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
        double d = psb_dot(side, normal); /* signed: positive where the foot lies on the left */
        if (d != 0.0) {
            double from = edge_antiderivative(fabs(h), fabs(d), psb_dot(p, edge));
            double to = edge_antiderivative(fabs(h), fabs(d), psb_dot(q, edge));
            sum += d > 0.0 ? to - from : from - to;
        }
    }
    return sum;
}

/* Radon's seven points on the triangle, degree 5. */
static double seven_points(const double *corner[3], double area) {
    static const double weight[3] = {9.0 / 40.0, 0.13239415278850618074, 0.12593918054482715260};
    static const double inner[2] = {0.47014206410511508977, 0.10128650732345633880};
    double middle[3];
    for (int i = 0; i < 3; i++) {
        middle[i] = (corner[0][i] + corner[1][i] + corner[2][i]) / 3.0;
    }
    double sum = weight[0] * psb_norm(middle);
    for (int ring = 0; ring < 2; ring++) {
        double a = inner[ring];
        for (int v = 0; v < 3; v++) {
            double p[3];
            for (int i = 0; i < 3; i++) {
                p[i] = 3.0 * a * middle[i] + (1.0 - 3.0 * a) * corner[v][i];
            }
            sum += weight[ring + 1] * psb_norm(p);
        }
    }
    return area * sum;
}

double psb_triangle_distance_integral(const double a[3], const double b[3], const double c[3]) {
    const double *corner[3] = {a, b, c};
    double u[3], v[3], w[3], normal[3];
    psb_subtract(b, a, u);
    psb_subtract(c, a, v);
    psb_subtract(c, b, w);
    psb_cross(u, v, normal);
    double twice_area = psb_norm(normal);
    if (twice_area == 0.0) {
        return 0.0;
    }
    double longest2 = psb_max(psb_dot(u, u), psb_max(psb_dot(v, v), psb_dot(w, w)));
    double nearest2 = psb_min(psb_dot(a, a), psb_min(psb_dot(b, b), psb_dot(c, c)));
    bool small = longest2 < nearest2 / 36.0;
    if (small) {
        return seven_points(corner, 0.5 * twice_area);
    }
    psb_divide(normal, twice_area);
    return closed_form(corner, normal);
}

double psb_triangle_positive_area(double area, double xa, double xb, double xc) {
    double x[3] = {xa, xb, xc};
    int positive = (xa > 0.0) + (xb > 0.0) + (xc > 0.0);
    if (positive == 0 || positive == 3) {
        return positive == 3 ? area : 0.0;
    }
    /* One corner is alone on its side; it cuts off a smaller triangle. */
    bool alone_positive = positive == 1;
    int alone = 0;
    while ((x[alone] > 0.0) != alone_positive) {
        alone++;
    }
    double p = x[alone], q = x[(alone + 1) % 3], r = x[(alone + 2) % 3];
    double cut = area * (p / (p - q)) * (p / (p - r));
    return alone_positive ? cut : area - cut;
}
