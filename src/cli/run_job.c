/* Runs within a command. */
#include "cli/run_job.h"

#include "core/error.h"

bool cli_job(const cli_values *values, cli_stages *stages, psb_run_job *job) {
    *job = (psb_run_job){.data.skip_missing = cli_flag(values, "skip-missing"),
                         .verify = cli_flag(values, "verify"),
                         .times = true,
                         .pages = true, /* the evaluation outlives the run */
                         .max_faces = 10000000,
                         .command_line = cli_command_line(values),
                         .observer = cli_observer(stages)};
    return cli_threads(values, &job->threads);
}

void cli_job_hints(const psb_run_job *job, const psb_run_outcome *outcome) {
    if (!job->data.skip_missing && outcome->models_missing > 0 &&
        outcome->models_missing < outcome->models_listed) {
        cli_error("--skip-missing leaves models without a file out");
    } else if (outcome->begun) {
        cli_error("what was done is kept in %s: the same command goes on from there", job->folder);
    }
}

psb_status cli_derive(const cli_values *values, int threads, psb_method *const *methods,
                      size_t count, psb_text *table, psb_error *error) {
    psb_derived d;
    cli_stages stages = {0};
    psb_status status =
        psb_derived_open(&d, cli_argument(values, 0), cli_command_line(values), threads, error);
    d.columns = cli_terminal_columns();
    d.observer = cli_observer(&stages);
    PSB_THEN(status, psb_derived_make(&d, methods, count, table, error));
    psb_derived_close(&d);
    return status;
}
