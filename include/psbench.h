/*
 * psbench: shape descriptors, distances and retrieval statistics of the Princeton Shape Benchmark.
 *
 * The public header of libpsbench: from polygon models to tables. The library never prints, exits
 * or reads the command line. What can fail returns a psb_status and, where `error` is not NULL,
 * fills it with a message that names file, line, value and limit. Opaque objects belong to the
 * caller, who ends them with psb_x_free; NULL may be freed. Where a function fails, what it should
 * have made is NULL. Structs of options may be zeroed, or NULL: zero is the preset of every field.
 * An index or a length that does not fit is PSB_ERROR_USAGE, or NULL where there is no status.
 *
 * Threads: functions with a context use as many as it was made with, and are called by one thread
 * at a time for each context, but for psb_shape_open. Shapes are one thread's each; everything else
 * may be read by several. No number depends on how many threads there are. A process that was
 * forked behind work with several threads can work with one: more are PSB_ERROR_USAGE there. While
 * a function of the library works, OpenBLAS, which is one for the whole process, uses one thread;
 * afterwards as many as before. Shared tables are made by the first psb_shape_open of a context.
 *
 * Runs, whose results are files in a folder, are in psbench_runs.h, which this header includes.
 *
 * "The paper" is Shilane, Min, Kazhdan, Funkhouser: The Princeton Shape Benchmark, SMI 2004.
 */
#ifndef PSBENCH_H
#define PSBENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PSB_VERSION "0.2.0"
/* That of the library, where the one above is that of the header. */
const char *psb_version(void);

/* ---- errors ---------------------------------------------------------------------------- */

typedef enum psb_status {
    PSB_OK = 0,
    PSB_ERROR_USAGE,       /* an argument, name or parameter that the caller chose */
    PSB_ERROR_INPUT,       /* the contents of a file or a mesh */
    PSB_ERROR_IO,          /* opening, reading, writing, renaming */
    PSB_ERROR_MEMORY,      /* memory or file descriptors ran out */
    PSB_ERROR_INTERNAL,    /* a library underneath failed, or a bug here */
    PSB_ERROR_INTERRUPTED, /* the caller asked to stop */
} psb_status;

typedef struct psb_error {
    psb_status status;
    unsigned long line; /* line of the input file, 0 where there is none */
    char message[512];  /* whole text, "file:line: ..." first where it concerns a file */
} psb_error;

/* ---- the context ------------------------------------------------------------------------ */

typedef enum psb_level {
    PSB_DETAIL,  /* for the log, and for who asks for more */
    PSB_NOTE,    /* worth a line: something is computed again, and why */
    PSB_WARNING, /* something is not as it should be */
} psb_level;

/* How long work tells where it is. Any function may be NULL; called by one thread at a time. */
typedef struct psb_observer {
    /*
     * `done` of `total` steps of a stage ("features", "distances SHD"), `failures` of them without
     * result. Nonzero asks the work to stop, which then ends with PSB_ERROR_INTERRUPTED.
     */
    int (*progress)(void *context, const char *stage, size_t done, size_t total, size_t failures);
    /* Once for each model or file that cannot be used and is left out, when that is known; and for
       what else makes a result less than whole. */
    void (*failed)(void *context, const psb_error *error);
    /* A line of text. */
    void (*say)(void *context, psb_level level, const char *text);
    void *context;
    /* Before `progress`, where steps differ in size: the share of the work, 0 ... 1, that is done,
       what an earlier run did aside. */
    void (*share)(void *context, double share);
} psb_observer;

typedef struct psb_context_options {
    int threads; /* 0: one per processor; at most PSB_MOST_THREADS */
    psb_observer observer;
} psb_context_options;

#define PSB_MOST_THREADS 1024

/* Threads, observer, units that the client added, tables that shapes share. Outlives all else. */
typedef struct psb_context psb_context;
psb_status psb_context_new(const psb_context_options *options, psb_context **psb, psb_error *error);
void psb_context_free(psb_context *psb);

/* ---- tables ---------------------------------------------------------------------------- */

/*
 * What a verb of the library found: columns with names, and in each cell a number, a text or
 * nothing. psb_table_show shows people percent where these functions have fractions, and " / "
 * between the levels of a class.
 */
typedef struct psb_table psb_table;
void psb_table_free(psb_table *table);
/* False where models or files were left out; the observer was told of each. */
bool psb_table_whole(const psb_table *table);
size_t psb_table_rows(const psb_table *table);
size_t psb_table_columns(const psb_table *table);
const char *psb_table_column(const psb_table *table, size_t column);
/* NAN, or NULL, where the cell has none. */
double psb_table_number(const psb_table *table, size_t row, size_t column);
const char *psb_table_text(const psb_table *table, size_t row, size_t column);
/* A text for free(), in a format as psb_evaluation_table has it. */
psb_status psb_table_show(const psb_table *table, const char *format, char **text,
                          psb_error *error);

/* Names and versions of the library, its compiler, and the libraries below it. */
psb_status psb_versions(psb_table **table, psb_error *error);

/* ---- meshes ---------------------------------------------------------------------------- */

/*
 * Vertices and triangles, nothing else; polygons became triangle fans when they were read. Every
 * index is below nvertices and every coordinate is finite; triangles may be degenerate.
 */
typedef struct psb_mesh {
    size_t nvertices;
    double *vertices; /* nvertices x 3, in the units of the file */
    size_t ntriangles;
    uint32_t *triangles; /* ntriangles x 3 indices */
    size_t npolygons;    /* faces as the file counts them, before they became fans */
} psb_mesh;

