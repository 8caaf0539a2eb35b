/* The program: finds the command and runs it. */
#include "cli/frame.h"
#include "core/cpu.h"
#include "core/file.h"
#include "io/foreign.h"

#include <unistd.h>

static volatile bool ends_by_itself;

/*
 * Ends the program with CLI_INTERNAL if a library ended it: libraries without memory, threads or
 * a stack for them (OpenMP, libarchive) call exit(1), which would mean that some models could not
 * be used. What each says is on stderr.
 */
static void name_end(void) {
    if (!ends_by_itself) {
        static const char text[] = "psbench: a library that psbench needs has ended it, for the "
                                   "reason above\n";
        ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
        (void)ignored;
        psb_outputs_abandon();
        _exit(CLI_INTERNAL);
    }
}

/* Runs before libraries are initialized, since they may end the program then, too. */
static void watch_end(int argc, char **argv, char **environment) {
    (void)argc;
    (void)argv;
    (void)environment;
    atexit(name_end);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **, char **) = watch_end;

static const char *command_name(const char *word) {
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return "help";
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        return "version";
    }
    return word;
}

static int dispatch(int argc, char **argv) {
    psb_error error;
    if (psb_cpu_check(&error) != PSB_OK) {
        return cli_report(&error);
    }
    if (argc < 2) {
        cli_print_overview(stderr);
        return CLI_USAGE;
    }
    const char *name = command_name(argv[1]);
    const cli_command *command = cli_find_command(name);
    if (command == NULL) {
        return cli_unknown_command(name);
    }
    return cli_run_command(command, argc - 1, argv + 1);
}

int main(int argc, char **argv) {
    cli_catch_signals();
    cli_heed_limits();
    int code = dispatch(argc, argv);
    if (psb_foreign_was_unsealed()) {
        cli_warn("this kernel has neither Landlock nor seccomp: " PSB_FOREIGN_PROGRAM
                 " had limits alone (--import no does without it)");
    }
    code = cli_finish(code);
    ends_by_itself = true;
    return code;
}
