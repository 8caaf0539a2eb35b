/* Starts psbench-import, limits it, and takes its answer for the word of a stranger. */
#include "io/foreign.h"

#include "core/clock.h"
#include "io/format.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PRESET_SECONDS = 60, /* of processor time */
    PATIENCE = 10,       /* as many times that by the clock on the wall */
    MEMORY_MIB = 2048,
    ERROR_MOST = 400, /* bytes of a reason */
};

static const char *const endings[] = {
    "glb",   "gltf", "fbx", "dae",  "3ds",  "3mf", "x3d",     "wrl", "lwo",     "dxf",
    "blend", "ac",   "ase", "x",    "ms3d", "amf", "b3d",     "cob", "ifc",     "iqm",
    "irr",   "lws",  "lxo", "md2",  "md3",  "mdc", "mdl",     "m3d", "ndo",     "nff",
    "ogex",  "pmx",  "q3d", "q3o",  "q3s",  "raw", "sib",     "smd", "md5mesh", "ter",
    "uc",    "xgl",  "zgl", "step", "stp",  "hmp", "irrmesh", "3d",  "zae",     NULL,
};

const char *psb_foreign_ending_at(size_t index) {
    return endings[index];
}

/* ---- the process ----------------------------------------------------------------------- */

typedef struct child {
    pid_t pid;
    int output; /* of the child, for reading */
    double seconds, deadline;
    bool late;   /* the deadline passed before the answer ended */
    bool closed; /* it closed its end: as a rule, it ended */
} child;

/* Beside this program where it stands there, else wherever programs are looked for. */
static void find_program(char *path, size_t size) {
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    size_t used = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    snprintf(path + used, size - used, "%s", PSB_FOREIGN_PROGRAM);
    if (used == 0 || access(path, X_OK) != 0) {
        snprintf(path, size, "%s", PSB_FOREIGN_PROGRAM);
    }
}

/* None of our files but these, no signals of ours, and a group that the terminal does not know. */
static int spawn(const char *const arguments[], int input, int output, pid_t *pid) {
    char program[4096];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, all;
    find_program(program, sizeof program);
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    int failed = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    failed = failed != 0 ? failed : posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    failed = failed != 0 ? failed
                         : posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null",
                                                            O_WRONLY, 0);
    failed =
        failed != 0 ? failed : posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    failed = failed != 0
                 ? failed
                 : posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                      POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    if (failed == 0) {
        failed =
            posix_spawnp(pid, program, &files, &how, (char *const *)(uintptr_t)arguments, environ);
    }
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

static void limit(pid_t pid, double seconds) {
    const struct {
        enum __rlimit_resource what;
        rlim_t most;
    } limits[] = {
        {RLIMIT_AS, (rlim_t)MEMORY_MIB << 20},
        {RLIMIT_CPU, (rlim_t)ceil(seconds)},
        {RLIMIT_CORE, 0},
        {RLIMIT_FSIZE, 0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        /* The kernel says with SIGXCPU that it was the time, but only below the second limit. */
        const struct rlimit both = {limits[i].most, limits[i].most + 1};
        prlimit(pid, limits[i].what, &both, NULL);
    }
}

/* The file's bytes as a file without a name; -1 where there is no memory. */
static int file_of(const char *data, size_t size) {
    int fd = memfd_create("mesh", MFD_CLOEXEC);
    for (size_t done = 0; fd >= 0 && done < size;) {
        ssize_t n = write(fd, data + done, size - done);
        if (n <= 0) {
            close(fd);
            return -1;
        }
        done += (size_t)n;
    }
    return fd;
}

static psb_status start(const char *path, const char *const arguments[], int input, double seconds,
                        child *c, psb_error *error) {
    int ends[2];
    if (input < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        return psb_fail_errno(error, path, "start " PSB_FOREIGN_PROGRAM " for it");
    }
    *c = (child){
        .output = ends[0], .seconds = seconds, .deadline = psb_clock_wall() + PATIENCE * seconds};
    int failed = spawn(arguments, input, ends[1], &c->pid);
    close(ends[1]);
    if (failed != 0) {
        close(c->output);
        return failed == ENOENT
                   ? psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                                 "%s files are read by " PSB_FOREIGN_PROGRAM
                                 ", which is not installed (it is built where assimp is)",
                                 strrchr(path, '.') != NULL ? strrchr(path, '.') + 1 : "such")
                   : psb_fail_at(error, PSB_ERROR_IO, path, 0, "cannot start %s for it: %s",
                                 PSB_FOREIGN_PROGRAM, strerror(failed));
    }
    limit(c->pid, seconds);
    return PSB_OK;
}

