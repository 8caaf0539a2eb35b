/* A map is valid as long as the bytes of the distances and the set stay the same. */
#include "run/maps.h"

#include "eval/map.h"
#include "io/npy.h"

#include <xxhash.h>

/* Returns the key of a map by the distances in this file; 0 if the run has no such file. */
static uint64_t key_of(const psb_ledger *ledger, const char *distances) {
    const psb_ledger_entry *entry = psb_ledger_find(ledger, distances);
    if (entry == NULL) {
        return 0;
    }
    const uint64_t parts[] = {entry->stamp.hash, entry->set, PSB_MAP_REVISION};
    return XXH64(parts, sizeof parts, 0);
}

/* Returns "maps/STEM.npy", allocated as by psb_new. */
static char *name_of(psb_status *status, const char *distances, psb_error *error) {
    const char *slash = strchr(distances, '/');
    const char *stem = slash != NULL ? slash + 1 : distances, *dot = strrchr(stem, '.');
    int length = (int)(dot != NULL ? (size_t)(dot - stem) : strlen(stem));
    return psb_new_format(status, error, "maps/%.*s.npy", length, stem);
}

psb_status psb_run_map_read(const psb_results *results, const char *distances, size_t n, float *xy,
                            bool *found, psb_error *error) {
    psb_status status = PSB_OK;
    const psb_ledger *ledger = &results->ledger;
    PSB_FREED char *name = name_of(&status, distances, error), *path = NULL;
    const psb_ledger_entry *entry = status == PSB_OK ? psb_ledger_find(ledger, name) : NULL;
    PSB_AT_END(psb_npy_close) psb_npy npy = {.rows = 0};
    psb_finding state = {.state = PSB_OUTPUT_NONE};
    uint64_t key = key_of(ledger, distances);
    *found = false;
    if (key != 0 && entry != NULL && entry->key == key) {
        status = psb_results_look(results, name, &state, error);
    }
    if (status == PSB_OK && state.state == PSB_OUTPUT_OK) {
        status = psb_path_join(&path, ledger->run, name, error);
        PSB_THEN(status, psb_npy_read(path, &npy, error));
        *found =
            status == PSB_OK && npy.rows == n && npy.columns == 2 && npy.element == PSB_FLOAT32;
    }
    if (*found) {
        memcpy(xy, npy.data, n * 2 * sizeof *xy);
    }
    return status;
}

psb_status psb_run_maps_keep(const psb_ledger *ledger, char *const *distances,
                             const float *const *xy, size_t count, size_t n,
                             const char *command_line, psb_error *error) {
    size_t kept = 0;
    psb_status status = PSB_OK;
    char **names = psb_new_zero(&status, count, sizeof *names, "maps", error);
    PSB_FREED uint64_t *keys = psb_new(&status, count, sizeof *keys, "maps", error);
    bool gathered = psb_outputs_gather(true); /* the ledger marks the files as whole */
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        uint64_t key = distances[i] != NULL ? key_of(ledger, distances[i]) : 0;
        if (key != 0) {
            keys[kept] = key;
            names[kept] = name_of(&status, distances[i], error);
            PSB_FREED char *path = psb_ledger_file(&status, ledger, names[kept++], error);
            PSB_THEN(status, psb_npy_write(path, xy[i], n, 2, PSB_FLOAT32, error));
        }
    }
    psb_outputs_gather(gathered);
    PSB_THEN_IF(status, kept > 0,
                psb_results_enter(ledger->run, (const char *const *)names, keys, kept, command_line,
                                  error));
    psb_free_texts(names, kept);
    return status;
}
