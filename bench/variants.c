/*
 * Measures every list of variants that psb_cpu_choose gets, under each set of instructions, while
 * the library works on models, distances, searches and pictures of their real sizes.
 *
 *   variants [LIST...]    LIST: names that have to be reached
 *
 * The program is linked with --wrap=psb_cpu_choose. Instead of a variant its callers get a copy,
 * whose functions first pass a gate: it notes the cycle counter, puts its own address in the place
 * of the return address, and goes on to the function. So a new list is measured without a line
 * here. A call that took much longer than those before was interrupted by other programs, and
 * counts as the mean of those before.
 */
#include "bench.h"
#include "core/cpu.h"
#include "core/random.h"
#include "descriptors/descriptor.h"
#include "distance/cube.h"
#include "distance/points.h"
#include "distance/screen.h"
#include "eval/count_below.h"
#include "eval/map.h"
#include "io/off.h"
#include "render/portrait.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && !defined(PSB_PORTABLE)

enum { SETS = 3, GATES = 512, DEEP = 64, FUNCTIONS = 8, MOST_LISTS = 64, ROUNDS = 3, MODELS = 8 };

static const char *const set_name[SETS] = {"plain", "avx2", "avx512"};
static const unsigned set_bits[SETS] = {PSB_CPU_PLAIN, PSB_CPU_AVX2 | PSB_CPU_BITS | PSB_CPU_FMA,
                                        ~0U};

/* What gates count, and where they lead. */
struct bench_gate {
    void *function;
    uint64_t calls, cycles; /* of a round */
};
struct bench_frame {
    void *back;
    uint64_t gate, start;
};
struct bench_gate bench_gate[GATES];
struct bench_frame bench_frame[DEEP];
uint64_t bench_depth;
void bench_left(uint64_t gate, uint64_t cycles);
extern const char bench_gates[]; /* GATES entries of 16 bytes */

void bench_left(uint64_t gate, uint64_t cycles) {
    struct bench_gate *g = &bench_gate[gate];
    const uint64_t slack = 200000;
    if (g->calls > 0 && cycles > 8 * (g->cycles / g->calls) + slack) {
        cycles = g->cycles / g->calls;
    }
    g->calls++;
    g->cycles += cycles;
}

__asm__(".text\n"
        "bench_enter:\n"
        "    pushq %rax\n    pushq %rdx\n"
        "    movq bench_depth(%rip), %r11\n    incq bench_depth(%rip)\n"
        "    imulq $24, %r11\n    leaq bench_frame(%rip), %rax\n    addq %rax, %r11\n"
        "    movq 24(%rsp), %rax\n    movq %rax, (%r11)\n"
        "    movq 16(%rsp), %r10\n    movq %r10, 8(%r11)\n"
        "    leaq bench_leave(%rip), %rax\n    movq %rax, 24(%rsp)\n"
        "    rdtsc\n    shlq $32, %rdx\n    orq %rdx, %rax\n    movq %rax, 16(%r11)\n"
        "    imulq $24, %r10\n    leaq bench_gate(%rip), %rax\n    movq (%rax,%r10), %r11\n"
        "    popq %rdx\n    popq %rax\n    addq $8, %rsp\n    jmp *%r11\n"
        "bench_leave:\n"
        "    subq $56, %rsp\n    movq %rax, (%rsp)\n    movq %rdx, 8(%rsp)\n    movups %xmm0, "
        "16(%rsp)\n"
        "    rdtsc\n    shlq $32, %rdx\n    orq %rdx, %rax\n"
        "    decq bench_depth(%rip)\n    movq bench_depth(%rip), %r11\n"
        "    imulq $24, %r11\n    leaq bench_frame(%rip), %r10\n    addq %r10, %r11\n"
        "    movq (%r11), %rdx\n    movq %rdx, 48(%rsp)\n"
        "    movq 8(%r11), %rdi\n    movq %rax, %rsi\n    subq 16(%r11), %rsi\n"
        "    subq $8, %rsp\n    call bench_left\n    addq $8, %rsp\n"
        "    movq (%rsp), %rax\n    movq 8(%rsp), %rdx\n    movups 16(%rsp), %xmm0\n"
        "    addq $48, %rsp\n    ret\n"
        ".balign 16\n"
        ".globl bench_gates\n"
        "bench_gates:\n"
        ".set gate, 0\n"
        ".rept 512\n    .balign 16\n    pushq $gate\n    jmp bench_enter\n    .set gate, gate + "
        "1\n.endr\n");