/* Reads a mesh file of any format (see docs/formats.md). On failure *mesh is empty. */
psb_status psb_mesh_read(const char *path, psb_mesh *mesh, psb_error *error);
void psb_mesh_free(psb_mesh *mesh);
/*
 * PSB_ERROR_INPUT where a coordinate is not finite or a triangle names a vertex that is not there,
 * PSB_ERROR_USAGE where an array is NULL. A mesh may come from anywhere: psb_shape_load asks this
 * of each.
 */
psb_status psb_mesh_check(const psb_mesh *mesh, psb_error *error);

/* How numbers are written where a format leaves a choice. */
typedef enum psb_encoding { PSB_PRESET, PSB_BINARY_LITTLE, PSB_BINARY_BIG, PSB_TEXT } psb_encoding;

/*
 * Writes a mesh in the format of the path's ending. Text has every digit that the same doubles need
 * when they are read again; `single` rounds to float32, which binary STL always does.
 * PSB_ERROR_USAGE where the format is not written, or not so.
 */
psb_status psb_mesh_write(const char *path, const psb_mesh *mesh, psb_encoding encoding,
                          bool single, psb_error *error);

typedef struct psb_convert_options {
    psb_encoding encoding;
    bool single; /* numbers are rounded to float32 */
} psb_convert_options;

/* 'psbench convert': psb_mesh_read, then psb_mesh_write. PSB_ERROR_USAGE for one and the same file.
 */
psb_status psb_convert(const char *from, const char *to, const psb_convert_options *options,
                       psb_error *error);

/* Principal axes, the largest first, each on the side of the centre with more of the surface. */
typedef struct psb_axes {
    double values[3];  /* eigenvalues of the surface's covariance, units^2 */
    double axis[3][3]; /* unit eigenvectors as rows, in the same order */
} psb_axes;

/* What the benchmark's _info.txt files say of a model; docs/annotations.md defines each. */
typedef struct psb_annotations {
    size_t polygons;               /* faces as the file counts them */
    size_t connected_components;   /* parts of the surface that hang together across edges */
    double average_dihedral_angle; /* radians; NAN where no edge counts */
    double lowest[3], highest[3];  /* bounding box of the vertices that faces use, units */
    double average_depth;          /* layers per covered pixel; NAN where no face is seen */
    double centre[3];              /* centre of mass of the surface, units */
    double scale;                  /* TWICE the mean distance of the surface to it, units */
    psb_axes axes;
    /* And what they do not say: */
    size_t vertices, triangles; /* of the file; of its polygons as fans */
    bool watertight;            /* each edge has two triangles, which run along it either way */
    double area;                /* units^2 */
    double volume;              /* within the surface, units^3; NAN where it is not watertight */
} psb_annotations;

/* 'psbench info' of one file. PSB_ERROR_INPUT for a mesh without area or of an extent out of range.
 */
psb_status psb_info(const char *path, psb_annotations *annotations, psb_error *error);
/*
 * The same of several files, as a text for free(): a JSON array, else as _info.txt files have it.
 * Models that cannot be used are told to the observer and left out; *described: the others.
 */
psb_status psb_info_text(psb_context *psb, const char *const *paths, size_t count, bool json,
                         char **text, size_t *described, psb_error *error);

typedef struct psb_compare_shapes_options {
    const char *a, *b; /* mesh files; b is the one that a should be */
    size_t points;     /* on each surface, up to 1,000,000; 0: 2048 */
    const char *pose;  /* "file", "sphere", "box" or "aligned"; NULL: the first */
    bool align;        /* turn, scale and shift a onto b first */
    double threshold;  /* of the F-score: as a share of the longest side of b's box; 0: 0.01 */
} psb_compare_shapes_options;

/* 'psbench compare-shapes': a row for each measure; docs/generative.md defines them. */
psb_status psb_compare_shapes(psb_context *psb, const psb_compare_shapes_options *options,
                              psb_table **table, psb_error *error);

enum { PSB_RENDER_LONGEST_SIDE = 2048 };

typedef struct psb_view {
    size_t width, height; /* pixels, 1 ... PSB_RENDER_LONGEST_SIDE */
    double azimuth;       /* degrees about the upward axis, from the first axis to the second */
    double elevation;     /* degrees above the plane of these two, -90 ... 90 */
    /*
     * Principal axes as the aligned descriptors see them, the third upward; else the axes of the
     * file with y upward, z first and x second.
     */
    bool aligned;
} psb_view;

/* Three-quarter view of the model as it stands in its file. */
psb_view psb_view_make(size_t width, size_t height);

/* 'psbench render': a shaded picture, with transparency, as a PNG file. */
psb_status psb_render_file(const char *model, const psb_view *view, const char *png,
                           psb_error *error);

/* Whose axes a pose is of: those of the surface's points, or of its normals. */
typedef enum psb_frame_kind { PSB_FRAME_SURFACE, PSB_FRAME_NORMALS } psb_frame_kind;

typedef struct psb_align_options {
    const char *from, *to; /* the model that is moved, and the one that stays */
    const char *output;    /* file for the first one on the second, in any format; may be NULL */
    const char *picture;   /* file.png of both, and of the first on the second; may be NULL */
    bool mirror;           /* reflections will do as well */
    const uint64_t *turn;  /* seed of a rotation that comes first; NULL: none */
} psb_align_options;

