/* Runs within a command. */
#include "cli/run_job.h"

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
