/* Evaluates one matrix. */
#include "support/evaluations.h"

#include "support/test.h"

#include <string.h>

void test_measure(const psb_classification *cla, const psb_matrix *matrix,
                  const psb_chosen_measure *measures, size_t count, double *values) {
    psb_evaluation e = {.cla = cla, .measures = measures, .nmeasures = count, .nmethods = 1};
    psb_error error;
    assert_int_equal(psb_evaluation_open(&e, &error), PSB_OK);
    assert_int_equal(psb_evaluation_rank(&e, 0, matrix, 1, &error), PSB_OK);
    memcpy(values, psb_evaluation_values(&e, 0), cla->nmodels * count * sizeof *values);
    psb_evaluation_close(&e);
}