typedef struct copy {
    psb_variant variant;
    const void *function[FUNCTIONS];
} copy;

/* A list, with the copy of the variant that each set takes; of sets that take the same one copy. */
typedef struct list {
    const psb_variant *const *variants;
    const psb_variant *taken[SETS];
    copy copies[SETS];
    int gate[SETS], gates[SETS];
    double least[SETS]; /* cycles of the quickest round */
} list;

static list lists[MOST_LISTS];
static int nlists, ngates, now;

/* Addresses of functions, unlike the names of variants, lie in code. */
static bool is_function(const void *at) {
    extern const char __executable_start, etext;
    return (const char *)at >= &__executable_start && (const char *)at < &etext;
}

static void take(list *l, int set) {
    const psb_variant *const *v = l->variants;
    while (((*v)->needs & ~set_bits[set]) != 0 || !psb_cpu_has((*v)->needs)) {
        v++;
    }
    l->taken[set] = *v;
    for (int s = 0; s < set; s++) {
        if (l->taken[s] == *v) {
            l->gates[set] = 0;
            return;
        }
    }
    l->copies[set].variant = **v;
    l->gate[set] = ngates;
    const void *const *function = (const void *const *)(const void *)(*v + 1);
    for (int f = 0; f < FUNCTIONS && is_function(function[f]); f++, ngates++) {
        if (ngates == GATES) {
            fprintf(stderr, "variants: more than %d functions\n", GATES);
            exit(1);
        }
        l->copies[set].function[f] = bench_gates + (size_t)16 * (size_t)ngates;
        bench_gate[ngates].function = (void *)(uintptr_t)function[f];
        l->gates[set]++;
    }
}

const void *__wrap_psb_cpu_choose(const psb_variant *const *variants);

const void *__wrap_psb_cpu_choose(const psb_variant *const *variants) {
    list *l = lists;
    while (l < lists + nlists && l->variants != variants) {
        l++;
    }
    if (l == lists + nlists) {
        if (++nlists == MOST_LISTS) {
            fprintf(stderr, "variants: more than %d lists\n", MOST_LISTS);
            exit(1);
        }
        l->variants = variants;
        for (int set = 0; set < SETS; set++) {
            take(l, set);
        }
    }
    int set = now;
    while (l->gates[set] == 0) { /* one that a lower set takes, too */
        set--;
    }
    return &l->copies[set];
}

/* ---- work ------------------------------------------------------------------------------ */

/* The light fields of models are the rows of the metric that compares them. */
static void describe(const bench_slice *slice, uint8_t *light_fields) {
    psb_tables *tables;
    psb_shape *shape;
    psb_mesh_buffer mesh = {0};
    psb_portrait portrait = {0};
    psb_error error;
    static uint8_t row[1 << 18];
    bench_check(psb_tables_new(&tables, &error), &error);
    bench_check(psb_shape_new(tables, &shape, &error), &error);
    for (size_t m = 0; m < slice->count; m++) {
        const bench_model *model = &slice->model[m];
        bench_check(psb_off_parse(model->id, model->text, model->size, &mesh, &error), &error);
        bench_check(psb_shape_load(shape, &mesh.mesh, model->id, &error), &error);
        for (size_t d = 0; d < psb_descriptor_count(); d++) {
            psb_spec *spec;
            bool lfd = strcmp(psb_descriptor_at(d)->name, "LFD") == 0;
            bench_check(psb_spec_parse(NULL, psb_descriptor_at(d)->name, &spec, &error), &error);
            bench_check(psb_shape_describe(shape, spec,
                                           lfd ? light_fields + m * PSB_LFD_LENGTH : row, &error),
                        &error);
            psb_spec_free(spec);
        }
        bench_check(psb_portrait_make(&portrait, &mesh.mesh, true, 1000, &error), &error);
    }
    psb_portrait_free(&portrait);
    psb_shape_free(shape);
    psb_tables_free(tables);
    psb_mesh_buffer_free(&mesh);
}