/* One model on another; lengths are such that the second's mean distance to its centre is 1. */
typedef struct psb_alignment {
    double matrix[4][4]; /* of a point of the first model as a column (x, y, z, 1), in its units */
    double scale;
    bool mirrored;
    psb_frame_kind frame; /* whose pose was nearest */
    double distance;      /* pose48 in that pose */
    int steps;            /* of closest points that were kept */
    /*
     * Root mean square distance of sample points, of both models, to the nearest one of the other:
     * before these steps, and behind them.
     */
    double before, residual;
} psb_alignment;

/* 'psbench align'. The text, for free(), is what the command prints. */
psb_status psb_align_models(const psb_align_options *options, psb_alignment *found,
                            psb_error *error);
psb_status psb_alignment_text(const psb_alignment *alignment, bool json, char **text,
                              psb_error *error);

/* ---- descriptors ------------------------------------------------------------------------ */

typedef enum psb_element { PSB_FLOAT32, PSB_UINT8 } psb_element;

/* A descriptor: an entry of the library's table, the paper's twelve first, then ours. */
typedef struct psb_descriptor psb_descriptor;
size_t psb_descriptor_count(void);
const psb_descriptor *psb_descriptor_at(size_t index);
/* NULL where there is none of that name; upper and lower case are the same. */
const psb_descriptor *psb_descriptor_find(const char *name);
const char *psb_descriptor_name(const psb_descriptor *descriptor);
const char *psb_descriptor_title(const psb_descriptor *descriptor);
/* What to cite, as BibTeX: of a descriptor (NULL of one's own), the benchmark, this library. */
const char *psb_descriptor_bibtex(const psb_descriptor *descriptor);
const char *psb_benchmark_bibtex(void);
const char *psb_bibtex(void);
/* 'psbench list': name, numbers, type, distance, pose, title and, of ours, source of each. */
psb_status psb_descriptors_table(psb_table **table, psb_error *error);
/* Sources, formulas and parameters of a list of specs, a text for free(); `psb` may be NULL. */
psb_status psb_descriptors_text(const psb_context *psb, const char *specs, char **text,
                                psb_error *error);

/* A descriptor with its parameters. */
typedef struct psb_spec psb_spec;

/*
 * Reads "GEDT", or "GEDT:width=2,form=magnitude" on top of the preset psb2004. PSB_ERROR_USAGE for
 * an unknown name or a value outside its range, which the message gives.
 */
psb_status psb_spec_open(const psb_context *psb, const char *text, psb_spec **spec,
                         psb_error *error);
void psb_spec_free(psb_spec *spec);
const psb_descriptor *psb_spec_descriptor(const psb_spec *spec);
/* Canonical text: the name, then every parameter that differs from the preset. */
const char *psb_spec_label(const psb_spec *spec);
/* Numbers in one row, their type, and bytes in one row. */
size_t psb_spec_length(const psb_spec *spec);
psb_element psb_spec_element(const psb_spec *spec);
size_t psb_spec_row_bytes(const psb_spec *spec);
/* By which its rows are compared. */
const char *psb_spec_metric_name(const psb_spec *spec);

/*
 * One model, normalised, with the fields that descriptors share, computed when first asked for.
 * A shape is a workspace: load one model after the other into it; its buffers only grow. Use one
 * per thread.
 */
typedef struct psb_shape psb_shape;
psb_status psb_shape_open(psb_context *psb, psb_shape **shape, psb_error *error);
void psb_shape_free(psb_shape *shape);

/*
 * Makes `mesh` the shape's model. `id` seeds what is random, so the same id and mesh always give
 * the same numbers. Both must stay valid until the next load. PSB_ERROR_INPUT for a mesh that
 * psb_mesh_check refuses, without area or too large for double precision; none is loaded then.
 */
psb_status psb_shape_load(psb_shape *shape, const psb_mesh *mesh, const char *id, psb_error *error);
/* What is loaded, for descriptors: NULL where nothing is. */
const psb_mesh *psb_shape_mesh(const psb_shape *shape);
const char *psb_shape_id(const psb_shape *shape);

/*
 * Computes one row: `bytes` is psb_spec_row_bytes. PSB_ERROR_USAGE where no model is loaded,
 * PSB_ERROR_INPUT where all numbers are 0: the descriptor has seen nothing of the model.
 */
psb_status psb_describe(psb_shape *shape, const psb_spec *spec, void *row, size_t bytes,
                        psb_error *error);

/* ---- units of one's own ----------------------------------------------------------------- */

typedef struct psb_parameter {
    const char *name;
    double preset, low, high;
} psb_parameter;

enum { PSB_MOST_PARAMETERS = 8 };

/* Texts and parameters are copied. */
typedef struct psb_own_descriptor {
    const char *name;  /* as in specs: letters and digits, none that there is */
    const char *title; /* NULL: the name */
    const psb_parameter *parameters;
    size_t nparameters;
    psb_element element;
    const char *metric; /* its name; NULL: l2 */
    unsigned revision;  /* raised when its numbers change: rows that are kept are made again */
    /* Numbers in a row, 1 or more, with these values of the parameters. */
    size_t (*length)(void *context, const double *parameters);
    /*
     * Fills row[length]. Called by several threads at once, each with a shape of its own. Where it
     * fails it may write a message.
     */
    psb_status (*compute)(void *context, psb_shape *shape, const double *parameters, void *row,
                          psb_error *error);
    void *context;
} psb_own_descriptor;

