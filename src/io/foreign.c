/* Starts psbench-import, sends it the files that it asks for, and reads its answer, which is not
 * trusted. */
#include "io/foreign.h"

#include "core/clock.h"
#include "core/text.h"
#include "core/watch.h"
#include "io/format.h"
#include "io/siblings.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    DEFAULT_SECONDS = 60, /* seconds of CPU time */
    ERROR_MOST = 400,     /* bytes of the reason for a failure */
    NAME_MOST = 4096,     /* bytes of a file name in a request */
};

static const char *const endings[] = {
    "fbx", "3ds", "x3d",  "wrl",  "lwo", "dxf", "blend",   "ac",  "ase", "x",   "ms3d",    "amf",
    "b3d", "cob", "ifc",  "iqm",  "irr", "lws", "lxo",     "md2", "md3", "mdc", "mdl",     "m3d",
    "ndo", "nff", "ogex", "pmx",  "q3d", "q3o", "q3s",     "raw", "sib", "smd", "md5mesh", "ter",
    "uc",  "xgl", "zgl",  "step", "stp", "hmp", "irrmesh", "3d",  "zae", NULL,
};

const char *psb_foreign_ending_at(size_t index) {
    return endings[index];
}

static atomic_bool switched_off, unsealed;

void psb_foreign_allow(bool allowed) {
    switched_off = !allowed;
}

bool psb_foreign_was_unsealed(void) {
    return unsealed;
}

/* ---- the process ----------------------------------------------------------------------- */

typedef struct child {
    pid_t pid;
    int line;             /* our end of the socket */
    double seconds;       /* how long it may say nothing */
    double heard, queued; /* when it last had a turn, and its time in the queue until then */
    bool absent;          /* the program does not exist */
    bool late;            /* its time ended before its answer */
    bool closed;          /* it closed its end; normally because it ended */
} child;

/* Replaces the last part of `path` by the importer's name; true if that file exists. If it may not
 * be executed, starting it fails with that reason. */
static bool is_beside(char *path, size_t size) {
    char *slash = strrchr(path, '/');
    size_t used = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    snprintf(path + used, size - used, "%s", PSB_FOREIGN_PROGRAM);
    return used > 0 && access(path, F_OK) == 0;
}

/* Looks for the importer beside the library that this code is in (the main program may be Python),
 * then beside the main program. If it is in neither place, posix_spawnp searches PATH. */
static void find_program(char *path, size_t size) {
    Dl_info library;
    if (dladdr(psb_foreign_magic, &library) != 0) {
        snprintf(path, size, "%s", library.dli_fname);
        if (is_beside(path, size)) {
            return;
        }
    }
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    if (!is_beside(path, size)) {
        snprintf(path, size, "%s", PSB_FOREIGN_PROGRAM);
    }
}

/* Copies our environment for the importer, and switches off its C library's cache of freed memory.
 * The importer has mallopt's M_PERTURB overwrite freed memory, which does not reach that cache. */
static psb_status own_environment(char ***variables, psb_error *error) {
    static const char name[] = "GLIBC_TUNABLES=";
    static char setting[] = "GLIBC_TUNABLES=glibc.malloc.tcache_count=0";
    size_t count = 0, kept = 0;
    while (environ[count] != NULL) {
        count++;
    }
    psb_status status = PSB_OK;
    *variables = psb_new(&status, count + 2, sizeof **variables, "an environment", error);
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        if (strncmp(environ[i], name, sizeof name - 1) != 0) {
            (*variables)[kept++] = environ[i];
        }
    }
    if (status == PSB_OK) {
        (*variables)[kept++] = setting;
        (*variables)[kept] = NULL;
    }
    return status;
}

/*
 * Starts the importer in its own process group, with the socket as standard input and output and
 * with default signal handling. It closes other inherited descriptors by itself. Returns an errno.
 */
static int spawn(const char *const arguments[], char **variables, int line, pid_t *pid) {
    char program[4096];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, all;
    find_program(program, sizeof program);
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    int failed = posix_spawn_file_actions_adddup2(&files, line, STDIN_FILENO);
    failed = failed != 0 ? failed : posix_spawn_file_actions_adddup2(&files, line, STDOUT_FILENO);
    failed = failed != 0 ? failed
                         : posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null",
                                                            O_WRONLY, 0);
    failed = failed != 0
                 ? failed
                 : posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                      POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    if (failed == 0) {
        failed = posix_spawnp(pid, program, &files, &how, (char *const *)(uintptr_t)arguments,
                              variables);
    }
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

