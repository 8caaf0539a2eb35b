/*
 * psbench-import PATH ENDING: reads a scene with assimp and answers as src/io/foreign.h says. PATH
 * "-" means the bytes of standard input, which is a file.
 *
 * A program of its own, for assimp's readers may crash, hang or take all memory: psbench runs it
 * with limits, for each file anew. Every mesh of the scene is added wherever a node places it;
 * lines and points are left out, polygons become fans. Corners that are equal after that are one
 * vertex.
 */
#include "io/foreign.h"
#include "io/weld.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>
#include <assimp/version.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Row by row, without the last row. */
typedef struct placement {
    double m[3][4];
} placement;

/* What the scene becomes. */
typedef struct sink {
    const struct aiScene *scene;
    psb_scan scan; /* where errors go */
    psb_mesh_buffer buffer;
    psb_weld weld;
    psb_buffer indices; /* of one mesh's vertices, + 1; 0: not needed yet */
} sink;

static int fail(FILE *out, const char *reason) {
    psb_foreign_answer answer = {.length = strlen(reason)};
    memcpy(answer.magic, psb_foreign_magic, sizeof answer.magic);
    fwrite(&answer, sizeof answer, 1, out);
    fputs(reason, out);
    return fclose(out) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int answer(FILE *out, const psb_mesh *mesh) {
    psb_foreign_answer answer = {
        .nvertices = mesh->nvertices, .ntriangles = mesh->ntriangles, .npolygons = mesh->npolygons};
    memcpy(answer.magic, psb_foreign_magic, sizeof answer.magic);
    fwrite(&answer, sizeof answer, 1, out);
    fwrite(mesh->vertices, 3 * sizeof *mesh->vertices, mesh->nvertices, out);
    fwrite(mesh->triangles, 3 * sizeof *mesh->triangles, mesh->ntriangles, out);
    return fclose(out) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static placement placed(const placement *outer, const struct aiMatrix4x4 *t) {
    const double inner[4][4] = {
        {(double)t->a1, (double)t->a2, (double)t->a3, (double)t->a4},
        {(double)t->b1, (double)t->b2, (double)t->b3, (double)t->b4},
        {(double)t->c1, (double)t->c2, (double)t->c3, (double)t->c4},
        {0, 0, 0, 1},
    };
    placement p = {{{0}}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 4; k++) {
                p.m[i][j] += outer->m[i][k] * inner[k][j];
            }
        }
    }
    return p;
}

/* The index of a mesh's vertex, which is placed when it is first asked for. */
static psb_status place_vertex(sink *s, const struct aiMesh *mesh, const placement *p,
                               unsigned vertex, uint32_t *index) {
    uint32_t *known = s->indices.data;
    psb_status status = PSB_OK;
    if (vertex >= mesh->mNumVertices) {
        return PSB_SCAN_FAIL(&s->scan, "face index %u, but the mesh has %u vertices", vertex,
                             mesh->mNumVertices);
    }
    if (known[vertex] == 0) {
        const struct aiVector3D *from = &mesh->mVertices[vertex];
        double xyz[3];
        for (int i = 0; i < 3; i++) {
            const double *m = p->m[i];
            xyz[i] =
                m[0] * (double)from->x + m[1] * (double)from->y + m[2] * (double)from->z + m[3];
        }
        status = psb_weld_find(&s->weld, &s->scan, xyz, psb_weld_hash(&s->weld, xyz), index);
        known[vertex] = *index + 1;
    }
    *index = known[vertex] - 1;
    return status;
}

static psb_status add_mesh(sink *s, const struct aiMesh *mesh, const placement *p) {
    psb_status status = psb_buffer_reserve(&s->indices, mesh->mNumVertices, sizeof(uint32_t),
                                           "indices", s->scan.error);
    if (status == PSB_OK) {
        memset(s->indices.data, 0, mesh->mNumVertices * sizeof(uint32_t));
    }
    for (unsigned f = 0; f < mesh->mNumFaces && status == PSB_OK; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        bool is_polygon = face->mNumIndices > 2;
        psb_fan fan = {0};
        for (unsigned c = 0; c < face->mNumIndices && is_polygon && status == PSB_OK; c++) {
            uint32_t index = 0;
            status = place_vertex(s, mesh, p, face->mIndices[c], &index);
            if (status == PSB_OK) {
                status = psb_fan_add(&fan, index, &s->scan, &s->buffer);
            }
        }
        s->buffer.mesh.npolygons += is_polygon ? 1 : 0;
    }
    return status;
}

/* Adds the meshes at a node and below it. */
static psb_status visit(sink *s, const struct aiNode *node, const placement *outer) {
    if (node == NULL) { /* which some of assimp's readers leave */
        return PSB_OK;
    }
    placement p = placed(outer, &node->mTransformation);
    psb_status status = PSB_OK;
    for (unsigned i = 0; i < node->mNumMeshes && status == PSB_OK; i++) {
        status = node->mMeshes[i] < s->scene->mNumMeshes
                     ? add_mesh(s, s->scene->mMeshes[node->mMeshes[i]], &p)
                     : PSB_SCAN_FAIL(&s->scan, "mesh %u, but the scene has %u", node->mMeshes[i],
                                     s->scene->mNumMeshes);
    }
    for (unsigned i = 0; i < node->mNumChildren && status == PSB_OK; i++) {
        status = visit(s, node->mChildren[i], &p);
    }
    return status;
}

static int gather(FILE *out, const struct aiScene *scene) {
    static const placement identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    psb_error error = {.message = ""};
    sink s = {.scene = scene, .scan = {.error = &error}};
    psb_status status = psb_weld_start(&s.weld, &s.scan, &s.buffer, 0);
    if (status == PSB_OK) {
        status = visit(&s, scene->mRootNode, &identity);
    }
    if (status != PSB_OK) {
        return fail(out, error.message);
    }
    return s.buffer.mesh.ntriangles > 0 ? answer(out, &s.buffer.mesh)
                                        : fail(out, "an empty mesh: the scene has no faces");
}

/* NULL where it cannot be read; aiGetErrorString says why. */
static const struct aiScene *import(const char *path, const char *ending) {
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *scene = NULL;
    struct stat info;
    if (strcmp(path, "-") != 0) {
        scene = aiImportFileExWithProperties(path, 0, NULL, properties);
    } else if (fstat(STDIN_FILENO, &info) == 0 && info.st_size > 0 && info.st_size <= UINT32_MAX) {
        void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0);
        if (data != MAP_FAILED) {
            scene = aiImportFileFromMemoryWithProperties(data, (unsigned)info.st_size, 0, ending,
                                                         properties);
        }
    }
    aiReleasePropertyStore(properties);
    return scene;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("%u.%u.%u\n", aiGetVersionMajor(), aiGetVersionMinor(), aiGetVersionPatch());
        return EXIT_SUCCESS;
    }
    if (argc != 3) {
        return EXIT_FAILURE;
    }
    /* What assimp's readers print must not come between. */
    FILE *out = fdopen(dup(STDOUT_FILENO), "wb");
    if (out == NULL || freopen("/dev/null", "w", stdout) == NULL) {
        return EXIT_FAILURE;
    }
    const struct aiScene *scene = import(argv[1], argv[2]);
    if (scene != NULL) {
        return gather(out, scene);
    }
    const char *why = aiGetErrorString();
    char reason[512];
    bool memory = why == NULL || why[0] == '\0' || strstr(why, "bad_alloc") != NULL;
    snprintf(reason, sizeof reason, "assimp: %s", memory ? "out of memory" : why);
    return fail(out, reason);
}