typedef struct psb_own_metric {
    const char *name; /* none that there is */
    psb_element element;
    unsigned revision;
    /* Finite and not negative, the same either way; called by several threads at once. */
    double (*distance)(void *context, const void *a, const void *b, size_t length);
    void *context;
} psb_own_metric;

/* PSB_ERROR_USAGE for what is missing, no name, or there already. */
psb_status psb_add_descriptor(psb_context *psb, const psb_own_descriptor *own, psb_error *error);
psb_status psb_add_metric(psb_context *psb, const psb_own_metric *own, psb_error *error);

/* ---- collections of models -------------------------------------------------------------- */

/* Names of models in an order, their classes, and their files where these were asked for. */
typedef struct psb_collection psb_collection;

/*
 * Classes come from a classification, a table, the caller, or the folders that the models are in:
 * one of classes_of, cla, labels, names and files, or models alone. docs/sets.md has the layouts.
 */
typedef struct psb_collection_options {
    const char *classes_of;   /* whatever says classes: a .cla, a table, a list of files, a folder
                                 whose folders are classes, or the folder of a run; or */
    const char *cla;          /* a classification, in a file .cla; or */
    const char *labels;       /* a table of models and classes, .csv or .tsv; or */
    const char *const *files; /* mesh files, of no class, named by their last parts */
    size_t nfiles;
    const char *const *names;   /* models by their names alone, without files, and */
    const char *const *classes; /* the class of each, all levels: "aircraft/airplane" */
    size_t nnames;
    const char *models; /* folder or archive that they are in; NULL, with cla: no files needed */
    const char *split;  /* of a table or folder divided into train, test, ...: a part, or "all" */
    size_t level;       /* classes below this level of the hierarchy are parts of it; 0: none is */
    const char *id_column, *class_column; /* of a table, by their names; NULL: docs/sets.md */
    bool unlabelled;     /* of a folder: without classes; of a run: it ends with the features */
    bool skip_missing;   /* leave out models without a file, which else are an error */
    const char *targets; /* of a run: a .cla of what is searched, where cla has the queries alone */
} psb_collection_options;

#define PSB_NONE SIZE_MAX

psb_status psb_collection_open(psb_context *psb, const psb_collection_options *options,
                               psb_collection **models, psb_error *error);
void psb_collection_free(psb_collection *models);
size_t psb_collection_count(const psb_collection *models);
/* Models are numbered class by class. This is where the file of the classes lists one, from 0: the
   row that belongs to it in an array without names. */
size_t psb_collection_row(const psb_collection *models, size_t model);
const char *psb_collection_id(const psb_collection *models, size_t model);
const char *psb_collection_file(const psb_collection *models, size_t model);
size_t psb_collection_classes(const psb_collection *models);
/* All levels, "aircraft___airplane"; "-1" is the class of the models without one. */
const char *psb_collection_class_name(const psb_collection *models, size_t class_number);
size_t psb_collection_class_of(const psb_collection *models, size_t model);

typedef struct psb_attributes_options {
    const char *where;   /* "polygons>=1000,watertight=1": models for which all hold; NULL: all */
    const char *largest; /* "stick=200": of these the 200 with the largest; NULL: all */
    const char *list;    /* file for their ids, a line each, as lists of queries are; NULL: none */
} psb_attributes_options;

/*
 * 'psbench info' of a set with files: a row for each model, its id and every number of
 * psb_annotations, and `stick`, how many times the largest principal value is the second. Not whole
 * where models cannot be used. PSB_ERROR_USAGE for conditions that cannot be read.
 */
psb_status psb_attributes_table(psb_context *psb, const psb_collection *models,
                                const psb_attributes_options *options, psb_table **table,
                                psb_error *error);

/* ---- rows: features, a row for each model ------------------------------------------------ */

typedef struct psb_rows psb_rows;

/*
 * Describes all models of a collection with files, in the order of psb_collection_row. Those that
 * cannot be described are left out, each told to the observer: fewer rows, perhaps none.
 */
psb_status psb_describe_all(psb_context *psb, const psb_collection *models, const psb_spec *spec,
                            psb_rows **rows, psb_error *error);

/*
 * A copy of count x length numbers, with names or without (NULL). Refuses what is not finite, and
 * names that are there twice or have control characters, as line ends.
 */
psb_status psb_rows_new(const void *data, size_t count, size_t length, psb_element element,
                        const char *const *names, psb_rows **rows, psb_error *error);

/* The same without a copy: the data have to stay, as they are, until the rows are freed. */
psb_status psb_rows_wrap(const void *data, size_t count, size_t length, psb_element element,
                         const char *const *names, psb_rows **rows, psb_error *error);

/*
 * Maps an .npy file, or the features of a run's method, RUN/NAME, and reads the names beside it
 * (FILE.ids); RUN/NAME also has the run's metric, which is then the preset of calls with these
 * rows. With a collection (else NULL) rows
 * get its ids: as the names beside the file say, else by psb_collection_row. A file of a run's
 * folder has to be as the run left it.
 */
psb_status psb_rows_read(psb_context *psb, const char *path, const psb_collection *models,
                         psb_rows **rows, psb_error *error);
