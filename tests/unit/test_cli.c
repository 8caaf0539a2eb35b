/* Tests the frame of the program by a made-up command: options, messages, progress, signals. */
#include "cli/context.h"
#include "cli/frame.h"
#include "support/test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct request {
    size_t threads;
    double share;
    size_t bytes;
    const char *output, *list;
    int kind;
    bool overlap;
} request;

static const cli_word kinds[] = {{"round", 7, "as a ball"}, {"square", 8, NULL}, {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_WHOLE('t', "threads", threads, 1, 64, "4", "N", "threads to use"),
    CLI_PATH('o', "output", output, NULL, "DIR", "where to write"),
    CLI_FLAG(0, "overlap", overlap, "a flag"),
    CLI_REAL(0, "share", share, 0, 1, "0.5", "N", "how much"),
    CLI_BYTES("memory", bytes, NULL, "how many"),
    CLI_WORD('k', "kind", kind, kinds, "square", "NAME", "its form"),
    CLI_LIST(0, "list", list, kinds, NULL, NULL, "LIST", "forms"),
    CLI_END,
};

/* What the command saw when it ran; its answer is the exit code. */
static struct {
    int runs;
    char output[32], arguments[64], line[128];
    request request;
} seen;

enum { ANSWER = 55 };

static int note(const cli_values *values, void *given) {
    const request *r = given;
    seen.runs++;
    seen.request = *r;
    snprintf(seen.output, sizeof seen.output, "%s", r->output != NULL ? r->output : "(none)");
    snprintf(seen.line, sizeof seen.line, "%s", cli_command_line(values));
    for (int i = 0; i < cli_argument_count(values); i++) {
        size_t used = strlen(seen.arguments);
        snprintf(seen.arguments + used, sizeof seen.arguments - used, "<%s>",
                 cli_argument(values, i));
    }
    return ANSWER;
}

static const cli_command plain = {.name = "try",
                                  .summary = "Try.",
                                  .usage = "",
                                  .options = options,
                                  .size = sizeof(request),
                                  .most = CLI_ANY_NUMBER,
                                  .alone = true,
                                  .run = note};
static const cli_command dashing = {.name = "try",
                                    .summary = "Try.",
                                    .usage = "",
                                    .options = options,
                                    .size = sizeof(request),
                                    .most = CLI_ANY_NUMBER,
                                    .single_dash = true,
                                    .run = note};
static const cli_command strict = {.name = "try",
                                   .summary = "Try.",
                                   .usage = "",
                                   .options = options,
                                   .size = sizeof(request),
                                   .least = 1,
                                   .most = 2,
                                   .arguments = "a cup, or two",
                                   .needs = "output",
                                   .together = "memory share",
                                   .apart = "kind list overlap",
                                   .run = note};

/* What is written to a stream between the two calls, in memory. */
typedef struct capture {
    FILE **stream;
    FILE *before;
    char *text;
    size_t size;
} capture;

static void capture_start(capture *c, FILE **stream) {
    *c = (capture){.stream = stream, .before = *stream};
    *stream = open_memstream(&c->text, &c->size);
    assert_non_null(*stream);
}

/* The text; free it. */
static char *capture_end(capture *c) {
    fclose(*c->stream);
    *c->stream = c->before;
    return c->text;
}

/* Runs the command with words separated by '|'; what it says goes to *said (free it) or nowhere. */
static int run(const cli_command *command, const char *words, char **said) {
    char copy[128];
    char *argv[16];
    int argc = 0;
    snprintf(copy, sizeof copy, "try|%s", words);
    for (char *rest = copy, *word; (word = strsep(&rest, "|")) != NULL;) {
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    memset(&seen, 0, sizeof seen);
    capture c;
    capture_start(&c, &stderr);
    int code = cli_run_command(command, argc, argv);
    char *text = capture_end(&c);
    if (said != NULL) {
        *said = text;
    } else {
        free(text);
    }
    return code;
}

static void defaults_and_values(void **state) {
    (void)state;
    assert_int_equal(run(&plain, "a", NULL), ANSWER);
    assert_int_equal(seen.request.threads, 4);
    assert_string_equal(seen.output, "(none)");
    assert_false(seen.request.overlap);
    assert_string_equal(seen.arguments, "<a>");
    const char *ways[] = {"-t|3|-o|x|--overlap", "-t3|-ox|--ov", "--threads=3|--output|x|--overlap",
                          "--thr|3|--out=x|--overlap|--overlap"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        assert_int_equal(run(&plain, ways[i], NULL), ANSWER);
        assert_int_equal(seen.request.threads, 3);
        assert_string_equal(seen.output, "x");
        assert_true(seen.request.overlap);
        assert_string_equal(seen.arguments, "");
    }
}

/*
 * Whoever adds an option says by its value's name whether that is a path: see outputs.c. RUN2 is a
 * run that may be the output, whose own models then are the reference: nothing of it is lost.
 */
static void paths_of_all_commands_are_known(void **state) {
    (void)state;
    const char *const others[] = {"N",    "K",    "S",      "NAME",   "LIST",   "SPEC",   "KIND",
                                  "SIZE", "PART", "TEXT",   "WHAT",   "HOW",    "DEG",    "PIXELS",
                                  "A..B", "MM",   "POINTS", "FAMILY", "METHOD", "COLUMN", "RUN2"};
    for (const cli_command *const *command = cli_commands; *command != NULL; command++) {
        for (int i = 0; cli_option_at(*command, i) != NULL; i++) {
            const cli_option *option = cli_option_at(*command, i);
            bool path = option->kind == CLI_KIND_PATH, other = option->argument == NULL;
            for (size_t o = 0; o < sizeof others / sizeof others[0] && !other; o++) {
                other = strcmp(others[o], option->argument) == 0;
            }
            if (path == other) {
                fail_msg("psbench %s --%s %s", (*command)->name, option->name, option->argument);
            }
            assert_true(path || !cli_is_output(option));
        }
    }
}

static void arguments_among_options(void **state) {
    (void)state;
    assert_int_equal(run(&plain, "a|-t|2|b|--|-t|--output", NULL), ANSWER);
    assert_int_equal(seen.request.threads, 2);
    assert_string_equal(seen.output, "(none)");
    assert_string_equal(seen.arguments, "<a><b><-t><--output>");
}

static void refuse(const cli_command *command, const char *words, const char *message) {
    char *said;
    assert_int_equal(run(command, words, &said), CLI_USAGE);
    assert_int_equal(seen.runs, 0);
    if (strstr(said, message) == NULL) {
        fail_msg("\"%s\" is not in: %s", message, said);
    }
    assert_non_null(strstr(said, "psbench help try"));
    free(said);
}

/* The second would silently win over the first. */
static void values_come_once(void **state) {
    (void)state;
    refuse(&plain, "-t|1|--threads=3",
           "psbench try: --threads is given twice, '1' and '3': give it once");
    refuse(&plain, "-o|x|-o|x", "--output is given twice");
}

static void wrong_options(void **state) {
    (void)state;
    refuse(&plain, "--thraeds=3", "unknown option --thraeds; did you mean --threads?");
    refuse(&plain, "--threads", "--threads needs a value: --threads N");
    refuse(&plain, "-t", "--threads needs a value: --threads N");
    refuse(&plain, "--overlap=1", "--overlap takes no value");
    refuse(&plain, "--o=1", "--o could be short for more than one option");
    refuse(&plain, "-x", "unknown option -x");
    refuse(&plain, "--zzzzzzzz", "unknown option --zzzzzzzz; usage: psbench try [options]");
    refuse(&plain, "-ax", "unknown option -a");
}

static void single_dash(void **state) {
    (void)state;
    const char *ways[] = {"-threads|3|-overlap", "--threads|3|--overlap", "-threads=3|-overlap",
                          "-t|3|-ov"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        assert_int_equal(run(&dashing, ways[i], NULL), ANSWER);
        assert_int_equal(seen.request.threads, 3);
        assert_true(seen.request.overlap);
    }
    refuse(&dashing, "-thraeds|3", "unknown option --thraeds; did you mean --threads?");
    refuse(&plain, "-threads", "--threads hreads: want a whole number");
}

static void whole_numbers(void **state) {
    (void)state;
    const char *good[] = {"1", "64", "08"};
    const size_t values[] = {1, 64, 8};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char words[64];
        snprintf(words, sizeof words, "-t|%s", good[i]);
        assert_int_equal(run(&plain, words, NULL), ANSWER);
        assert_int_equal(seen.request.threads, values[i]);
    }
    const char *bad[] = {"0", "65",  "-1",  "8x",  "x",
                         "",  "8.0", "1e1", "0x8", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char words[64], expected[128];
        snprintf(words, sizeof words, "--threads=%s", bad[i]);
        snprintf(expected, sizeof expected, "--threads %s: want a whole number from 1 to 64",
                 bad[i]);
        refuse(&plain, words, expected);
    }
}

static void kinds_of_values(void **state) {
    (void)state;
    run(&plain, "", NULL);
    assert_true(seen.request.share == 0.5);
    assert_int_equal(seen.request.kind, 8);
    assert_int_equal(seen.request.bytes, 0);
    assert_null(seen.request.list);
    run(&plain, "--share|0.25|--memory|3K|-k|round|--list|square,round", NULL);
    assert_true(seen.request.share == 0.25);
    assert_int_equal(seen.request.kind, 7);
    assert_int_equal(seen.request.bytes, 3072);
    assert_int_equal(seen.runs, 1);
    refuse(&plain, "--share|1.5", "--share 1.5: want a number from 0 to 1");
    refuse(&plain, "--share|nan", "--share nan: want a number from 0 to 1");
    refuse(&plain, "--memory|3X", "--memory 3X: want a size of 1K or more, as 512M or 2G");
    refuse(&plain, "-k|roud", "--kind is round or square, not 'roud'; did you mean round?");
    refuse(&plain, "-k|zzz", "--kind is round or square, not 'zzz'\n");
    refuse(&plain, "--list|round,", "--list is round or square, not ''\n");
    refuse(&plain, "--list|round,cubic", "--list is round or square, not 'cubic'\n");
}

static void what_goes_with_what(void **state) {
    (void)state;
    assert_int_equal(run(&strict, "a|b|-o|x|--share|1|--memory|1K", NULL), ANSWER);
    refuse(&strict, "-o|x", "psbench try: needs a cup, or two\n");
    refuse(&strict, "a|b|c|-o|x",
           "needs a cup, or two, and nothing else; got c; usage: psbench try [options]");
    refuse(&strict, "a", "needs --output DIR: where to write");
    refuse(&strict, "a|-o|x|--share|1", "--memory and --share go together: give both");
    refuse(&strict, "a|-o|x|-k|round|--overlap",
           "--kind and --overlap exclude each other: give one");
}

static void command_line(void **state) {
    (void)state;
    run(&plain, "-t|3|a b|it's||x;y|SHD:width=2,norms=plain", NULL);
    assert_string_equal(seen.line,
                        "psbench try -t 3 'a b' 'it'\\''s' '' 'x;y' SHD:width=2,norms=plain");
}

static void verbosity(void **state) {
    (void)state;
    run(&plain, "-q", NULL);
    assert_int_equal(cli_verbosity(), -1);
    char *said;
    run(&plain, "-vv|--verbose", &said);
    assert_int_equal(cli_verbosity(), 3);
    assert_non_null(strstr(said, "psbench try -vv --verbose: "));
    free(said);
    run(&plain, "", &said);
    assert_int_equal(cli_verbosity(), 0);
    assert_string_equal(said, "");
    free(said);
}

static void help_from_the_table(void **state) {
    (void)state;
    capture c;
    capture_start(&c, &stdout);
    int code = run(&plain, "-t|3|--help", NULL);
    char *text = capture_end(&c);
    assert_int_equal(code, CLI_DONE);
    assert_int_equal(seen.runs, 0);
    assert_non_null(strstr(text, "  -t, --threads N    threads to use (1 to 64) [4]\n"));
    assert_non_null(strstr(text, "  -o, --output DIR   where to write\n"));
    assert_non_null(strstr(text, "      --overlap      a flag\n"));
    assert_non_null(strstr(text, "its form: round: as a ball; square [square]\n"));
    assert_non_null(strstr(text, "\n  As in 'psbench help': -h, --help; -q, --quiet; "));
    free(text);
}

static void exit_codes(void **state) {
    (void)state;
    const int expected[] = {
        [PSB_ERROR_USAGE] = 2,  [PSB_ERROR_INPUT] = 3,    [PSB_ERROR_IO] = 3,
        [PSB_ERROR_MEMORY] = 4, [PSB_ERROR_INTERNAL] = 4, [PSB_ERROR_INTERRUPTED] = 130,
    };
    for (int status = PSB_ERROR_USAGE; status <= PSB_ERROR_INTERRUPTED; status++) {
        psb_error error = {.status = (psb_status)status, .message = "100 % wrong"};
        capture c;
        capture_start(&c, &stderr);
        int code = cli_report(&error);
        char *text = capture_end(&c);
        assert_int_equal(code, expected[status]);
        assert_string_equal(text, "psbench: 100 % wrong\n");
        free(text);
    }
}

enum { DUE = -1000, NOT_DUE = 1000 }; /* seconds by which a test moves the clock's readings */

/*
 * What progress shows of 5 of 10 and then of all 10, with a message between the two. File
 * descriptor 2 decides whether it believes to be on a terminal; the text is caught before it.
 */
static char *show_progress(bool terminal, int started, int last) {
    setenv("TERM", "xterm", 1);
    int before = dup(STDERR_FILENO);
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int target = open(terminal ? ptsname(master) : "/dev/null", O_RDWR | O_NOCTTY);
    assert_true(target >= 0);
    dup2(target, STDERR_FILENO);
    capture c;
    capture_start(&c, &stderr);
    cli_progress progress;
    cli_progress_start(&progress, "work", 0);
    progress.started += started;
    progress.last += last;
    cli_progress_update(&progress, 5, 10, 0);
    cli_say("a message");
    cli_progress_update(&progress, 10, 10, 2);
    char *text = capture_end(&c);
    dup2(before, STDERR_FILENO);
    close(before);
    close(target);
    close(master);
    return text;
}

static void progress_on_a_terminal(void **state) {
    (void)state;
    char *text = show_progress(true, 2 * DUE, DUE);
    assert_ptr_equal(strstr(text, "work [##########..........] 5/10  50 %  0.0025/s  33:2"), text);
    assert_non_null(strstr(text, " left\r\033[Kpsbench: a message\nwork: 10 in 33:2"));
    assert_string_equal(text + strlen(text) - strlen(", 2 failed\n"), ", 2 failed\n");
    free(text);
    /* Too soon for a bar; the end is shown all the same. */
    text = show_progress(true, 0, NOT_DUE);
    assert_string_equal(text, "psbench: a message\nwork: 10 in 0:00, 2 failed\n");
    free(text);
}

/* Half of the steps in 1,000 s, but nine tenths of the work: a ninth of that is left. */
static void time_left_goes_by_the_work(void **state) {
    (void)state;
    capture c;
    capture_start(&c, &stderr);
    cli_stages stages = {.stage = ""};
    psb_observer observer = cli_observer(&stages);
    cli_catch_signals();
    observer.progress(&stages, "work", 0, 10, 0);
    stages.progress.started -= 1000;
    observer.share(&stages, 0.9);
    raise(SIGUSR1);
    observer.progress(&stages, "work", 5, 10, 0);
    raise(SIGUSR1);
    observer.progress(&stages, "work", 5, 10, 0);
    char *text = capture_end(&c);
    assert_ptr_equal(strstr(text, "psbench: work: 5/10  50 %  0.005/s  1:51 left\n"
                                  "psbench: work: 5/10  50 %  0.005/s  16:40 left\n"),
                     text);
    free(text);
}

static void progress_in_a_file(void **state) {
    (void)state;
    char *text = show_progress(false, 10 * DUE, DUE);
    assert_ptr_equal(strstr(text, "psbench: work: 5/10  50 %  0.0005/s  2:46:4"), text);
    assert_non_null(strstr(text, " left\npsbench: a message\npsbench: work: 10/10 100 %"));
    assert_null(strchr(text, '\r'));
    free(text);
    text = show_progress(false, NOT_DUE, NOT_DUE);
    assert_string_equal(text, "psbench: a message\n");
    free(text);
}

static void progress_when_quiet(void **state) {
    (void)state;
    cli_set_verbosity(-1);
    char *text = show_progress(true, DUE, DUE);
    cli_set_verbosity(0);
    assert_string_equal(text, "psbench: a message\n");
    free(text);
}

static void signals(void **state) {
    (void)state;
    signal(SIGINT, SIG_IGN);
    cli_catch_signals();
    raise(SIGINT);
    assert_false(cli_interrupted());
    raise(SIGTERM);
    assert_true(cli_interrupted());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_and_values),
        cmocka_unit_test(values_come_once),
        cmocka_unit_test(paths_of_all_commands_are_known),
        cmocka_unit_test(arguments_among_options),
        cmocka_unit_test(wrong_options),
        cmocka_unit_test(single_dash),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(kinds_of_values),
        cmocka_unit_test(what_goes_with_what),
        cmocka_unit_test(command_line),
        cmocka_unit_test(verbosity),
        cmocka_unit_test(help_from_the_table),
        cmocka_unit_test(exit_codes),
        cmocka_unit_test(progress_on_a_terminal),
        cmocka_unit_test(time_left_goes_by_the_work),
        cmocka_unit_test(progress_in_a_file),
        cmocka_unit_test(progress_when_quiet),
        cmocka_unit_test(signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
