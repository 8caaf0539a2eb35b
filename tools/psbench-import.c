/*
 * psbench-import NAME SECONDS: reads a scene with assimp and answers as src/io/foreign.h says.
 *
 * This is a separate program, since assimp's readers may crash, hang, take all memory or be taken
 * over: psbench starts it anew for each file, and it closes a box around itself (import-box.h)
 * before it looks at the first byte. It adds every mesh of the scene at each node that places it,
 * leaves out lines and points, turns polygons into fans, and merges corners at equal positions into
 * one vertex.
 *
 * Some readers use memory that the file does not fill. So the program reads each file twice, with
 * memory that is filled differently, and refuses the file if the two meshes differ.
 */
#include "core/number.h"
#include "core/text.h"
#include "import-box.h"
#include "io/foreign.h"
#include "io/scene.h"
#ifdef PSB_DRACO
#include "import-draco.h"
#endif

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>
#include <assimp/version.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include <xxhash.h>

/* Assimp before 5.1 does not have this function. */
unsigned aiGetVersionPatch(void) __attribute__((weak));

enum { LINE = STDIN_FILENO }; /* the socket that leads to psbench */

static unsigned walls;
/* True if the machine may have less memory than PSB_FOREIGN_MIB: running out of memory then does
 * not prove the file bad. */
static bool scarce;

/* ---- talking to psbench ------------------------------------------------------------------ */