/* Writes an .npy file, and the names beside it. */
psb_status psb_rows_write(const psb_rows *rows, const char *path, psb_error *error);
void psb_rows_free(psb_rows *rows);
size_t psb_rows_count(const psb_rows *rows);
size_t psb_rows_length(const psb_rows *rows);
psb_element psb_rows_element(const psb_rows *rows);
/* The next row follows it in memory. */
const void *psb_rows_at(const psb_rows *rows, size_t row);
const char *psb_rows_name(const psb_rows *rows, size_t row);
/* Of psb_describe_all: which of the collection's models it is; else PSB_NONE. */
size_t psb_rows_model(const psb_rows *rows, size_t row);

/* ---- distances --------------------------------------------------------------------------- */

/* Distances of N models to N, or of two sets, float32, with the names of those they are between. */
typedef struct psb_matrix psb_matrix;

/*
 * All pairs of rows by a metric ("l1", "l2", "cosine", "chi2", "lfd", one's own); NULL: that of the
 * descriptor that made them, else l2. Symmetric, 0 on the diagonal.
 */
psb_status psb_distances(psb_context *psb, const psb_rows *rows, const char *metric,
                         psb_matrix **matrix, psb_error *error);

/* Those of each query to each target. */
psb_status psb_distances_between(psb_context *psb, const psb_rows *queries, const psb_rows *targets,
                                 const char *metric, psb_matrix **matrix, psb_error *error);

/*
 * Computes either (`targets` may be `queries`) and writes it as psb_matrix_write does. Above 1 GiB
 * it holds 256 MiB of distances at a time, and computes most pairs of one set twice.
 */
psb_status psb_distances_write(psb_context *psb, const psb_rows *queries, const psb_rows *targets,
                               const char *metric, const char *path, psb_error *error);

/* PSB_ERROR_USAGE, which names all, where there is no metric of that name. */
psb_status psb_check_metric(const psb_context *psb, const char *name, psb_error *error);

/* A copy of n x n distances, with names or without. Refuses what is negative or not finite. */
psb_status psb_matrix_new(const float *data, size_t n, const char *const *names,
                          psb_matrix **matrix, psb_error *error);
/*
 * Reads the distances between all models of a collection, in any form (see docs/formats.md). They
 * are in its order then, whatever the names beside the file say. A file of a run's folder has to
 * be as the run left it.
 */
psb_status psb_distances_read(psb_context *psb, const char *path, const psb_collection *models,
                              psb_matrix **matrix, psb_error *error);
/* Writes the benchmark's format, and the names beside it; of two sets an .npy, with the names of
   queries in PATH.ids and those of targets in PATH.columns.ids. */
psb_status psb_matrix_write(const psb_matrix *matrix, const char *path, psb_error *error);
void psb_matrix_free(psb_matrix *matrix);
size_t psb_matrix_count(const psb_matrix *matrix);
/* n, or how many targets. */
size_t psb_matrix_columns(const psb_matrix *matrix);
/* Distances from one model to all; those of the next follow in memory. */
const float *psb_matrix_at(const psb_matrix *matrix, size_t row);
const char *psb_matrix_name(const psb_matrix *matrix, size_t row);

/* Of two rows of a spec, `bytes` long, in its descriptor's metric: what a matrix would have. */
psb_status psb_distance(const psb_spec *spec, const void *a, const void *b, size_t bytes,
                        float *distance, psb_error *error);

/* ---- search ------------------------------------------------------------------------------ */

/* Rows of the same models, in the same orders, by which the candidates are found. */
typedef struct psb_search_stage {
    const psb_rows *queries, *database;
    const char *metric; /* NULL: cosine */
    size_t candidates;  /* so many of the nearest go on; 0: 200 */
} psb_search_stage;

typedef struct psb_search_options {
    size_t neighbors;   /* 0: 100 */
    const char *metric; /* as psb_distances */
    bool self;          /* row i of both is the same model, and left out of its own list */
    size_t memory;      /* bytes of the whole program at most; 0: 2 GiB */
    size_t part, parts; /* with `parts`: only queries of that part, from 0, of so many */
    /* Before the metric, at most 8, one after the other: the first one is asked for all rows, each
       other, and in the end the metric, for the candidates of the one before it alone. */
    const psb_search_stage *stages;
    size_t nstages;
    /* Divides the metric's distances, as methods like T3+co have it, by how far both rows lie from
       these: a file, RUN/NAME, or the folder of a run, which has features of the database's name;
       NULL: nothing. */
    const char *reference;
} psb_search_options;

/*
 * Writes lists of the nearest rows of a database for each query, as 'psbench search' does: no
 * matrix is made, and mapped rows may be larger than the memory. A row of the query's name, or,
 * where both are one object or one file, the query itself, is left out of its list.
 */
psb_status psb_search(psb_context *psb, const psb_rows *queries, const psb_rows *database,
                      const psb_search_options *options, const char *path, psb_error *error);

/* ---- vocabularies ------------------------------------------------------------------------ */

/*
 * Learns what is typical of the local features that "VIEWS" or "SPIN" sums, without labels, from
 * models with their files, and writes it to `path`: the same bytes for any number of threads.
 * PSB_ERROR_INPUT where a model cannot be used or there are too few.
 */
psb_status psb_learn_vocabulary(psb_context *psb, const psb_collection *models,
                                const char *descriptor, const char *path, psb_error *error);

/* ---- evaluation -------------------------------------------------------------------------- */

/* Methods of retrieval: matrices, features with a metric, ranked lists, all of the same queries. */
typedef struct psb_methods psb_methods;