/* The next bytes of the answer; fewer where it ends, or takes too long. */
static size_t take(child *c, void *out, size_t size) {
    enum { LOOK = 1000 }; /* milliseconds */
    size_t done = 0;
    while (done < size && !c->late) {
        struct pollfd ready = {.fd = c->output, .events = POLLIN};
        int n = poll(&ready, 1, LOOK);
        ssize_t got = n > 0 ? read(c->output, (char *)out + done, size - done) : 0;
        if (got > 0) {
            done += (size_t)got;
        } else if (n > 0 && (got == 0 || errno != EINTR)) {
            c->closed = true;
            break;
        }
        c->late = psb_clock_wall() > c->deadline;
    }
    return done;
}

/* Ends it and all that it started, if they have not ended; its state is as waitpid has it. */
static int finish(child *c) {
    int state = 0;
    close(c->output);
    kill(-c->pid, SIGKILL);
    while (waitpid(c->pid, &state, 0) < 0 && errno == EINTR) {
    }
    return state;
}

/* ---- the answer ------------------------------------------------------------------------ */

static psb_status take_mesh(child *c, const psb_scan *scan, const psb_foreign_answer *answer,
                            psb_mesh_buffer *buffer) {
    /* It had the mesh in its own memory. */
    const size_t most = (size_t)MEMORY_MIB << 20;
    psb_mesh *mesh = &buffer->mesh;
    if (answer->nvertices > most / (3 * sizeof(double)) ||
        answer->ntriangles > most / (3 * sizeof(uint32_t)) || answer->npolygons > most) {
        return PSB_SCAN_FAIL(scan, PSB_FOREIGN_PROGRAM " answered with nonsense");
    }
    mesh->nvertices = (size_t)answer->nvertices;
    mesh->ntriangles = (size_t)answer->ntriangles;
    mesh->npolygons = (size_t)answer->npolygons;
    psb_status status = psb_grow_triangles(scan, buffer, mesh->ntriangles);
    if (status == PSB_OK) {
        status = psb_room_for_vertices(scan, buffer, mesh->nvertices);
    }
    size_t vertex_bytes = mesh->nvertices * 3 * sizeof(double);
    size_t triangle_bytes = mesh->ntriangles * 3 * sizeof(uint32_t);
    if (status == PSB_OK && (take(c, mesh->vertices, vertex_bytes) < vertex_bytes ||
                             take(c, mesh->triangles, triangle_bytes) < triangle_bytes)) {
        return PSB_SCAN_FAIL(scan, PSB_FOREIGN_PROGRAM " ended within its answer");
    }
    for (size_t i = 0; i < 3 * mesh->nvertices && status == PSB_OK; i++) {
        if (!isfinite(mesh->vertices[i])) {
            status =
                PSB_SCAN_FAIL(scan, "vertex %zu has a coordinate %g", i / 3, mesh->vertices[i]);
        }
    }
    for (size_t i = 0; i < 3 * mesh->ntriangles && status == PSB_OK; i++) {
        if (mesh->triangles[i] >= mesh->nvertices) {
            status = PSB_SCAN_FAIL(scan, PSB_FOREIGN_PROGRAM " answered with nonsense");
        }
    }
    return status;
}