static bool send_all(const void *data, size_t size) {
    for (const char *at = data; size > 0;) {
        ssize_t n = write(LINE, at, size);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool receive(void *data, size_t size) {
    for (char *at = data; size > 0;) {
        ssize_t n = read(LINE, at, size);
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return false;
        }
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Sends a message, followed by `text` unless that is NULL. */
static bool send_message(psb_foreign_message message, const char *text) {
    memcpy(message.magic, psb_foreign_magic, sizeof message.magic);
    message.sealed = (walls & (BOX_LANDLOCK | BOX_SECCOMP)) != 0;
    message.length = text != NULL ? strlen(text) : 0;
    return send_all(&message, sizeof message) && send_all(text, (size_t)message.length);
}

static int fail(psb_foreign_kind kind, const char *reason) {
    return send_message((psb_foreign_message){.kind = kind}, reason) ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int fail_memory(void) {
    return fail(scarce ? PSB_FOREIGN_LACKING : PSB_FOREIGN_REFUSED, "assimp: out of memory");
}

/* ---- files for assimp -------------------------------------------------------------------- */

/* A file that assimp asked for and psbench sent; kept for the life of the process. */
typedef struct given {
    struct given *next;
    char *name, *data; /* `data` is NULL if there is no such file */
    size_t size;
} given;

static given *all_given;

/* Gets a file from psbench, once. Returns NULL if memory ran out or psbench is gone. */
static given *ask(const char *name) {
    for (given *g = all_given; g != NULL; g = g->next) {
        if (strcmp(g->name, name) == 0) {
            return g;
        }
    }
    uint64_t size;
    given *g = calloc(1, sizeof *g);
    if (g == NULL || (g->name = strdup(name)) == NULL ||
        !send_message((psb_foreign_message){.kind = PSB_FOREIGN_WANTED}, name) ||
        !receive(&size, sizeof size)) {
        return NULL;
    }
    if (size != PSB_FOREIGN_NONE) {
        /* Exits, since assimp would take NULL for a missing file, not for a out of memory. */
        g->data = size < SIZE_MAX ? malloc((size_t)size + 1) : NULL;
        if (g->data == NULL) {
            exit(fail_memory());
        }
        g->size = (size_t)size;
        if (!receive(g->data, g->size)) {
            return NULL;
        }
    }
    g->next = all_given;
    all_given = g;
    return g;
}

/* A given file that assimp opened. */
typedef struct opened {
    struct aiFile file;
    const given *of;
    size_t at;
} opened;

static opened *opened_as(struct aiFile *file) {
    return (opened *)(void *)file->UserData;
}

static size_t read_items(struct aiFile *file, char *out, size_t size, size_t count) {
    opened *o = opened_as(file);
    size_t left = o->at < o->of->size ? o->of->size - o->at : 0;
    size_t items = size > 0 && count > left / size ? left / size : count;
    if (size == 0 || items == 0) {
        return 0;
    }
    memcpy(out, o->of->data + o->at, items * size);
    o->at += items * size;
    return items;
}

static size_t write_nothing(struct aiFile *file, const char *data, size_t size, size_t count) {
    (void)file, (void)data, (void)size, (void)count;
    return 0;
}

static size_t tell(struct aiFile *file) {
    return opened_as(file)->at;
}

static size_t size_of(struct aiFile *file) {
    return opened_as(file)->of->size;
}

static void flush(struct aiFile *file) {
    (void)file;
}

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
    opened *o = opened_as(file);
    size_t from = origin == aiOrigin_CUR ? o->at : origin == aiOrigin_END ? o->of->size : 0;
    o->at = from + offset; /* readers seek backwards by an offset that overflows, as with fseek */
    return o->at <= o->of->size ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static struct aiFile *open_given(struct aiFileIO *system, const char *name, const char *mode) {
    (void)system;
    const given *g = mode[0] == 'r' ? ask(name) : NULL;
    opened *o = g != NULL && g->data != NULL ? malloc(sizeof *o) : NULL;
    if (o == NULL) {
        return NULL;
    }
    *o = (opened){.file = {.ReadProc = read_items,
                           .WriteProc = write_nothing,
                           .TellProc = tell,
                           .FileSizeProc = size_of,
                           .SeekProc = seek,
                           .FlushProc = flush,
                           .UserData = (char *)o},
                  .of = g};
    return &o->file;
}

static void close_given(struct aiFileIO *system, struct aiFile *file) {
    (void)system;
    free(opened_as(file));
}

/* ---- the mesh ------------------------------------------------------------------------------ */

/* Collects the meshes of a scene. */
typedef struct sink {
    const struct aiScene *from;
    psb_scan scan; /* takes the error messages */
    psb_mesh_buffer *buffer;
    psb_scene scene;
} sink;

static psb_placement placed(const psb_placement *outer, const struct aiMatrix4x4 *t) {
    const psb_placement inner = {{{(double)t->a1, (double)t->a2, (double)t->a3, (double)t->a4},
                                  {(double)t->b1, (double)t->b2, (double)t->b3, (double)t->b4},
                                  {(double)t->c1, (double)t->c2, (double)t->c3, (double)t->c4}}};
    return psb_placement_within(outer, &inner);
}

/* Sets *index to the index of a mesh's vertex, which is placed when it is first asked for. */
static psb_status place_vertex(sink *s, const struct aiMesh *mesh, unsigned vertex,
                               uint32_t *index) {
    if (vertex >= mesh->mNumVertices) {
        return PSB_SCAN_FAIL(&s->scan, "face index %u, but the mesh has %u vertices", vertex,
                             mesh->mNumVertices);
    }
    if (psb_scene_has(&s->scene, vertex, index)) {
        return PSB_OK;
    }
    const struct aiVector3D *from = &mesh->mVertices[vertex];
    const double at[3] = {(double)from->x, (double)from->y, (double)from->z};
    return psb_scene_add(&s->scene, &s->scan, vertex, at, index);
}

static psb_status add_mesh(sink *s, const struct aiMesh *mesh, const psb_placement *p) {
    snprintf(s->scene.what, sizeof s->scene.what, "a mesh");
    psb_status status = psb_scene_place(&s->scene, &s->scan, p, mesh->mNumVertices, 0);
    for (unsigned f = 0; f < mesh->mNumFaces && status == PSB_OK; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        bool is_polygon = face->mNumIndices > 2;
        psb_fan fan = {0};
        for (unsigned c = 0; c < face->mNumIndices && is_polygon && status == PSB_OK; c++) {
            uint32_t index = 0;
            status = place_vertex(s, mesh, face->mIndices[c], &index);
            PSB_THEN(status, psb_fan_add(&fan, index, &s->scan, s->buffer));
        }
        s->buffer->mesh.npolygons += is_polygon ? 1 : 0;
    }
    return status;
}

/* Adds the meshes at a node and below it. */
static psb_status visit(sink *s, const struct aiNode *node, const psb_placement *outer) {
    if (node == NULL) { /* some of assimp's readers leave it so */
        return PSB_OK;
    }
    psb_placement p = placed(outer, &node->mTransformation);
    psb_status status = PSB_OK;
    for (unsigned i = 0; i < node->mNumMeshes && status == PSB_OK; i++) {
        status = node->mMeshes[i] < s->from->mNumMeshes
                     ? add_mesh(s, s->from->mMeshes[node->mMeshes[i]], &p)
                     : PSB_SCAN_FAIL(&s->scan, "mesh %u, but the scene has %u", node->mMeshes[i],
                                     s->from->mNumMeshes);
    }
    for (unsigned i = 0; i < node->mNumChildren && status == PSB_OK; i++) {
        status = visit(s, node->mChildren[i], &p);
    }
    return status;
}

/* Puts the scene's meshes into the buffer; PSB_ERROR_INPUT also if there are none. */
static psb_status gather(const struct aiScene *scene, psb_mesh_buffer *buffer, psb_error *error) {
    sink s = {.from = scene, .scan = {.error = error}, .buffer = buffer};
    psb_status status = psb_scene_start(&s.scene, &s.scan, buffer, 0);
    PSB_THEN(status, visit(&s, scene->mRootNode, &psb_placement_none));
    PSB_THEN(status, psb_split_concave(&s.scan, buffer));
    psb_scene_free(&s.scene);
    if (status == PSB_OK && buffer->mesh.ntriangles == 0) {
        status = psb_fail(error, PSB_ERROR_INPUT, "an empty mesh: the scene has no faces");
    }
    return status;
}

/* The first error that assimp logged about the mesh; "" if there was none. assimp goes on after
 * some errors, and leaves out what it did not understand. */
static char logged[400];

static void listen(const char *message, char *user) {
    static const char kind[] = "Error";
    /* Words of errors about what no mesh is made of. */
    static const char *const others[] = {"material", "textur",  "animation", "binormal",
                                         "tangent",  "camera ", "light "};
    (void)user;
    const char *text = strstr(message, ": ");
    bool counts = logged[0] == '\0' && strncmp(message, kind, sizeof kind - 1) == 0 && text != NULL;
    for (size_t i = 0; i < sizeof others / sizeof others[0] && counts; i++) {
        counts = strcasestr(text, others[i]) == NULL;
    }
    if (counts) {
        snprintf(logged, sizeof logged, "%s", text + 2);
    }
}

/* Reads the file with allocated memory that is filled with a byte derived from `fill`. */
static psb_status import(const char *name, int fill, psb_mesh_buffer *buffer, psb_error *error) {
    struct aiFileIO files = {.OpenProc = open_given, .CloseProc = close_given};
    const struct aiLogStream log = {.callback = listen};
    logged[0] = '\0';
    mallopt(M_PERTURB, fill);
    aiAttachLogStream(&log);
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *scene = aiImportFileExWithProperties(name, 0, &files, properties);
    aiReleasePropertyStore(properties);
    aiDetachAllLogStreams();
    psb_status status;
    if (scene != NULL) {
        status = logged[0] == '\0' ? gather(scene, buffer, error)
                                   : psb_fail(error, PSB_ERROR_INPUT, "assimp: %s", logged);
        aiReleaseImport(scene);
        return status;
    }
    const char *why = aiGetErrorString();
    bool memory = why == NULL || why[0] == '\0' || strstr(why, "bad_alloc") != NULL;
    return memory ? psb_fail_memory(error, "assimp", 0)
                  : psb_fail(error, PSB_ERROR_INPUT, "assimp: %.400s", why);
}

/* ---- glTF that Draco packed ---------------------------------------------------------------- */

static psb_status read_given(const char *name, const char **data, size_t *size, psb_error *error) {
    const given *g = ask(name);
    if (g == NULL) {
        return psb_fail_memory(error, "a file", 0);
    }
    *data = g->data;
    *size = g->size;
    return PSB_OK;
}

#ifdef PSB_DRACO
static psb_status unpack(const char *data, size_t size, uint32_t attribute, psb_unpacked *out,
                         psb_error *error) {
    import_draco_mesh mesh;
    import_draco_result result = import_draco(data, size, attribute, &mesh);
    *out = (psb_unpacked){mesh.type, mesh.points, mesh.triangles, mesh.positions, mesh.corners};
    return result == IMPORT_DRACO_MEMORY ? psb_fail_memory(error, "Draco", 0) : PSB_OK;
}
#endif

/* Reads glTF by psbench's own reader, which comes here for Draco; sets buffer->foreign if that is
 * not why. */
static psb_status import_gltf(const char *name, int fill, psb_mesh_buffer *buffer,
                              psb_error *error) {
    static const psb_aid aid = {
        .read = read_given,
#ifdef PSB_DRACO
        .unpack = unpack,
#endif
    };
    const given *g = ask(name);
    mallopt(M_PERTURB, fill);
    buffer->aid = &aid;
    buffer->foreign = false;
    return g == NULL || g->data == NULL
               ? psb_fail_memory(error, "a file", 0)
               : psb_format_parse(&psb_format_gltf, NULL, g->data, g->size, buffer, error);
}

static bool is_gltf(const char *name) {
    const char *ending = strrchr(name, '.');
    return ending != NULL && (strcasecmp(ending, ".gltf") == 0 || strcasecmp(ending, ".glb") == 0);
}

static psb_status import_any(const char *name, int fill, psb_mesh_buffer *buffer,
                             psb_error *error) {
    psb_status status = PSB_OK;
    buffer->foreign = true;
    if (is_gltf(name)) {
        status = import_gltf(name, fill, buffer, error);
    }
    return buffer->foreign ? import(name, fill, buffer, error) : status;
}

static uint64_t hash_of(const psb_mesh *mesh) {
    const uint64_t counts[] = {mesh->nvertices, mesh->ntriangles, mesh->npolygons};
    uint64_t hash = XXH64(counts, sizeof counts, 0);
    hash = XXH64(mesh->vertices, 3 * sizeof *mesh->vertices * mesh->nvertices, hash);
    return XXH64(mesh->triangles, 3 * sizeof *mesh->triangles * mesh->ntriangles, hash);
}

static int answer(const psb_mesh *mesh) {
    const psb_foreign_message message = {.kind = PSB_FOREIGN_MESH,
                                         .nvertices = mesh->nvertices,
                                         .ntriangles = mesh->ntriangles,
                                         .npolygons = mesh->npolygons};
    return send_message(message, NULL) &&
                   send_all(mesh->vertices, 3 * sizeof *mesh->vertices * mesh->nvertices) &&
                   send_all(mesh->triangles, 3 * sizeof *mesh->triangles * mesh->ntriangles)
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}

/* Reads the file twice and sends psbench the mesh or the reason why there is none. */
static int import_twice(const char *name) {
    static const int fills[] = {0x55, 0xAA};
    uint64_t hashes[2] = {0, 0};
    psb_mesh_buffer buffer = {.max_faces = 0};
    psb_error error = {.message = ""};
    for (int i = 0; i < 2; i++) {
        buffer.mesh.nvertices = buffer.mesh.ntriangles = buffer.mesh.npolygons = buffer.nfans = 0;
        psb_status status = import_any(name, fills[i], &buffer, &error);
        if (status == PSB_ERROR_MEMORY) {
            return fail_memory();
        }
        if (status != PSB_OK && i == 0) {
            return fail(PSB_FOREIGN_REFUSED, error.message);
        }
        hashes[i] = status == PSB_OK ? hash_of(&buffer.mesh) : 0;
    }
    return hashes[0] == hashes[1]
               ? answer(&buffer.mesh)
               : fail(PSB_FOREIGN_REFUSED, "depends on memory that the file does not fill");
}

/* ---- the program --------------------------------------------------------------------------- */

/*
 * Returns whether memory may run out before this program has used PSB_FOREIGN_MIB: because of a
 * lower limit of the user's, a small machine, or a kernel that promises no more than there is.
 */
static bool is_scarce(void) {
    struct rlimit limit;
    struct sysinfo machine;
    const unsigned long most = (unsigned long)PSB_FOREIGN_MIB << 20;
    char strict = '0';
    int fd = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        strict = read(fd, &strict, 1) == 1 ? strict : '0';
        close(fd);
    }
    return strict == '2' || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur < most ||
           sysinfo(&machine) != 0 ||
           (machine.totalram + machine.totalswap) * machine.mem_unit < most;
}

/* Appends the endings for which psbench calls this program but this assimp has no reader. */
static void add_unread(psb_text *text) {
    const char *ending, *between = ", without";
    for (size_t i = 0; (ending = psb_foreign_ending_at(i)) != NULL; i++) {
        char dotted[16];
        snprintf(dotted, sizeof dotted, ".%s", ending);
        if (aiIsExtensionSupported(dotted) == AI_FALSE) {
            psb_text_printf(text, "%s %s", between, ending);
            between = "";
        }
    }
}

static int print_version(void) {
    unsigned there = box_close(BOX_LIMITS | BOX_LANDLOCK | BOX_SECCOMP, 1, SIZE_MAX);
    char patch[16] = "";
    psb_text text = {0};
    if (aiGetVersionPatch != NULL) {
        snprintf(patch, sizeof patch, ".%u", aiGetVersionPatch());
    }
#ifdef PSB_DRACO
    static const char with[] = ", with Draco";
#else
    static const char with[] = ", without Draco";
#endif
    psb_text_printf(&text, "%u.%u%s (%s%s%s)%s", aiGetVersionMajor(), aiGetVersionMinor(), patch,
                    (there & BOX_LANDLOCK) != 0 ? "Landlock, " : "",
                    (there & BOX_SECCOMP) != 0 ? "seccomp, " : "", "limits", with);
    add_unread(&text);
    psb_text_add(&text, "\n");
    bool done =
        !text.failed && write(STDOUT_FILENO, text.data, text.length) == (ssize_t)text.length;
    psb_text_free(&text);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Closes files that the caller had open, so that a model's bytes cannot reach them. */
static void close_inherited(void) {
    DIR *open_files = opendir("/proc/self/fd");
    for (struct dirent *entry; open_files != NULL && (entry = readdir(open_files)) != NULL;) {
        int64_t fd = 0;
        if (psb_parse_int64(entry->d_name, &fd) && fd > STDERR_FILENO && fd != dirfd(open_files)) {
            close((int)fd);
        }
    }
    if (open_files != NULL) {
        closedir(open_files);
    }
}

int main(int argc, char **argv) {
    double seconds;
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        return print_version();
    }
    if (argc != 3 || !psb_parse_double(argv[2], &seconds)) {
        return EXIT_FAILURE;
    }
    close_inherited();
    /* Discards what assimp's readers print. */
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || close(nowhere) != 0) {
        return EXIT_FAILURE;
    }
    scarce = is_scarce();
    walls = box_close(BOX_LIMITS | BOX_LANDLOCK | BOX_SECCOMP, seconds,
                      (unsigned long)PSB_FOREIGN_MIB << 20);
    return (walls & BOX_LIMITS) != 0
               ? import_twice(argv[1])
               : fail(PSB_FOREIGN_LACKING, PSB_FOREIGN_PROGRAM " cannot set its limits");
}
