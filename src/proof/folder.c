/* Locks and sweeps the folder of a run. */
#include "proof/folder.h"

#include "core/file.h"
#include "core/text.h"

/* Folders below RUN where a run writes files under temporary names. */
static const char *const swept[] = {
    "",        "/features",    "/matrices",      "/scores",           "/work",
    "/report", "/report/data", "/report/images", "/report/thumbnails"};

/*
 * A folder with one of these files is a run's. Every run makes .lock first; an older folder may
 * have lost it when it was moved.
 */
static const char *const marks[] = {".lock", "run.json", NULL};

static psb_status sweep(const char *run, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t i = 0; i < sizeof swept / sizeof swept[0] && status == PSB_OK; i++) {
        PSB_FREED char *folder = psb_new_format(&status, error, "%s%s", run, swept[i]);
        PSB_THEN(status, psb_remove_temporaries(folder, error));
    }
    return status;
}

static void warn_of_lock(const char *run, const psb_observer *observer, const psb_lock *lock) {
    if (lock->unsupported) {
        psb_observer_say(observer, PSB_WARNING,
                         "%s: this file system knows no locks; nothing keeps a second process out",
                         run);
    }
}

psb_status psb_run_folder_share(const char *run, const psb_observer *observer, psb_lock *lock,
                                psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_status status = psb_lock_check_folder(run, marks, error);
    PSB_THEN(status, psb_make_folder(run, error));
    PSB_THEN(status, psb_path_join(&path, run, marks[0], error));
    PSB_THEN(status, psb_lock_share(path, lock, error));
    if (status == PSB_OK) {
        warn_of_lock(run, observer, lock);
    }
    return status;
}

psb_status psb_run_folder_open(const char *run, const psb_observer *observer, psb_lock *lock,
                               psb_error *error) {
    psb_status status = psb_lock_take_folder(run, marks, lock, error);
    if (status == PSB_OK) {
        warn_of_lock(run, observer, lock);
    }
    if (status == PSB_OK && lock->stale) {
        psb_observer_say(observer, PSB_NOTE, "%s/%s: left by %s, which is gone: taken over", run,
                         marks[0], lock->holder);
    }
    return status == PSB_OK ? sweep(run, error) : status;
}