static psb_status take_answer(child *c, const psb_scan *scan, psb_mesh_buffer *buffer) {
    psb_foreign_answer answer;
    char reason[ERROR_MOST + 1];
    if (take(c, &answer, sizeof answer) < sizeof answer ||
        memcmp(answer.magic, psb_foreign_magic, sizeof answer.magic) != 0) {
        return PSB_SCAN_FAIL(scan, PSB_FOREIGN_PROGRAM " gave no answer");
    }
    if (answer.length == 0) {
        return take_mesh(c, scan, &answer, buffer);
    }
    size_t length = take(c, reason, answer.length < ERROR_MOST ? answer.length : ERROR_MOST);
    for (size_t i = 0; i < length; i++) {
        reason[i] = reason[i] >= ' ' && reason[i] <= '~' ? reason[i] : ' ';
    }
    reason[length] = '\0';
    return PSB_SCAN_FAIL(scan, "%s", reason);
}

/* What ended the process says more than what its answer lacks. */
static psb_status explain(const child *c, int state, const psb_scan *scan) {
    int signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    if (c->late) {
        return PSB_SCAN_FAIL(scan, PSB_FOREIGN_PROGRAM " was not done after %g s",
                             PATIENCE * c->seconds);
    }
    if (signal == SIGXCPU) {
        return PSB_SCAN_FAIL(scan,
                             PSB_FOREIGN_PROGRAM
                             " took longer than the %g s of processor time that are allowed",
                             c->seconds);
    }
    return PSB_SCAN_FAIL(scan, PSB_FOREIGN_PROGRAM " crashed over it: %s", strsignal(signal));
}

static psb_status run(const char *const arguments[], const psb_scan *scan, int input,
                      psb_mesh_buffer *buffer) {
    child c;
    double seconds = buffer->max_seconds > 0 ? buffer->max_seconds : PRESET_SECONDS;
    psb_status status = start(scan->path, arguments, input, seconds, &c, scan->error);
    if (status != PSB_OK) {
        return status;
    }
    status = take_answer(&c, scan, buffer);
    int state = finish(&c);
    if (status == PSB_ERROR_INPUT && (c.late || (c.closed && WIFSIGNALED(state)))) {
        status = explain(&c, state, scan);
    }
    return status;
}

psb_status psb_foreign_read(const char *path, const char *ending, const char *data, size_t size,
                            psb_mesh_buffer *buffer, psb_error *error) {
    psb_mesh *mesh = &buffer->mesh;
    psb_scan scan = {.path = path, .error = error};
    /* A name that begins with a dash, or is one, is none of its options. */
    char *name = NULL;
    bool dash = data == NULL && path[0] == '-';
    if (dash && asprintf(&name, "./%s", path) < 0) {
        return psb_fail_memory(error, "a file name", strlen(path));
    }
    const char *file = data != NULL ? "-" : dash ? name : path;
    const char *const arguments[] = {PSB_FOREIGN_PROGRAM, file, ending, NULL};
    int input = data != NULL ? file_of(data, size) : open("/dev/null", O_RDONLY | O_CLOEXEC);
    psb_status status = run(arguments, &scan, input, buffer);
    if (input >= 0) {
        close(input);
    }
    free(name);
    if (status == PSB_OK && buffer->max_faces > 0 && psb_mesh_faces(mesh) > buffer->max_faces) {
        status = PSB_SCAN_FAIL(&scan, "%zu faces, but at most %zu are allowed",
                               psb_mesh_faces(mesh), buffer->max_faces);
    }
    if (status != PSB_OK) {
        mesh->nvertices = mesh->ntriangles = mesh->npolygons = 0;
    }
    return status;
}

void psb_foreign_version(char *text, size_t size) {
    static const char *const arguments[] = {PSB_FOREIGN_PROGRAM, "--version", NULL};
    child c;
    text[0] = '\0';
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (start("version", arguments, input, 1, &c, NULL) == PSB_OK) {
        text[take(&c, text, size - 1)] = '\0';
        text[strcspn(text, "\n")] = '\0';
        finish(&c);
    }
    if (input >= 0) {
        close(input);
    }
}