/* Distances between rows, once all of them and once those within a limit that few pairs reach. */
static void compare(const psb_metric *metric, psb_row_view rows) {
    static float out[PSB_TILE * PSB_TILE], limit[PSB_TILE];
    const psb_metric *limited = psb_metric_limited(metric, rows.length);
    psb_error error;
    bench_check(psb_distance_matrix(metric, &rows, 1, out, NULL, NULL, &error), &error);
    if (limited != metric) {
        void *memory = bench_memory(psb_block_bytes(limited, rows.n, rows.length), 1);
        void *scratch = bench_memory(psb_tile_scratch(limited, rows.n, rows.length), 1);
        psb_block block = psb_block_prepare(limited, &rows, memory);
        block.limit = limit;
        limited->tile(&block, &block, false, scratch, out, PSB_TILE);
        free(memory);
        free(scratch);
    }
}

static void compare_all(const bench_slice *slice, uint8_t *light_fields) {
    static const size_t lengths[] = {2048, 544, 6144, PSB_CUBE_LENGTH, 816};
    enum { LONGEST = 6144 };
    float *number = bench_memory((size_t)PSB_TILE * LONGEST, sizeof *number);
    uint8_t *byte = bench_memory((size_t)PSB_TILE * LONGEST, 1);
    psb_random random = psb_random_seeded(3, "variants", "bench");
    for (size_t i = 0; i < (size_t)PSB_TILE * LONGEST; i++) {
        number[i] = (float)psb_random_unit(&random);
        byte[i] = (uint8_t)psb_random_below(&random, 256);
    }
    compare(&psb_lfd_metric, (psb_row_view){light_fields, slice->count, PSB_LFD_LENGTH, PSB_UINT8});
    for (size_t m = 0; m < psb_metric_count(); m++) {
        const psb_metric *metric = psb_metric_at(m);
        bool points = metric->accepts != NULL && metric->accepts(3);
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
            bool taken = metric != &psb_lfd_metric &&
                         (metric->accepts == NULL ? l < 2 : metric->accepts(lengths[l]) != 0);
            if (taken && (!points || lengths[l] == LONGEST)) {
                psb_row_view rows = {number, points ? 4 : PSB_TILE, lengths[l], metric->element};
                rows.data = metric->element == PSB_UINT8 ? (const void *)byte : number;
                compare(metric, rows);
            }
        }
    }
    free(number);
    free(byte);
}

/* Bounds of the distances between two clouds. */
static void bound_clouds(void) {
    enum { POINTS = 2048 };
    static float points[2][3 * POINTS], squares[POINTS];
    void *cloud[2];
    psb_random random = psb_random_seeded(5, "variants", "bench");
    for (int c = 0; c < 2; c++) {
        for (size_t i = 0; i < 3 * POINTS; i++) {
            points[c][i] = (float)psb_random_unit(&random);
        }
        cloud[c] = bench_memory(psb_points_bytes(POINTS), 1);
        psb_points_prepare(points[c], POINTS, cloud[c]);
    }
    psb_points_gaps(cloud[0], cloud[1], squares);
    free(cloud[0]);
    free(cloud[1]);
}

