/*
 * escape FOLDER WALLS: tries what a model could do that takes psbench-import over, each in a
 * process of its own that first closes the box (tools/import-box.h) with these walls, a sum of
 * BOX_... Prints the walls that stand, then for each attempt what came of it: "done", "refused"
 * with the reason, or "ended" with the signal. FOLDER has the files `own`, `link` (to elsewhere),
 * `pipe`.
 */
#include "core/number.h"
#include "import-box.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What each gives is negative where it was refused; then errno says why. */

static int open_system(void) {
    return open("/etc/passwd", O_RDONLY);
}

static int open_above(void) {
    return open("../elsewhere", O_RDONLY);
}

static int open_own(void) {
    return open("own", O_RDONLY);
}

static int open_link(void) {
    return open("link", O_RDONLY);
}

static int open_pipe(void) {
    return open("pipe", O_RDONLY | O_NONBLOCK);
}

static int open_device(void) {
    return open("/dev/zero", O_RDONLY);
}

static int create(void) {
    return open("made", O_WRONLY | O_CREAT, 0666);
}

static int list_folder(void) {
    return open(".", O_RDONLY | O_DIRECTORY);
}

static int remove_own(void) {
    return unlink("own");
}

static int rename_own(void) {
    return rename("own", "other");
}

static int cut_own(void) {
    return truncate("own", 0);
}

static int make_folder(void) {
    return mkdir("folder", 0777);
}

static int change_mode(void) {
    return chmod("own", 0600);
}

static int make_socket(void) {
    return socket(AF_INET, SOCK_STREAM, 0);
}

static int connect_socket(void) {
    struct sockaddr_in there = {.sin_family = AF_INET,
                                .sin_port = htons(9),
                                .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    int line = socket(AF_INET, SOCK_STREAM, 0);
    int tried = line >= 0 ? connect(line, (struct sockaddr *)&there, sizeof there) : -1;
    return tried < 0 && errno == ECONNREFUSED ? 0 : tried; /* so it came as far as that port */
}

static int fork_process(void) {
    return fork();
}

static int execute(void) {
    char *const arguments[] = {(char[]){"true"}, NULL};
    return execv("/bin/true", arguments);
}

static int trace_parent(void) {
    return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0 ? 0 : -1;
}

static int signal_parent(void) {
    return kill(getppid(), SIGCONT);
}

static int run_memory(void) {
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
               ? -1
               : 0;
}

static int take_memory(void) {
    return mmap(NULL, (size_t)1 << 31, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
               ? -1
               : 0;
}

static const struct {
    const char *name;
    int (*attempt)(void);
} attempts[] = {
    {"open a file of the system", open_system},
    {"open a file above", open_above},
    {"open a file beside", open_own},
    {"open a link", open_link},
    {"open a FIFO", open_pipe},
    {"open a device", open_device},
    {"create a file", create},
    {"list a folder", list_folder},
    {"unlink", remove_own},
    {"rename", rename_own},
    {"truncate", cut_own},
    {"mkdir", make_folder},
    {"chmod", change_mode},
    {"socket", make_socket},
    {"connect", connect_socket},
    {"fork", fork_process},
    {"execve", execute},
    {"ptrace the parent", trace_parent},
    {"signal the parent", signal_parent},
    {"memory that is code", run_memory},
    {"more memory", take_memory},
};

/* Does not return. */
static void attempt(size_t i, unsigned wanted) {
    box_close(wanted, 10, (unsigned long)1 << 30);
    close(
        STDERR_FILENO); /* as an attacker would, to have a place among the files that are allowed */
    _exit(attempts[i].attempt() >= 0 ? 0 : errno);
}

static int judge(pid_t pid, const char *name) {
    int state = 0;
    if (pid < 0 || waitpid(pid, &state, 0) != pid) {
        return EXIT_FAILURE;
    }
    if (WIFSIGNALED(state)) {
        printf("%s\tended: %s\n", name, strsignal(WTERMSIG(state)));
    } else if (WEXITSTATUS(state) == 0) {
        printf("%s\tdone\n", name);
    } else {
        printf("%s\trefused: %s\n", name, strerror(WEXITSTATUS(state)));
    }
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* The walls that stand where these are wanted. */
static unsigned walls_there(unsigned wanted) {
    int state = 0;
    pid_t pid = fork();
    if (pid == 0) {
        _exit((int)box_close(wanted, 10, (unsigned long)1 << 30));
    }
    return pid > 0 && waitpid(pid, &state, 0) == pid && WIFEXITED(state)
               ? (unsigned)WEXITSTATUS(state)
               : 0;
}

int main(int argc, char **argv) {
    int64_t wanted;
    if (argc != 3 || !psb_parse_int64(argv[2], &wanted) || chdir(argv[1]) != 0) {
        return EXIT_FAILURE;
    }
    int code = printf("walls\t%u\n", walls_there((unsigned)wanted)) > 0 && fflush(stdout) == 0
                   ? EXIT_SUCCESS
                   : EXIT_FAILURE;
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0] && code == EXIT_SUCCESS; i++) {
        int own = open("own", O_WRONLY | O_CREAT, 0666); /* it may have gone by the last attempt */
        pid_t pid = own >= 0 && close(own) == 0 ? fork() : -1;
        if (pid == 0) {
            attempt(i, (unsigned)wanted);
        }
        code = judge(pid, attempts[i].name);
    }
    return code;
}