static psb_status start(const char *path, const char *const arguments[], double seconds, child *c,
                        psb_error *error) {
    int ends[2];
    char **variables = NULL;
    psb_status status = own_environment(&variables, error);
    PSB_THEN_IF(status, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0,
                psb_fail_errno(error, PSB_FOREIGN_PROGRAM, "start"));
    if (status != PSB_OK) {
        free(variables);
        return status;
    }
    *c = (child){.line = ends[0], .seconds = seconds, .heard = psb_clock_wall()};
    int failed = spawn(arguments, variables, ends[1], &c->pid);
    free(variables);
    close(ends[1]);
    if (failed == 0) {
        return PSB_OK;
    }
    close(c->line);
    c->absent = failed == ENOENT;
    errno = failed;
    return failed == ENOENT ? psb_fail_at(error, PSB_ERROR_IO, path, 0,
                                          "read by " PSB_FOREIGN_PROGRAM
                                          ", which is not installed (it is built where assimp is; "
                                          "'--import no' leaves such files out)")
                            : psb_fail_errno(error, PSB_FOREIGN_PROGRAM, "start");
}

/* Seconds in which the process was ready to run but no processor was free. */
static double seconds_in_queue(pid_t pid) {
    char path[64], text[128];
    snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, sizeof text) : 0;
    if (fd >= 0) {
        close(fd);
    }
    const char *at = text, *end = text + (length > 0 ? length : 0);
    int64_t running = 0, waiting = 0;
    bool known = psb_scan_int64(&at, end, &running) && at < end && *at++ == ' ' &&
                 psb_scan_int64(&at, end, &waiting);
    return known ? 1e-9 * (double)waiting : 0;
}

/* Says whether the process said nothing for longer than it may, not counting the time in which it
 * waited for a processor, or whether the caller wants to stop. */
static bool is_late(child *c) {
    double silent = psb_clock_wall() - c->heard;
    c->late = psb_go_on(NULL) != PSB_OK ||
              (silent > c->seconds && silent - (seconds_in_queue(c->pid) - c->queued) > c->seconds);
    return c->late;
}

/* Begins a new turn. What we needed to answer, perhaps from a slow disk, is not the importer's
 * time; its CPU time is limited over all turns, by itself. */
static void give_turn(child *c) {
    c->heard = psb_clock_wall();
    c->queued = seconds_in_queue(c->pid);
}

/*
 * Waits until the socket can be read or written, for a tenth of a second at most. Returns false if
 * it cannot be, or if the time is over. So neither a busy machine nor a slow disk decides which
 * models are left out.
 */
static bool wait_for(child *c, short what) {
    enum { LOOK = 100 }; /* milliseconds */
    struct pollfd ready = {.fd = c->line, .events = what};
    int n = poll(&ready, 1, LOOK);
    return !is_late(c) && n > 0;
}

/* Reads `size` bytes from the importer; fewer if they end or take too long. */
static size_t take(child *c, void *out, size_t size) {
    size_t done = 0;
    while (done < size && !c->late && !c->closed) {
        ssize_t got = wait_for(c, POLLIN) ? read(c->line, (char *)out + done, size - done) : -1;
        done += got > 0 ? (size_t)got : 0;
        c->closed = got == 0 || (got < 0 && errno == ECONNRESET);
    }
    return done;
}

/* Sends bytes to the importer; true if it took them all. */
static bool give(child *c, const void *data, size_t size) {
    size_t done = 0;
    while (done < size && !c->late && !c->closed) {
        ssize_t sent = wait_for(c, POLLOUT) ? send(c->line, (const char *)data + done, size - done,
                                                   MSG_DONTWAIT | MSG_NOSIGNAL)
                                            : 0;
        done += sent > 0 ? (size_t)sent : 0;
        c->closed = sent < 0 && errno != EAGAIN && errno != EINTR;
    }
    return done == size;
}

/* True if the process has ended by itself; if it closed its end of the socket, that is waited for
 * as for an answer. */
static bool has_ended(child *c) {
    enum { PAUSE = 10 }; /* milliseconds */
    siginfo_t info = {.si_pid = 0};
    while (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0 && c->closed && !is_late(c)) {
        poll(NULL, 0, PAUSE);
    }
    return info.si_pid != 0;
}

/* Ends the process and its group. Returns its state as of wait4, or success if it had not ended by
 * itself; *used is its use of the processor. */
static int finish(child *c, struct rusage *used) {
    int state = 0;
    bool by_itself = has_ended(c);
    close(c->line);
    kill(-c->pid, SIGKILL);
    while (wait4(c->pid, &state, 0, used) < 0 && errno == EINTR) {
    }
    return by_itself ? state : 0;
}