static void evaluate(void) {
    enum { N = 900, THRESHOLDS = 20 };
    float *data = bench_memory((size_t)N * N, sizeof *data);
    const char **ids = bench_memory(N, sizeof *ids);
    float threshold[THRESHOLDS];
    uint32_t counts[THRESHOLDS] = {0};
    for (size_t i = 0; i < N; i++) {
        ids[i] = "model";
        for (size_t j = 0; j < N; j++) {
            data[i * N + j] = (float)(i > j ? i - j : j - i) / N;
        }
    }
    for (int t = 0; t < THRESHOLDS; t++) {
        threshold[t] = (float)t / THRESHOLDS;
    }
    for (size_t i = 0; i < N; i++) {
        psb_count_below(data + i * N, N, threshold, THRESHOLDS, false, counts);
    }
    psb_error error;
    float *xy = bench_memory(2 * N, sizeof *xy);
    bench_check(
        psb_map_of_matrix(&(psb_matrix){.n = N, .data = data}, ids, 1, NULL, NULL, xy, &error),
        &error);
    free(xy);
    free(data);
    free((void *)ids);
}

static void work(const bench_slice *slice) {
    uint8_t *light_fields = bench_memory(slice->count, PSB_LFD_LENGTH);
    describe(slice, light_fields);
    compare_all(slice, light_fields);
    bound_clouds();
    evaluate();
    free(light_fields);
}

/* ---- report ---------------------------------------------------------------------------- */

static void count_round(void) {
    for (list *l = lists; l < lists + nlists; l++) {
        double cycles = 0;
        for (int g = l->gate[now]; g < l->gate[now] + l->gates[now]; g++) {
            cycles += (double)bench_gate[g].cycles;
        }
        if (l->gates[now] > 0 && cycles > 0 && (l->least[now] == 0 || cycles < l->least[now])) {
            l->least[now] = cycles;
        }
    }
    for (int g = 0; g < ngates; g++) {
        bench_gate[g].calls = bench_gate[g].cycles = 0;
    }
}

static const char *name_of(const list *l) {
    Dl_info info;
    return dladdr(l->variants, &info) != 0 && info.dli_sname != NULL ? info.dli_sname : "?";
}

static int by_name(const void *a, const void *b) {
    return strcmp(name_of(a), name_of(b));
}

/* A line for each variant: time, and time over that of the set below. */
static void print_list(const list *l) {
    double below = 0;
    for (int set = 0; set < SETS; set++) {
        if (l->least[set] == 0) {
            continue;
        }
        printf("%-28s %-7s %9.3f", name_of(l), l->taken[set]->name, l->least[set] / 1e6);
        if (below > 0) {
            double over = l->least[set] / below;
            printf(" %6.2f%s", over, over > 0.97 ? "  buys less than 3 %" : "");
        }
        putchar('\n');
        below = l->least[set];
    }
}

static int sets_here(void) {
    int sets = 1;
    while (sets < SETS && strcmp(psb_cpu_name(), set_name[sets - 1]) != 0) {
        sets++;
    }
    return sets;
}

int main(int argc, char **argv) {
    const char *folder = getenv("PSB_DIR");
    static bench_slice slices[BENCH_REAL_SLICES];
    bench_slice *slice = &slices[0];
    if (folder != NULL) {
        bench_slices_real(folder, slices);
        slice = &slices[BENCH_REAL_SLICES - 1];
    } else {
        bench_slice_built_in(slice);
    }
    slice->count = slice->count < MODELS ? slice->count : MODELS;
    const int sets = sets_here();
    for (int round = 0; round < ROUNDS; round++) {
        for (now = 0; now < sets; now++) {
            work(slice);
            count_round();
        }
    }
    qsort(lists, (size_t)nlists, sizeof lists[0], by_name);
    printf("%-28s %-7s %9s %6s\n", "list", "set", "Mcycles", "over the set below");
    for (int i = 0; i < nlists; i++) {
        print_list(&lists[i]);
    }
    for (int a = 1; a < argc; a++) {
        bool reached = false;
        for (int i = 0; i < nlists; i++) {
            reached |= strcmp(name_of(&lists[i]), argv[a]) == 0;
        }
        if (!reached) {
            printf("%-28s not reached\n", argv[a]);
        }
    }
    return 0;
}

#else

int main(void) {
    puts("variants: there is one for all processors of this kind");
    return 0;
}

#endif