/* What a method may stay: features, where one set allows that, and ranked lists; or not. */
typedef enum psb_sources {
    PSB_ALL_SOURCES,
    PSB_MATRICES_AND_LISTS, /* features become matrices */
    PSB_MATRICES,           /* and lists are refused */
} psb_sources;

typedef struct psb_methods_options {
    const psb_collection *models; /* whose classes say what is relevant; or */
    const char *queries;          /* as classes_of; files are names of methods where it is a run */
    const char *const *files;     /* matrices, features, lists; of a run names, none: all */
    size_t nfiles;
    const char *metric;     /* files .npy are features */
    const char *reference;  /* as psb_search_options: divides the distances of features */
    const char *query_list; /* a file with the ids of queries: means are over these */
    const char *targets;    /* as classes_of: what is searched, where that is not the queries */
    const char *split;      /* of a divided table or folder the part that is taken */
    const char *id_column, *class_column; /* of tables; NULL: those that are known */
    size_t level;                         /* classes below this level are parts of it; 0: none is */
    const char *qrels;                    /* judgements in TREC's form, instead of classes */
    const char *lists;  /* all files are ranked lists: search, trec, shrec, shapenet or rows */
    const char *exact;  /* exact lists, as the first method: see psb_loss_table */
    const char *folder; /* where parts leave values of features, and from where all are taken */
    size_t part, parts; /* with a folder: part 0 ... parts - 1 alone is counted; 0 parts: all */
    bool complete;      /* with a folder: what no part has counted is an error */
    size_t memory;      /* of the whole program, for features; 0: 2 GiB */
    bool with_query;    /* a query that is a target stays in its list and counts */
    bool verify;        /* check a run's large files by all their bytes, not by a sample */
    psb_sources sources;
} psb_methods_options;

/*
 * Opens files, which may be none. What the folder of a run has that is not as the run left it is
 * told to the observer and left out; a file that was asked for by its name is an error then.
 */
psb_status psb_methods_open(psb_context *psb, const psb_methods_options *options,
                            psb_methods **methods, psb_error *error);
/*
 * One more from memory. Its names, where it has some, tell the order; it has to stay as long as the
 * methods. The second makes the matrix of rows, by a metric as psb_distances.
 */
psb_status psb_methods_add_matrix(psb_methods *methods, const psb_matrix *matrix, const char *label,
                                  psb_error *error);
psb_status psb_methods_add_rows(psb_methods *methods, const psb_rows *rows, const char *metric,
                                const char *label, psb_error *error);
void psb_methods_free(psb_methods *methods);
size_t psb_methods_count(const psb_methods *methods);
/* How many of a run were left out. */
size_t psb_methods_left_out(const psb_methods *methods);

/*
 * Calls `line` for everything that is wrong with ranked lists, and with a summary for each file.
 * *faults: how many things.
 */
psb_status psb_check_lists(const psb_methods *methods,
                           void (*line)(void *context, const char *text), void *context,
                           size_t *faults, psb_error *error);

/*
 * Values of measures for each query and method, and their means. Who takes part in means is
 * psbTable's rule: no models of the class "-1", no classes of 2 or fewer models.
 */
typedef struct psb_evaluation psb_evaluation;

/* What is independent of each other when errors are estimated. */
typedef enum psb_units { PSB_UNITS_CLASS, PSB_UNITS_QUERY } psb_units;

/* Which queries a mean is taken over, and how. */
typedef enum psb_grouping {
    PSB_PER_MODEL, /* one query */
    PSB_PER_CLASS, /* a class's own models */
    PSB_SUBTREE,   /* a class and all classes below it */
    PSB_MICRO,     /* all queries alike */
    PSB_MACRO,     /* all classes alike */
} psb_grouping;

typedef struct psb_group {
    psb_grouping kind;
    size_t which; /* the model or class; 0 for micro and macro */
} psb_group;

typedef struct psb_mean {
    double value;
    double error; /* NAN where the group has a single unit */
    size_t queries, classes;
} psb_mean;

/* Queries without a ranked list are left out of all means, or count 0 in every measure. */
typedef enum psb_absence { PSB_ABSENT_OUT, PSB_ABSENT_ZERO } psb_absence;

typedef struct psb_evaluate_options {
    const char *measures; /* "dcg,precision@10"; NULL: the five figures of Table 4 */
    psb_units units;
    bool unknown; /* what ranked lists are too short for is NAN, else an error */
    bool marked;  /* the same, and it is told to the observer */
    psb_absence absent;
} psb_evaluate_options;

/* PSB_ERROR_USAGE for a list of measures that cannot be read. */
psb_status psb_check_measures(const char *list, psb_error *error);
/* Whether it is one measure with a value for each query, as a comparison needs. */
bool psb_is_paired(const char *measures);
/* What measures there are, with their definitions: a text for free(). */
psb_status psb_measures_text(char **text, psb_error *error);

/*
 * The methods have to stay. Queries without a list are told, and left out or count 0. Of methods
 * that were opened with a part there is no evaluation: *evaluation is NULL, and the part's values
 * are in the folder.
 */
psb_status psb_evaluate(psb_context *psb, const psb_methods *methods,
                        const psb_evaluate_options *options, psb_evaluation **evaluation,
                        psb_error *error);