/* ---- the answer ------------------------------------------------------------------------ */

/* One model that is being read. */
typedef struct reading {
    child c;
    const psb_scan *scan;
    const char *name; /* the model's name in requests */
    const char *data;
    size_t size;
    psb_siblings *siblings;
} reading;

static psb_status fail_nonsense(const reading *r) {
    return PSB_SCAN_FAIL(r->scan, PSB_FOREIGN_PROGRAM " answered with nonsense");
}

static psb_status take_mesh(reading *r, const psb_foreign_message *answer,
                            psb_mesh_buffer *buffer) {
    /* The importer cannot have had a mesh larger than its memory. */
    const size_t most = (size_t)PSB_FOREIGN_MIB << 20;
    const psb_scan *scan = r->scan;
    psb_mesh *mesh = &buffer->mesh;
    if (answer->nvertices > most / (3 * sizeof(double)) ||
        answer->ntriangles > most / (3 * sizeof(uint32_t)) || answer->npolygons > most) {
        return fail_nonsense(r);
    }
    mesh->nvertices = (size_t)answer->nvertices;
    mesh->ntriangles = (size_t)answer->ntriangles;
    mesh->npolygons = (size_t)answer->npolygons;
    psb_status status = psb_grow_triangles(scan, buffer, mesh->ntriangles);
    PSB_THEN(status, psb_room_for_vertices(scan, buffer, mesh->nvertices));
    size_t vertex_bytes = mesh->nvertices * 3 * sizeof(double);
    size_t triangle_bytes = mesh->ntriangles * 3 * sizeof(uint32_t);
    if (status == PSB_OK && (take(&r->c, mesh->vertices, vertex_bytes) < vertex_bytes ||
                             take(&r->c, mesh->triangles, triangle_bytes) < triangle_bytes)) {
        return PSB_SCAN_FAIL(scan, PSB_FOREIGN_PROGRAM " ended within its answer");
    }
    for (size_t i = 0; i < 3 * mesh->nvertices && status == PSB_OK; i++) {
        if (!isfinite(mesh->vertices[i])) {
            status =
                PSB_SCAN_FAIL(scan, "vertex %zu has a coordinate %g", i / 3, mesh->vertices[i]);
        }
    }
    for (size_t i = 0; i < 3 * mesh->ntriangles && status == PSB_OK; i++) {
        status = mesh->triangles[i] < mesh->nvertices ? PSB_OK : fail_nonsense(r);
    }
    return status;
}

/* Sends the file whose name of `length` bytes comes next, or says that there is none. */
static psb_status serve(reading *r, size_t length, psb_error *error) {
    char name[NAME_MOST + 1];
    if (length > NAME_MOST || take(&r->c, name, length) < length ||
        memchr(name, '\0', length) != NULL) {
        return fail_nonsense(r);
    }
    name[length] = '\0';
    const char *data = r->data;
    size_t size = r->size;
    psb_status status = strcmp(name, r->name) == 0
                            ? PSB_OK
                            : psb_siblings_read(r->siblings, name, &data, &size, error);
    const uint64_t told = data != NULL ? size : PSB_FOREIGN_NONE;
    PSB_THEN_IF(status, !give(&r->c, &told, sizeof told) || !give(&r->c, data, size),
                PSB_SCAN_FAIL(r->scan, PSB_FOREIGN_PROGRAM " gave no answer"));
    give_turn(&r->c);
    return status;
}

static psb_status take_reason(reading *r, const psb_foreign_message *answer) {
    char reason[ERROR_MOST + 1];
    size_t most = answer->length < ERROR_MOST ? (size_t)answer->length : ERROR_MOST;
    size_t length = take(&r->c, reason, most);
    for (size_t i = 0; i < length; i++) {
        reason[i] = reason[i] >= ' ' && reason[i] <= '~' ? reason[i] : ' ';
    }
    reason[length] = '\0';
    return answer->kind == PSB_FOREIGN_LACKING
               ? psb_fail(r->scan->error, PSB_ERROR_MEMORY, "%s", reason)
               : PSB_SCAN_FAIL(r->scan, "%s", reason);
}

