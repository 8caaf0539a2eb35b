/* Lets memory run out at every allocation while JSON is built: an error each time, never a part. */
#include "report/query_scores.h"
#include "report/table.h"
#include "run/manifest.h"
#include "support/files.h"
#include "support/test.h"

#include <cJSON.h>
#include <math.h>

static size_t granted; /* allocations that still succeed */

static void *give(size_t size) {
    return granted > 0 && granted-- > 0 ? malloc(size) : NULL;
}

static void allow(size_t count) {
    granted = count;
    cJSON_Hooks hooks = {count == SIZE_MAX ? NULL : give, NULL};
    cJSON_InitHooks(&hooks);
}

static psb_class classes[2] = {
    {.name = (char[]){"a"}, .full_name = (char[]){"a"}, .count = 3},
    {.name = (char[]){"b"}, .full_name = (char[]){"b"}, .first = 3, .count = 3}};
static char *ids[6] = {(char[]){"0"}, (char[]){"1"}, (char[]){"2"},
                       (char[]){"3"}, (char[]){"4"}, (char[]){"5"}};
static size_t class_of[6] = {0, 0, 0, 1, 1, 1};
static const psb_classification cla = {
    .nmodels = 6, .models = ids, .class_of = class_of, .nclasses = 2, .classes = classes};

static psb_status render_averages(psb_text *out, psb_error *error) {
    static const double figure[PSB_FIGURES] = {1, 0.5, 0.25, 0.125, 1.0 / 3};
    psb_chosen_measure figures[PSB_MAX_CHOSEN];
    psb_evaluation e = {.cla = &cla, .measures = figures, .nmethods = 1};
    psb_status status = psb_measures_parse("table4", figures, &e.nmeasures, error);
    if (status == PSB_OK) {
        status = psb_evaluation_open(&e, error);
    }
    for (size_t i = 0; i < 6 && status == PSB_OK; i++) {
        memcpy(psb_evaluation_values(&e, 0) + i * PSB_FIGURES, figure, sizeof figure);
    }
    if (status == PSB_OK) {
        status = psb_averages_render(&e, 0, out, error);
    }
    psb_evaluation_close(&e);
    return status;
}

static psb_status render_table(psb_text *out, psb_error *error) {
    const psb_column columns[2] = {{.name = "name"}, {.name = "number"}};
    psb_table table;
    psb_status status = psb_table_new(&table, columns, 2, 3, error);
    if (status == PSB_OK) {
        table.title = "title";
        table.caption = "caption";
        psb_table_set_text(&table, 0, 0, "text");
        psb_table_set_number(&table, 1, 1, 5);
        psb_format_json.render(&table, out);
        psb_table_close(&table);
        status = psb_text_status(out, error);
    }
    return status;
}

/* What a run says of two descriptors, a model without a file and one that failed. */
static psb_status render_facts(psb_text *out, psb_error *error) {
    psb_plan plan;
    char *missing[1] = {(char[]){"7"}};
    psb_run_job job = {.options = {.data = {.cla = test_path("c.cla"), .models = "models"},
                                   .no_times = true,
                                   .command_line = "psbench run"}};
    psb_dataset dataset = {.cla = cla, .listed = 7, .nmissing = 1, .missing = missing};
    psb_failure failure = {.id = (char[]){"8"}, .error = {PSB_ERROR_INPUT, 1, "bad"}};
    psb_features features = {.nfailures = 1, .failures = &failure};
    psb_run_facts facts = {0};
    psb_manifest_texts texts;
    assert_int_equal(psb_plan_make(NULL, "D2,GEDT:form=magnitude", &plan, error), PSB_OK);
    job.plan = &plan;
    psb_status status = psb_manifest_describe(&facts, &job, &dataset, error);
    PSB_THEN(status, psb_manifest_fill(&facts, &job, &dataset, &features, &texts, error));
    PSB_THEN(status, psb_run_facts_render(&facts, out, error));
    psb_run_facts_free(&facts);
    psb_plan_free(&plan);
    return status;
}

