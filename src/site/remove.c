/* Removes a report: nothing but the names that a report has. */
#include "core/file.h"
#include "core/text.h"
#include "site/site.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>

static bool is_page(const char *path) {
    static const char mark[] = "<script src=\"report.js\" defer></script>";
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    return psb_input_open(path, &input, NULL) == PSB_OK && input.size > 0 &&
           memmem(input.data, input.size, mark, sizeof mark - 1) != NULL;
}

/* Removes every file of folder/below that matches, then the folder if nothing else is in it. */
static psb_status remove_matching(const char *folder, const char *below, const char *pattern,
                                  psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_status status = psb_path_join(&path, folder, below, error);
    DIR *dir = status == PSB_OK ? opendir(path) : NULL;
    const struct dirent *entry;
    while (dir != NULL && status == PSB_OK && (entry = readdir(dir)) != NULL) {
        PSB_FREED char *file = NULL;
        if (fnmatch(pattern, entry->d_name, FNM_PERIOD) != 0) {
            continue;
        }
        status = psb_path_join(&file, path, entry->d_name, error);
        if (status != PSB_OK) {
            break;
        }
        bool mine = strcmp(pattern, "*.html") != 0 || is_page(file);
        if (mine && psb_is_file(file)) {
            status = psb_remove(file, 0, error);
        }
    }
    if (dir != NULL) {
        closedir(dir);
        psb_remove(path, AT_REMOVEDIR, NULL);
    }
    return status;
}

/* Removes ranked lists, data/SPEC/N.js, and with `pictures` data/solids/N.js. */
static psb_status remove_lists(const char *folder, bool pictures, psb_error *error) {
    PSB_FREED char *data = NULL;
    psb_status status = psb_path_join(&data, folder, "data", error);
    DIR *dir = status == PSB_OK ? opendir(data) : NULL;
    const struct dirent *entry;
    while (dir != NULL && status == PSB_OK && (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] != '.' && (pictures || strcmp(entry->d_name, "solids") != 0)) {
            status = remove_matching(data, entry->d_name, "[0-9]*.js", error);
            PSB_THEN(status, remove_matching(data, entry->d_name, "classes.js", error));
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return status;
}

psb_status psb_report_remove(const char *folder, bool pictures, psb_error *error) {
    static const struct {
        const char *below, *pattern;
        bool pictures;
    } parts[] = {
        {"data", "map.js", false},
        {"data", "models.js", false},
        {"data", "judged.js", false},
        {"data", "table4.*", false},
        {"data", "pictures.css", false},
        {"images", "*-tiers.png", false},
        {"images", "*-distances.png", false},
        {"images", "*-row-?.png", false},
        {".", "report.css", false},
        {"thumbnails", "[0-9]*.png", true},
        {"thumbnails", "[0-9]*.jpg", true},
        {".", "report.js", true},
    };
    char *script;
    psb_status status = psb_path_join(&script, folder, "report.js", error);
    bool report = status == PSB_OK && psb_is_file(script);
    free(script);
    if (!report) {
        return status;
    }
    /* The pages go first: without them nothing shows what is left of the others. */
    status = remove_matching(folder, ".", "*.html", error);
    PSB_THEN(status, remove_lists(folder, pictures, error));
    for (size_t p = 0; p < sizeof parts / sizeof parts[0] && status == PSB_OK; p++) {
        if (pictures || !parts[p].pictures) {
            status = remove_matching(folder, parts[p].below, parts[p].pattern, error);
        }
    }
    if (status == PSB_OK) {
        psb_remove(folder, AT_REMOVEDIR, NULL);
    }
    return status;
}