void psb_evaluation_free(psb_evaluation *evaluation);
/* False where queries were left out or figures marked. */
bool psb_evaluation_whole(const psb_evaluation *e);
size_t psb_evaluation_methods(const psb_evaluation *e);
const char *psb_evaluation_label(const psb_evaluation *e, size_t method);
size_t psb_evaluation_measures(const psb_evaluation *e);
const char *psb_evaluation_measure(const psb_evaluation *e, size_t measure);
/* Of one query; NAN where it is not known or an index does not fit. */
double psb_evaluation_value(const psb_evaluation *e, size_t method, size_t measure, size_t query);
/* The group's mean; without queries, or where an index does not fit, NAN. Sums are in file order.
 */
psb_mean psb_evaluation_mean(const psb_evaluation *e, size_t method, size_t measure,
                             psb_group group);

/* For loops over the groups of a kind that have queries: starts at psb_groups(kind). */
psb_group psb_groups(psb_grouping kind);
bool psb_group_next(const psb_evaluation *e, psb_group *group);
size_t psb_group_count(const psb_evaluation *e, psb_grouping kind);

/*
 * Texts, for free(): the five figures in the words of psbTable; a table as txt (NULL), tsv, json,
 * md or tex; what every other method loses against the first, where all are ranked lists. "txt:80"
 * has lines of at most 80 columns: a wider table is turned, or divided; "txt:80:best" also shows
 * the best of each column in bold, as terminals do.
 */
psb_status psb_evaluation_text(const psb_evaluation *e, psb_grouping grouping, char **text,
                               psb_error *error);
psb_status psb_evaluation_table(const psb_evaluation *e, psb_grouping grouping, bool errors,
                                const char *format, char **text, psb_error *error);
psb_status psb_loss_table(const psb_evaluation *e, psb_grouping grouping, bool errors,
                          const char *format, char **text, psb_error *error);
/* PSB_ERROR_USAGE, which names all, where there is no such format. */
psb_status psb_check_format(const char *name, psb_error *error);

/* ---- comparison -------------------------------------------------------------------------- */

/* Two methods on the same queries: is one better, or was it luck? */
typedef struct psb_comparison {
    size_t a, b;       /* methods */
    size_t units;      /* that were flipped and drawn */
    double difference; /* mean of a - b */
    double low, high;  /* 95 % interval of that mean, by Student's t; NAN with one unit */
    double p;          /* two-sided, of the paired randomisation test; never 0 */
    double p_holm;     /* the same corrected for the number of comparisons, psb_correct_holm */
} psb_comparison;

typedef struct psb_compare_options {
    bool per_class; /* class means are compared, else queries */
    size_t rounds;  /* of the test; 0: 10000, or 2000 for each pair; with seed 0 seed 1 */
    uint64_t seed;
    size_t classes; /* in the text: so many that gain and lose most against the first method */
} psb_compare_options;

/*
 * Every pair of methods, (0,1) (0,2) ... (1,2) ..., n (n - 1) / 2 of them, by the one measure of
 * the evaluation: paired randomisation test, Holm's correction for all pairs.
 */
psb_status psb_compare(psb_context *psb, const psb_evaluation *e,
                       const psb_compare_options *options, psb_comparison *pairs, psb_error *error);
/* The same as a table, for free(). */
psb_status psb_comparison_text(psb_context *psb, const psb_evaluation *e,
                               const psb_compare_options *options, const char *format, char **text,
                               psb_error *error);

/* ---- classes by neighbors ---------------------------------------------------------------- */

typedef struct psb_classify_options {
    size_t k; /* how many of the nearest vote; 0: 1 */
    psb_grouping grouping;
    psb_units units;
    bool errors;    /* the standard error beside each mean */
    bool confusion; /* of one method: classes, and what their queries were taken for */
} psb_classify_options;

/*
 * 'psbench classify': each query gets the class that most of its nearest targets are of. The share
 * of queries that get their own, at every level of the hierarchy; or their confusions. Of methods
 * whose `sources` are not all.
 */
psb_status psb_classify(psb_context *psb, const psb_methods *methods,
                        const psb_classify_options *options, psb_table **table, psb_error *error);

/* ---- clusters ---------------------------------------------------------------------------- */

typedef struct psb_cluster_options {
    size_t clusters; /* that the tree is cut at; 0: as many as there are classes */
    bool members;    /* of one method: a row for each model, with its cluster at the last level */
} psb_cluster_options;

/*
 * 'psbench cluster', of methods whose `sources` are matrices: clusters by average linkage, and a
 * row for each method and level of the hierarchy with purity, normalised mutual information and
 * adjusted Rand index against the classes there.
 */
psb_status psb_cluster(psb_context *psb, const psb_methods *methods,
                       const psb_cluster_options *options, psb_table **table, psb_error *error);

/* ---- plots ------------------------------------------------------------------------------- */

/* What a paper asks of a picture; zeroed: one for the screen. */
typedef struct psb_picture_style {
    double width;     /* millimetres; 0: as wide as the picture likes */
    double text;      /* points, of ordinary text; 0: 8 where a width is given, else 12 */
    const char *font; /* NULL: sans-serif */
    bool gray;        /* nothing but black, white and grays */
} psb_picture_style;

/* Curves with all methods in one plot, images, maps and trees of each, classes by method. */
typedef enum psb_plot_kind {
    PSB_PLOT_PR,
    PSB_PLOT_CG,
    PSB_PLOT_NCG,
    PSB_PLOT_DCG,
    PSB_PLOT_NDCG,
    PSB_PLOT_DISTANCE,
    PSB_PLOT_TIER,
    PSB_PLOT_CLASSES,
    PSB_PLOT_MAP,
    PSB_PLOT_TREE,
} psb_plot_kind;

