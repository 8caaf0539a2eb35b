/* psbench version, also --version: what a bug report should say about the build. */
#include "cli/commands.h"
#include "io/archive.h"
#include "io/foreign.h"

#include <cJSON.h>
#include <cblas.h>
#include <png.h>
#include <stdio.h>
#include <xxhash.h>
#include <zlib.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void print_import(void) {
    char version[80];
    psb_foreign_version(version, sizeof version);
    if (version[0] != '\0') {
        printf("assimp    %s\n", version);
        return;
    }
    printf("assimp    none (no " PSB_FOREIGN_PROGRAM "), so these cannot be read:");
    for (size_t i = 0; psb_foreign_ending_at(i) != NULL; i++) {
        printf(" %s", psb_foreign_ending_at(i));
    }
    putchar('\n');
}

static void print_archives(void) {
    const char *version = psb_archive_version();
    printf("archives  %s%s\n", version != NULL ? "libarchive " : "none (no libarchive)",
           version != NULL ? version : "");
}

static int run(const cli_values *values, void *options) {
    (void)values;
    (void)options;
    unsigned xxhash = XXH_versionNumber();
    printf("psbench   " PSB_VERSION "\n");
    printf("compiler  " COMPILER "\n");
    printf("OpenMP    %d\n", _OPENMP);
    printf("OpenBLAS  %s\n", openblas_get_config());
    printf("cJSON     %s\n", cJSON_Version());
    printf("xxHash    %u.%u.%u\n", xxhash / 10000, xxhash / 100 % 100, xxhash % 100);
    printf("libpng    %s\n", png_get_libpng_ver(NULL));
    printf("zlib      %s\n", zlibVersion());
    print_archives();
    print_import();
    return CLI_DONE;
}

const cli_command cmd_version = {
    .name = "version",
    .summary = "Show the version, the compiler and the libraries; also --version.",
    .usage = "",
    .details = "Examples:\n"
               "  psbench version\n"
               "  psbench --version",
    .run = run,
};