/* Sends files until the answer comes. */
static psb_status converse(reading *r, psb_mesh_buffer *buffer) {
    psb_status status = PSB_OK;
    psb_foreign_message message = {.kind = PSB_FOREIGN_WANTED};
    while (status == PSB_OK && message.kind == PSB_FOREIGN_WANTED) {
        if (take(&r->c, &message, sizeof message) < sizeof message ||
            memcmp(message.magic, psb_foreign_magic, sizeof message.magic) != 0) {
            return PSB_SCAN_FAIL(r->scan, PSB_FOREIGN_PROGRAM " gave no answer");
        }
        if (message.sealed == 0) {
            unsealed = true;
        }
        switch (message.kind) {
        case PSB_FOREIGN_WANTED:
            status = serve(r, message.length, r->scan->error);
            break;
        case PSB_FOREIGN_MESH:
            status = take_mesh(r, &message, buffer);
            break;
        case PSB_FOREIGN_REFUSED:
        case PSB_FOREIGN_LACKING:
            status = take_reason(r, &message);
            break;
        default:
            status = fail_nonsense(r);
        }
    }
    return status;
}

/* How the process ended explains a failure better than the gap in its answer. */
static psb_status explain(const child *c, int state, const struct rusage *used,
                          const psb_scan *scan) {
    int signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    double processor = (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
                       1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
    if (c->late) {
        return PSB_SCAN_FAIL(scan, PSB_FOREIGN_PROGRAM " was not done after %g s", c->seconds);
    }
    if (signal == SIGXCPU || (signal == SIGKILL && processor >= c->seconds)) {
        return PSB_SCAN_FAIL(
            scan, PSB_FOREIGN_PROGRAM " took longer than the %g s of CPU time that are allowed",
            c->seconds);
    }
    if (signal == SIGKILL) {
        return psb_fail(scan->error, PSB_ERROR_MEMORY,
                        PSB_FOREIGN_PROGRAM " was killed over it, as systems do for memory");
    }
    return PSB_SCAN_FAIL(scan, PSB_FOREIGN_PROGRAM " crashed over it: %s", strsignal(signal));
}

static psb_status run(reading *r, psb_mesh_buffer *buffer) {
    char time[32];
    double seconds = buffer->max_seconds > 0 ? buffer->max_seconds : DEFAULT_SECONDS;
    snprintf(time, sizeof time, "%.3f", seconds);
    const char *const arguments[] = {PSB_FOREIGN_PROGRAM, r->name, time, NULL};
    psb_status status = start(r->scan->path, arguments, seconds, &r->c, r->scan->error);
    buffer->foreign = !r->c.absent;
    if (status != PSB_OK) {
        return status;
    }
    struct rusage used = {.ru_maxrss = 0};
    status = converse(r, buffer);
    int state = finish(&r->c, &used);
    if (psb_go_on(r->scan->error) != PSB_OK) {
        return PSB_ERROR_INTERRUPTED;
    }
    if (status == PSB_ERROR_INPUT && (r->c.late || WIFSIGNALED(state))) {
        status = explain(&r->c, state, &used, r->scan);
    }
    return status;
}

psb_status psb_foreign_read(const char *path, size_t length, const char *data, size_t size,
                            psb_mesh_buffer *buffer, psb_error *error) {
    psb_mesh *mesh = &buffer->mesh;
    psb_scan scan = {.path = path, .error = error};
    if (switched_off) {
        buffer->foreign = false;
        return PSB_SCAN_FAIL(&scan,
                             "read by " PSB_FOREIGN_PROGRAM ", which --import no leaves out");
    }
    psb_siblings siblings = {.archive = buffer->archive, .path = path, .hash = buffer->hash};
    psb_status status = PSB_OK;
    size_t folder = length;
    while (folder > 0 && path[folder - 1] != '/') {
        folder--;
    }
    PSB_FREED char *name =
        psb_new_text(&status, path + folder, length - folder, "a file name", error);
    reading r = {.scan = &scan, .name = name, .data = data, .size = size, .siblings = &siblings};
    PSB_THEN(status, run(&r, buffer));
    PSB_THEN_IF(status, buffer->max_faces > 0 && psb_mesh_faces(mesh) > buffer->max_faces,
                PSB_SCAN_FAIL(&scan, "%zu faces, but at most %zu are allowed", psb_mesh_faces(mesh),
                              buffer->max_faces));
    buffer->hash = siblings.hash;
    buffer->refers = siblings.count > 0;
    psb_siblings_free(&siblings);
    if (status != PSB_OK) {
        mesh->nvertices = mesh->ntriangles = mesh->npolygons = 0;
    }
    return status;
}

void psb_foreign_version(char *text, size_t size) {
    static const char *const arguments[] = {PSB_FOREIGN_PROGRAM, "--version", NULL};
    child c;
    struct rusage used;
    text[0] = '\0';
    if (start("version", arguments, DEFAULT_SECONDS, &c, NULL) == PSB_OK) {
        text[take(&c, text, size - 1)] = '\0';
        text[strcspn(text, "\n")] = '\0';
        finish(&c, &used);
    }
}