typedef struct psb_plot_options {
    psb_plot_kind kind;
    psb_grouping grouping; /* of curves: micro, macro; of PSB_PLOT_PR, .plot alone, class, model */
    const char *stem;      /* path of the files: STEM.svg, or STEM-LABEL.png */
    const char *formats;   /* "svg,pdf,png,plot", or some; NULL: all that suit */
    const char *title;     /* "": none, and no small print; NULL: one that suits */
    const char *classes;   /* of images: "A..B", names or numbers; NULL: all */
    const char *measure;   /* of PSB_PLOT_CLASSES; NULL: "dcg" */
    bool count_query;      /* of PSB_PLOT_PR: the query is its own first hit */
    size_t length;         /* of gain curves; 0: the whole list */
    int cell;              /* pixels of an image's cell; 0: what suits */
    psb_picture_style style;
    /* Asked of each file before the first is written: false ends with PSB_ERROR_USAGE. Or NULL. */
    bool (*may_write)(void *context, const char *path);
    void *context;
} psb_plot_options;

/* 'psbench plot', of methods whose `sources` are matrices. */
psb_status psb_plot(const psb_methods *methods, const psb_plot_options *options, psb_error *error);

/* ---- lists for other programs ------------------------------------------------------------ */

typedef enum psb_export_form {
    PSB_EXPORT_TREC,  /* FOLDER/qrels.txt, and FOLDER/LABEL.run for each method */
    PSB_EXPORT_SHREC, /* FOLDER/LABEL/QUERY: models and distances, the nearest first */
} psb_export_form;

/*
 * 'psbench export', of methods whose `sources` are matrices. The folder may be new, empty, or that
 * of an earlier export.
 */
psb_status psb_export(const psb_methods *methods, psb_export_form form, const char *folder,
                      psb_error *error);

/* ---- sets of models ---------------------------------------------------------------------- */

/* A row for each set, for each uppermost class with all in it, or for each class. */
typedef enum psb_class_rows { PSB_ROWS_SETS, PSB_ROWS_TOPS, PSB_ROWS_CLASSES } psb_class_rows;

typedef struct psb_classes_options {
    const char *const *inputs; /* one or more, each as classes_of */
    size_t ninputs;
    psb_collection_options data; /* models, split, level and the columns of tables, of each */
    const char *output; /* file in .cla, .csv, .tsv or .txt for all of them together; or NULL */
    psb_class_rows rows;
} psb_classes_options;

/*
 * 'psbench cla': what the paper's Tables 1 to 3 say of sets, side by side. The observer is told
 * what is doubtful. Not whole where data.models lacks the file of a model.
 */
psb_status psb_classes(psb_context *psb, const psb_classes_options *options, psb_table **table,
                       psb_error *error);

typedef struct psb_duplicates_options {
    const char *of;         /* the folder of a run, or a file of features */
    const char *descriptor; /* of a run; NULL: LFD, or the first that it has */
    const char *metric;     /* NULL: the descriptor's */
    double quantile; /* rows are near up to the distance that this share of them, 0 ... 1, have to
                        their nearest; 0: rows are not compared */
    const char *models; /* folder or archive of the models; NULL: the one that the run used */
    bool rows_only;     /* the models' files are not compared */
    size_t max_faces;   /* of a model; 0: ten million */
    size_t memory;      /* bytes of the whole program at most; 0: 2 GiB */
    bool verify;        /* check a run's large files by all their bytes, not by a sample */
    const char *add;    /* folder of models to compare with these and each other: alone what they
                           are like is listed, and only they are described; or NULL */
} psb_duplicates_options;

/*
 * 'psbench duplicates': models that are the same, or nearly, a row for each, group by group: what
 * it is like, by which evidence, how far their rows are apart. Not whole where a model's file is
 * missing or cannot be read.
 */
psb_status psb_duplicates(psb_context *psb, const psb_duplicates_options *options,
                          psb_table **table, psb_error *error);

typedef struct psb_generative_options {
    const char *sets[2];     /* generated shapes and references: folders of models, or features */
    const char *descriptors; /* of folders: "LFD,SHD"; NULL: LFD */
    const char *metric;      /* of features, and needed there */
    /*
     * Folder for the tables and for finished rows, to go on from; made where it does not exist, and
     * refused where it holds other things. NULL: nothing is kept.
     */
    const char *folder;
    const char *command_line; /* that makes it again; may be NULL */
    size_t rounds;            /* of the bootstrap; 0: no intervals */
    uint64_t seed;
    size_t max_faces;   /* of a model; 0: ten million */
    double max_seconds; /* processor time of a model; 0: no limit */
    size_t memory;      /* bytes of the whole program at most; 0: 2 GiB */
    const char *report; /* folder for a page of the shapes behind the figures; NULL: none */
    bool distributions; /* Frechet and kernel distance of the rows as well */
    bool floor;         /* and every other reference beside the rest of them, as a second row */
} psb_generative_options;

/*
 * 'psbench generative': matching distance, coverage and 1-NNA of a set of generated shapes beside a
 * set of references, of points the divergence of their occupancies as well, a row for each
 * descriptor. Not whole where models were left out.
 */
psb_status psb_generative(psb_context *psb, const psb_generative_options *options,
                          psb_table **table, psb_error *error);

#include "psbench_runs.h"

#ifdef __cplusplus
}
#endif

#endif