static void fails_everywhere(psb_status (*make)(psb_text *, psb_error *)) {
    psb_text whole = {0}, text = {0};
    psb_error error;
    size_t failed = 0;
    allow(SIZE_MAX);
    assert_int_equal(make(&whole, &error), PSB_OK);
    for (;; failed++) {
        allow(failed);
        if (make(&text, &error) == PSB_OK) {
            break;
        }
        assert_int_equal(error.status, PSB_ERROR_MEMORY);
        psb_text_free(&text);
    }
    allow(SIZE_MAX);
    assert_true(failed > 10);
    /* Of a manifest without the costs, which grow. */
    const char *costs = strstr(whole.data, "\"costs\"");
    size_t same = costs != NULL ? (size_t)(costs - whole.data) : whole.length;
    assert_memory_equal(text.data, whole.data, same);
    psb_text_free(&text);
    psb_text_free(&whole);
}

static void averages_are_whole(void **state) {
    (void)state;
    fails_everywhere(render_averages);
}

static void tables_are_whole(void **state) {
    (void)state;
    fails_everywhere(render_table);
}

static void manifests_are_whole(void **state) {
    (void)state;
    test_write("c.cla", "PSB 1\n0 0\n", 10);
    fails_everywhere(render_facts);
}

/* What a later process reads is what the run wrote, to the last digit. */
static void facts_come_back(void **state) {
    (void)state;
    psb_text written = {0}, again = {0};
    psb_run_facts facts;
    psb_error error;
    test_write("c.cla", "PSB 1\n0 0\n", 10);
    assert_int_equal(render_facts(&written, &error), PSB_OK);
    assert_int_equal(psb_run_facts_parse("run.json", written.data, written.length, &facts, &error),
                     PSB_OK);
    assert_int_equal(facts.ndescriptors, 2);
    assert_string_equal(facts.descriptors[1].parameters.list[0].name, "width");
    assert_string_equal(facts.descriptors[1].parameters.list[1].choice, "magnitude");
    assert_string_equal(facts.failed.entries[0].reason, "bad");
    assert_true(isnan(facts.descriptors[0].compare_seconds));
    assert_int_equal(psb_run_facts_render(&facts, &again, &error), PSB_OK);
    assert_string_equal(again.data, written.data);
    psb_run_facts_free(&facts);
    psb_text_free(&written);
    psb_text_free(&again);
}

static void facts_of_a_wrong_kind(void **state) {
    (void)state;
    static const char *const files[][2] = {
        {"[]", "run.json: not a JSON object"},
        {"{}", "run.json: descriptors is not a list of descriptors"},
        {"{\"descriptors\":[]}", "run.json: descriptors is not a list of descriptors"},
        {"{\"program\":1}", "run.json: program is not a text"},
        {"{\"costs\":{\"wall_seconds\":\"1\"},\"descriptors\":[{}]}",
         "run.json: wall_seconds is not a number"},
        {"{\"inputs\":{\"models_used\":1e999}}", "run.json: models_used is not a number"},
        {"{\"inputs\":{\"models_missing\":[1]}}", "run.json: models_missing is not a text"},
        {"{\"inputs\":{\"models_failed\":[{}]}}",
         "run.json: models_failed is not a list of models"},
        {"{\"descriptors\":[{\"parameters\":{\"a\":[]}}]}", "run.json: a is not a number"},
        {"{\"descriptors\":[{\"parameters\":[1]}]}",
         "run.json: parameters is not a list with names"},
        {"{\"descriptors\":[3]}", NULL},
    };
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        psb_run_facts facts;
        psb_error error = {0};
        psb_status status =
            psb_run_facts_parse("run.json", files[f][0], strlen(files[f][0]), &facts, &error);
        assert_int_equal(status, files[f][1] != NULL ? PSB_ERROR_INPUT : PSB_OK);
        assert_string_equal(error.message, files[f][1] != NULL ? files[f][1] : "");
        psb_run_facts_free(&facts);
    }
}

static int clean_up(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_are_whole),  cmocka_unit_test(tables_are_whole),
        cmocka_unit_test(facts_come_back),     cmocka_unit_test(facts_of_a_wrong_kind),
        cmocka_unit_test(manifests_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
