/* Joins clusters along the chain of nearest neighbors, cuts the tree, measures agreement. */
#include "eval/clusters.h"

#include "core/elementary.h"
#include "core/watch.h"

#include <math.h>

/*
 * There is a place for each model. A cluster stands in the place of its last model; a place whose
 * cluster was joined to another has 0 models.
 */
typedef struct tree {
    size_t n;
    double *distance; /* between places i > j, at i (i - 1) / 2 + j */
    size_t *models;   /* number of models in each place */
    double *height;   /* distance at the last joint of each place */
    size_t *chain;
    psb_joint *joints; /* in the order found; a and b are places */
} tree;

static double *between(const tree *t, size_t i, size_t j) {
    return &t->distance[i > j ? i * (i - 1) / 2 + j : j * (j - 1) / 2 + i];
}

static psb_status fill(tree *t, const psb_matrix *matrix, const size_t *models, psb_error *error) {
    size_t columns = psb_matrix_columns(matrix);
    for (size_t i = 0; i < t->n; i++) {
        t->models[i] = 1;
        t->height[i] = 0;
        for (size_t j = 0; j < i; j++) {
            double there = (double)matrix->data[models[i] * columns + models[j]];
            double back = (double)matrix->data[models[j] * columns + models[i]];
            if (!(there >= 0 && back >= 0 && there < HUGE_VAL && back < HUGE_VAL)) {
                return psb_fail(error, PSB_ERROR_INPUT,
                                "the distance of rows %zu and %zu is negative or not finite",
                                models[j], models[i]);
            }
            *between(t, i, j) = (there + back) / 2;
        }
    }
    return PSB_OK;
}

/*
 * The place of the cluster nearest to that in `place`. Among equally near ones the chain's place
 * `before` wins, then the first.
 */
static size_t nearest_of(const tree *t, size_t place, size_t before) {
    size_t best = before;
    double least = before < t->n ? *between(t, place, before) : HUGE_VAL;
    for (size_t i = 0; i < t->n; i++) {
        if (t->models[i] > 0 && i != place) {
            double distance = *between(t, place, i);
            if (best >= t->n || distance < least) {
                best = i;
                least = distance;
            }
        }
    }
    return best;
}

/* Joins the clusters in two places into the later place. */
static psb_joint join(tree *t, size_t a, size_t b) {
    size_t from = a < b ? a : b, into = a < b ? b : a;
    double first = (double)t->models[from], second = (double)t->models[into];
    /* Rounding must not let a joint be nearer than the joints below it. */
    double distance = fmax(*between(t, from, into), fmax(t->height[from], t->height[into]));
    for (size_t i = 0; i < t->n; i++) {
        if (t->models[i] > 0 && i != from && i != into) {
            double *d = between(t, into, i);
            *d = (first * *between(t, from, i) + second * *d) / (first + second);
        }
    }
    t->models[into] += t->models[from];
    t->models[from] = 0;
    t->height[into] = distance;
    return (psb_joint){from, into, distance, t->models[into]};
}

static psb_status follow_chain(tree *t, psb_error *error) {
    size_t length = 0, first = 0;
    psb_status status = PSB_OK;
    for (size_t found = 0; found + 1 < t->n && status == PSB_OK;) {
        status = psb_go_on(error);
        if (length == 0) {
            while (t->models[first] == 0) {
                first++;
            }
            t->chain[length++] = first;
        }
        size_t last = t->chain[length - 1], before = length > 1 ? t->chain[length - 2] : t->n;
        size_t next = nearest_of(t, last, before);
        if (next == before) {
            t->joints[found++] = join(t, last, before);
            length -= 2;
        } else {
            t->chain[length++] = next;
        }
    }
    return status;
}

typedef struct found {
    psb_joint joint;
    size_t order;
} found;

static int compare_found(const void *a, const void *b) {
    const found *x = a, *y = b;
    return x->joint.distance != y->joint.distance
               ? (x->joint.distance > y->joint.distance) - (x->joint.distance < y->joint.distance)
               : (x->order > y->order) - (x->order < y->order);
}

/* Writes the joints in the order of their distances, with clusters' numbers instead of places. */
static psb_status number_joints(tree *t, psb_joint *joints, psb_error *error) {
    psb_status status = PSB_OK;
    size_t count = t->n - 1, *cluster = t->chain;
    PSB_FREED found *sorted = psb_new(&status, count, sizeof *sorted, "a tree", error);
    if (status != PSB_OK) {
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = (found){t->joints[i], i};
    }
    qsort(sorted, count, sizeof *sorted, compare_found);
    for (size_t i = 0; i < t->n; i++) {
        cluster[i] = i;
    }
    for (size_t i = 0; i < count; i++) {
        const psb_joint *j = &sorted[i].joint;
        size_t a = cluster[j->a], b = cluster[j->b];
        joints[i] = (psb_joint){a < b ? a : b, a < b ? b : a, j->distance, j->models};
        cluster[j->b] = t->n + i;
    }
    return PSB_OK;
}

