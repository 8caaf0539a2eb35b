/* Writes the generated benchmark into the folder of a run, for table4 without models. */
#include "cli/run_command.h"
#include "core/file.h"
#include "proof/folder.h"
#include "proof/ledger.h"
#include "synth/synth.h"

/* True if the folder has results of other models than its own; asked before those are written. */
static bool holds_other_results(const char *folder) {
    PSB_AT_END(psb_ledger_free) psb_ledger ledger = {0};
    PSB_FREED char *models = NULL;
    bool holds = psb_ledger_open(folder, false, &ledger, NULL) == PSB_OK && ledger.list.count > 0;
    if (!holds && psb_path_join(&models, folder, "models.cla", NULL) == PSB_OK) {
        holds = psb_is_file(models);
    }
    return holds;
}

/* Writes the built-in benchmark below the run's folder, once that is known to be a run's. */
static psb_status write_built_in(const char *run, const char *root, psb_error *error) {
    psb_lock lock;
    psb_status status = psb_run_folder_open(run, NULL, &lock, error);
    PSB_THEN(status, psb_synth_write(root, PSB_SYNTH_SEED, error));
    psb_lock_release(&lock);
    return status;
}

int cli_built_in(const char *run, bool replace, char **root) {
    psb_error error;
    if (psb_path_join(root, run, "benchmark", &error) != PSB_OK) {
        return cli_report(&error);
    }
    if (!replace && !psb_is_folder(*root) && holds_other_results(run)) {
        cli_error("%s: holds results of other models than the built-in benchmark's; give another "
                  "folder with -o, or --replace to remove those results",
                  run);
        return CLI_IO;
    }
    return write_built_in(run, *root, &error) == PSB_OK ? CLI_DONE : cli_report(&error);
}