psb_status psb_average_linkage(const psb_matrix *matrix, const size_t *models, size_t n,
                               psb_joint *joints, psb_error *error) {
    psb_status status = PSB_OK;
    if (n < 2) {
        return PSB_OK;
    }
    tree t = {.n = n};
    t.distance = psb_new(&status, n, (n - 1) * (sizeof *t.distance / 2), "distances", error);
    t.models = psb_new(&status, n, sizeof *t.models, "a tree", error);
    t.height = psb_new(&status, n, sizeof *t.height, "a tree", error);
    t.chain = psb_new(&status, n, sizeof *t.chain, "a tree", error);
    t.joints = psb_new(&status, n, sizeof *t.joints, "a tree", error);
    PSB_THEN(status, fill(&t, matrix, models, error));
    PSB_THEN(status, follow_chain(&t, error));
    PSB_THEN(status, number_joints(&t, joints, error));
    free(t.distance);
    free(t.models);
    free(t.height);
    free(t.chain);
    free(t.joints);
    return status;
}

/* ---- cuts and agreement ------------------------------------------------------------------ */

psb_status psb_clusters_cut(const psb_joint *joints, size_t n, size_t k, size_t *cluster,
                            psb_error *error) {
    psb_status status = PSB_OK;
    size_t used = n - k, count = 0, nodes = n + used;
    /* of[c]: the last of the first `used` joints that holds cluster c; number[]: its number. */
    PSB_FREED size_t *of = psb_new(&status, nodes, sizeof *of, "clusters", error);
    PSB_FREED size_t *number = psb_new(&status, nodes, sizeof *number, "clusters", error);
    for (size_t i = 0; i < nodes && status == PSB_OK; i++) {
        of[i] = i;
        number[i] = SIZE_MAX;
    }
    for (size_t j = used; j-- > 0 && status == PSB_OK;) {
        of[joints[j].a] = of[joints[j].b] = of[n + j];
    }
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        if (number[of[i]] == SIZE_MAX) {
            number[of[i]] = count++;
        }
        cluster[i] = number[of[i]];
    }
    return status;
}

static double pairs(double x) {
    return x * (x - 1) / 2;
}

static double entropy(const size_t *counts, size_t count, double n) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double share = (double)counts[i] / n;
        sum -= counts[i] > 0 ? share * psb_log(share) : 0;
    }
    return sum;
}

static double pairs_within(const size_t *counts, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += pairs((double)counts[i]);
    }
    return sum;
}

/* of[r * ncolumns + c] models are in cluster r and class c; rows[] and columns[] are the sums. */
static psb_agreement measure(const size_t *of, const size_t *rows, size_t nrows,
                             const size_t *columns, size_t ncolumns, double n) {
    double most = 0, information = 0, together = 0;
    for (size_t r = 0; r < nrows; r++) {
        size_t largest = 0;
        for (size_t c = 0; c < ncolumns; c++) {
            double both = (double)of[r * ncolumns + c];
            largest = of[r * ncolumns + c] > largest ? of[r * ncolumns + c] : largest;
            together += pairs(both);
            information +=
                both > 0 ? both / n * psb_log(both * n / ((double)rows[r] * (double)columns[c]))
                         : 0;
        }
        most += (double)largest;
    }
    double entropies = entropy(rows, nrows, n) + entropy(columns, ncolumns, n);
    double a = pairs_within(rows, nrows), b = pairs_within(columns, ncolumns);
    double expected = n > 1 ? a * b / pairs(n) : 0, best = (a + b) / 2;
    return (psb_agreement){
        .purity = most / n,
        .nmi = entropies > 0 ? fmax(0, 2 * information / entropies) : 1,
        .ari = best > expected ? (together - expected) / (best - expected) : 1,
    };
}

psb_status psb_clusters_agree(const size_t *class_of, size_t nclasses, const size_t *cluster,
                              size_t nclusters, size_t n, psb_agreement *agreement,
                              psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED size_t *of =
        psb_new_zero(&status, nclusters, nclasses * sizeof *of, "clusters", error);
    PSB_FREED size_t *rows = psb_new_zero(&status, nclusters, sizeof *rows, "clusters", error);
    PSB_FREED size_t *columns = psb_new_zero(&status, nclasses, sizeof *columns, "clusters", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        of[cluster[i] * nclasses + class_of[i]]++;
        rows[cluster[i]]++;
        columns[class_of[i]]++;
    }
    if (status == PSB_OK) {
        *agreement = measure(of, rows, nclusters, columns, nclasses, (double)n);
    }
    return status;
}
