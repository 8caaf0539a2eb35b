/*
 * psbench: shape descriptors, distances and retrieval statistics of the Princeton Shape Benchmark.
 *
 * The public header of libpsbench: from polygon models to tables. The library never prints, exits
 * or reads the command line. A function that can fail returns a psb_status and, unless `error` is
 * NULL, fills it with a message that names file, line, value and limit. Opaque objects belong to
 * the caller, who frees them with psb_x_free, which accepts NULL. If a function fails, it sets the
 * object that it should have made to NULL. A struct of options may be zeroed, or its pointer NULL:
 * zero is the default of every field. An index or a length that does not fit is PSB_ERROR_USAGE or,
 * from a function without a status, NULL.
 *
 * Threads: a function with a context uses as many threads as the context was made with. For each
 * context only one thread at a time may call functions, except psb_shape_open. A shape belongs to
 * one thread; several threads may read all other objects. No number depends on how many threads
 * there are. A process that was forked after work with several threads can work with one only: more
 * are PSB_ERROR_USAGE there. While a function of the library works, OpenBLAS, which the whole
 * process shares, uses one thread; afterwards as many as before. The first psb_shape_open of a
 * context makes its shared tables.
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
/* Returns the version of the library; the one above is that of the header. */
const char *psb_version(void);

/* ---- errors ---------------------------------------------------------------------------- */

typedef enum psb_status {
    PSB_OK = 0,
    PSB_ERROR_USAGE,       /* the caller's argument, name or parameter is wrong */
    PSB_ERROR_INPUT,       /* the contents of a file or a mesh are wrong */
    PSB_ERROR_IO,          /* opening, reading, writing or renaming failed */
    PSB_ERROR_MEMORY,      /* memory or file descriptors ran out */
    PSB_ERROR_INTERNAL,    /* a library below this one failed, or this one has a bug */
    PSB_ERROR_INTERRUPTED, /* the caller asked to stop */
} psb_status;

typedef struct psb_error {
    psb_status status;
    unsigned long line; /* line of the input file; 0 if there is none */
    char message[512];  /* the whole text, which begins with "file:line: " if it concerns a file */
} psb_error;

/* ---- the context ------------------------------------------------------------------------ */

typedef enum psb_level {
    PSB_DETAIL,  /* for the log, and for users who ask for more */
    PSB_NOTE,    /* worth a line: something is computed again, and why */
    PSB_WARNING, /* something is not as it should be */
} psb_level;

/* Receives reports of long work. Any function may be NULL; one thread at a time calls them. */
typedef struct psb_observer {
    /*
     * `done` of `total` steps of a stage ("features", "distances SHD") are done, `failures` of them
     * without result. A step that takes long calls it again with the same numbers, work without
     * steps with 0 of 0. A nonzero return value stops the work, which ends with
     * PSB_ERROR_INTERRUPTED; psb_describe then unloads the shape's mesh.
     */
    int (*progress)(void *context, const char *stage, size_t done, size_t total, size_t failures);
    /* Called once for each model or file that is left out because it cannot be used, as soon as
     * that is known, and for anything else that makes a result incomplete. */
    void (*failed)(void *context, const psb_error *error);
    /* Receives a line of text. */
    void (*say)(void *context, psb_level level, const char *text);
    void *context;
    /* Called before `progress` if steps differ in size: the share of the work that is done, 0 ...
     * 1, not counting what an earlier run did. */
    void (*share)(void *context, double share);
} psb_observer;

typedef struct psb_context_options {
    int threads; /* 0: one per processor; at most PSB_MOST_THREADS */
    psb_observer observer;
} psb_context_options;

#define PSB_MOST_THREADS 1024

/* Holds threads, observer, the descriptors and metrics that the client added, and tables that
 * shapes share. Must outlive all other objects. PSB_ERROR_USAGE, too, if the environment's PSB_CPU
 * is not plain, avx2 or avx512, or names a set that this processor does not have. */
typedef struct psb_context psb_context;
psb_status psb_context_new(const psb_context_options *options, psb_context **psb, psb_error *error);
void psb_context_free(psb_context *psb);

/* ---- tables ---------------------------------------------------------------------------- */

/*
 * The result of a verb of the library: columns with names, and in each cell a number, a text or
 * nothing. psb_table_show prints percent where these functions have fractions, and " / " between
 * the levels of a class.
 */
typedef struct psb_table psb_table;
void psb_table_free(psb_table *table);
/* Returns false if models or files were left out; each was reported to the observer. */
bool psb_table_whole(const psb_table *table);
size_t psb_table_rows(const psb_table *table);
size_t psb_table_columns(const psb_table *table);
const char *psb_table_column(const psb_table *table, size_t column);
/* Return NAN, or NULL, if the cell has no number, or no text. */
double psb_table_number(const psb_table *table, size_t row, size_t column);
const char *psb_table_text(const psb_table *table, size_t row, size_t column);
/* Sets *text to the table in a format of psb_evaluation_table; free(*text). */
psb_status psb_table_show(const psb_table *table, const char *format, char **text,
                          psb_error *error);

/* Lists names and versions of the library, its compiler, and the libraries below it, and which
 * instruction sets it uses: plain, avx2 or avx512. */
psb_status psb_versions(psb_table **table, psb_error *error);

/* ---- meshes ---------------------------------------------------------------------------- */

/* Vertices and triangles only; polygons became triangle fans when they were read. Every index is
 * below nvertices and every coordinate is finite; triangles may be degenerate. */
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
 * PSB_ERROR_INPUT if a coordinate is not finite or a triangle names a missing vertex,
 * PSB_ERROR_USAGE if an array is NULL. A mesh may come from anywhere, so psb_shape_load checks each
 * one in this way.
 */
psb_status psb_mesh_check(const psb_mesh *mesh, psb_error *error);

/* How numbers are written if a format has a choice. */
typedef enum psb_encoding { PSB_PRESET, PSB_BINARY_LITTLE, PSB_BINARY_BIG, PSB_TEXT } psb_encoding;

/*
 * Writes a mesh in the format of the path's ending. Text has every digit that is needed to read the
 * same doubles again; `single` rounds to float32, which binary STL always does. PSB_ERROR_USAGE if
 * the format cannot be written, or not in this encoding.
 */
psb_status psb_mesh_write(const char *path, const psb_mesh *mesh, psb_encoding encoding,
                          bool single, psb_error *error);

typedef struct psb_convert_options {
    psb_encoding encoding;
    bool single; /* round numbers to float32 */
} psb_convert_options;

/* 'psbench convert': psb_mesh_read, then psb_mesh_write. PSB_ERROR_USAGE if both are the same
 * file. */
psb_status psb_convert(const char *from, const char *to, const psb_convert_options *options,
                       psb_error *error);

/* Principal axes, the largest first; each points to the side of the center with more of the
 * surface. */
typedef struct psb_axes {
    double values[3];  /* eigenvalues of the surface's covariance, units^2 */
    double axis[3][3]; /* unit eigenvectors as rows, in the same order */
} psb_axes;

/* A model's annotations as in the benchmark's _info.txt files; docs/annotations.md defines each. */
typedef struct psb_annotations {
    size_t polygons;               /* faces as the file counts them */
    size_t connected_components;   /* parts of the surface, connected across edges */
    double average_dihedral_angle; /* radians; NAN where no edge counts */
    double lowest[3], highest[3];  /* bounding box of the vertices that faces use, units */
    double average_depth;          /* layers per covered pixel; NAN where no face is seen */
    double centre[3];              /* center of mass of the surface, units */
    double scale; /* TWICE the mean distance of the surface from the center, units */
    psb_axes axes;
    /* Not in the _info.txt files: */
    size_t vertices, triangles; /* vertices of the file; triangles of its polygons' fans */
    bool watertight; /* each edge has two triangles, which run along it in opposite directions */
    double area;     /* units^2 */
    double volume;   /* inside the surface, units^3; NAN unless watertight */
} psb_annotations;

/* 'psbench info' of one file. PSB_ERROR_INPUT if the mesh has no area, or an extent out of
 * range. */
psb_status psb_info(const char *path, psb_annotations *annotations, psb_error *error);
/*
 * Like psb_info, for several files: *text (free it) is a JSON array or, without `json`, in the form
 * of _info.txt files. Models that cannot be used are reported to the observer and left out;
 * *described is the number of the others.
 */
psb_status psb_info_text(psb_context *psb, const char *const *paths, size_t count, bool json,
                         char **text, size_t *described, psb_error *error);

typedef struct psb_compare_shapes_options {
    const char *a, *b; /* mesh files; a is compared with b, which it should equal */
    size_t points;     /* on each surface, up to 1,000,000; 0: 2048 */
    const char *pose;  /* "file", "sphere", "box" or "aligned"; NULL: "file" */
    bool align;        /* turn, scale and shift a onto b first */
    double threshold;  /* for the F-score: share of the longest side of b's box; 0: 0.01 */
} psb_compare_shapes_options;

/* 'psbench compare-shapes': the table has a row for each measure; docs/generative.md defines
 * them. Points of a and b are drawn independently, seeded by what the meshes hold. */
psb_status psb_compare_shapes(psb_context *psb, const psb_compare_shapes_options *options,
                              psb_table **table, psb_error *error);

enum { PSB_RENDER_LONGEST_SIDE = 2048 };

typedef struct psb_view {
    size_t width, height; /* pixels, 1 ... PSB_RENDER_LONGEST_SIDE */
    double azimuth;       /* degrees about the upward axis, from the first axis to the second */
    double elevation;     /* degrees above the plane of these two axes, -90 ... 90 */
    /* true: the principal axes, as for aligned descriptors, with the third upward. false: the axes
     * of the file, with y upward, z first and x second. */
    bool aligned;
} psb_view;

/* Makes a three-quarter view of the model in the position that it has in its file. */
psb_view psb_view_make(size_t width, size_t height);

/* 'psbench render': writes a shaded picture, with transparency, as a PNG file. */
psb_status psb_render_file(const char *model, const psb_view *view, const char *png,
                           psb_error *error);

/* Whose axes define a pose: those of the surface's points, or of its normals. */
typedef enum psb_frame_kind { PSB_FRAME_SURFACE, PSB_FRAME_NORMALS } psb_frame_kind;

typedef struct psb_align_options {
    const char *from, *to; /* `from` is moved onto `to`, which stays */
    const char *output;    /* file for the moved first model, in any format; may be NULL */
    const char *picture;   /* PNG file with both models, and the first on the second; may be NULL */
    bool mirror;           /* allow reflections */
    const uint64_t *turn;  /* seed of a rotation that is applied first; NULL: none */
} psb_align_options;

/* How one model lies on another. The unit of lengths below is the second model's mean distance from
 * its center. */
typedef struct psb_alignment {
    double matrix[4][4]; /* maps a point (x, y, z, 1) of the first model, in its units */
    double scale;
    bool mirrored;
    psb_frame_kind frame; /* the frame whose pose was nearest */
    double distance;      /* pose48 distance in that pose */
    int steps;            /* steps of closest points that improved the result */
    /* Root mean square distance of sample points of both models to the nearest point of the other:
     * before these steps, and after them. */
    double before, residual;
} psb_alignment;

/* 'psbench align'. *text (free it) is what the command prints. */
psb_status psb_align_models(const psb_align_options *options, psb_alignment *found,
                            psb_error *error);
psb_status psb_alignment_text(const psb_alignment *alignment, bool json, char **text,
                              psb_error *error);

/* ---- descriptors ------------------------------------------------------------------------ */

typedef enum psb_element { PSB_FLOAT32, PSB_UINT8 } psb_element;

/* A descriptor: an entry of the library's table, the paper's twelve first, then the library's
 * own. */
typedef struct psb_descriptor psb_descriptor;
size_t psb_descriptor_count(void);
const psb_descriptor *psb_descriptor_at(size_t index);
/* Finds a descriptor by name, in upper or lower case; NULL if there is none. */
const psb_descriptor *psb_descriptor_find(const char *name);
const char *psb_descriptor_name(const psb_descriptor *descriptor);
const char *psb_descriptor_title(const psb_descriptor *descriptor);
/* Return BibTeX entries to cite: of a descriptor (NULL for one that a client added), of the
 * benchmark, of this library. */
const char *psb_descriptor_bibtex(const psb_descriptor *descriptor);
const char *psb_benchmark_bibtex(void);
const char *psb_bibtex(void);
/* 'psbench list': a row for each descriptor with name, numbers, type, distance, pose, title and,
 * for those not in the paper, source. */
psb_status psb_descriptors_table(psb_table **table, psb_error *error);
/* Writes sources, formulas and parameters of a list of specs to *text (free it); `psb` may be
 * NULL. */
psb_status psb_descriptors_text(const psb_context *psb, const char *specs, char **text,
                                psb_error *error);

/* A descriptor with its parameters. */
typedef struct psb_spec psb_spec;

/*
 * Parses "GEDT", or "GEDT:width=2,form=magnitude", which changes the defaults psb2004.
 * PSB_ERROR_USAGE for an unknown name, or for a value outside its range; the message gives the
 * range.
 */
psb_status psb_spec_open(const psb_context *psb, const char *text, psb_spec **spec,
                         psb_error *error);
void psb_spec_free(psb_spec *spec);
const psb_descriptor *psb_spec_descriptor(const psb_spec *spec);
/* Returns the canonical text: the name, then every parameter that differs from the default. */
const char *psb_spec_label(const psb_spec *spec);
/* Return the numbers in one row, their type, and the bytes of one row. */
size_t psb_spec_length(const psb_spec *spec);
psb_element psb_spec_element(const psb_spec *spec);
size_t psb_spec_row_bytes(const psb_spec *spec);
/* Returns the name of the metric that compares its rows. */
const char *psb_spec_metric_name(const psb_spec *spec);

/*
 * One normalized model, with the fields that descriptors share, each computed when first needed. A
 * shape is a workspace: load one model after the other into it; its buffers only grow. Use one
 * shape per thread.
 */
typedef struct psb_shape psb_shape;
psb_status psb_shape_open(psb_context *psb, psb_shape **shape, psb_error *error);
void psb_shape_free(psb_shape *shape);

/*
 * Makes `mesh` the shape's model. `id` seeds all random numbers, so the same id and mesh always
 * give the same results. Both must stay valid until the next load. PSB_ERROR_INPUT if
 * psb_mesh_check refuses the mesh, or if it has no area or is too large for double precision; then
 * no model is loaded.
 */
psb_status psb_shape_load(psb_shape *shape, const psb_mesh *mesh, const char *id, psb_error *error);
/* Return the loaded mesh and id, for descriptors; NULL if none is loaded. */
const psb_mesh *psb_shape_mesh(const psb_shape *shape);
const char *psb_shape_id(const psb_shape *shape);

/* Computes one row; `bytes` is psb_spec_row_bytes. PSB_ERROR_USAGE if no model is loaded,
 * PSB_ERROR_INPUT if all numbers are 0, as then the descriptor has seen nothing of the model. */
psb_status psb_describe(psb_shape *shape, const psb_spec *spec, void *row, size_t bytes,
                        psb_error *error);

/* ---- descriptors and metrics of a client ------------------------------------------------- */

typedef struct psb_parameter {
    const char *name;
    double preset, low, high;
} psb_parameter;

enum { PSB_MOST_PARAMETERS = 8 };

/* A client's descriptor. psb_add_descriptor copies texts and parameters. */
typedef struct psb_own_descriptor {
    const char *name;  /* as in specs: letters and digits; must be new */
    const char *title; /* NULL: the name */
    const psb_parameter *parameters;
    size_t nparameters;
    psb_element element;
    const char *metric; /* name of a metric; NULL: l2 */
    unsigned revision;  /* raise it when the numbers change: stored rows are then made again */
    /* Returns the length of a row, at least 1, for these values of the parameters. */
    size_t (*length)(void *context, const double *parameters);
    /* Fills row[length]. Several threads call it at once, each with its own shape. If it fails, it
     * may write a message. */
    psb_status (*compute)(void *context, psb_shape *shape, const double *parameters, void *row,
                          psb_error *error);
    void *context;
} psb_own_descriptor;

typedef struct psb_own_metric {
    const char *name; /* must be new */
    psb_element element;
    unsigned revision;
    /* Returns a finite distance >= 0, the same for (a, b) and (b, a); several threads call it at
     * once. */
    double (*distance)(void *context, const void *a, const void *b, size_t length);
    void *context;
} psb_own_metric;

/* Add a client's descriptor or metric. PSB_ERROR_USAGE if a part is missing, or if the name is
 * invalid or exists already. */
psb_status psb_add_descriptor(psb_context *psb, const psb_own_descriptor *own, psb_error *error);
psb_status psb_add_metric(psb_context *psb, const psb_own_metric *own, psb_error *error);

/* ---- collections of models -------------------------------------------------------------- */

/* Models in an order: their names, their classes and, if the caller wanted them, their files. */
typedef struct psb_collection psb_collection;

/* Where models and classes come from. Set one of classes_of, cla, labels, names and files, or only
 * models, whose folders are then the classes. docs/sets.md shows the layouts. */
typedef struct psb_collection_options {
    const char *classes_of;   /* any source of classes: a .cla, a table, a list of files, a folder
                                 whose folders are classes, or the folder of a run; or */
    const char *cla;          /* a classification, in a .cla file; or */
    const char *labels;       /* a table of models and classes, .csv or .tsv; or */
    const char *const *files; /* mesh files without classes, named by their last parts; or */
    size_t nfiles;
    const char *const *names;   /* names of models without files, and */
    const char *const *classes; /* the class of each name, with all levels: "aircraft/airplane" */
    size_t nnames;
    const char *models; /* folder or archive of the models; NULL, with cla: no files needed */
    const char *split; /* for a table or folder divided into train, test, ...: the part, or "all" */
    size_t level;      /* merge deeper classes into their ancestor at this level; 0: none */
    const char *id_column, *class_column; /* columns of a table, by name; NULL: see docs/sets.md */
    bool unlabelled;                      /* folder: ignore classes; run: end after the features */
    bool clouds; /* folder: files of points are models, too: .pcd, .xyz, .pts, and .npy and .txt in
                    a folder without others */
    bool skip_missing;   /* leave out models without a file, which are otherwise an error */
    const char *targets; /* run: a .cla of the models to search; cla has only the queries */
} psb_collection_options;

#define PSB_NONE SIZE_MAX

psb_status psb_collection_open(psb_context *psb, const psb_collection_options *options,
                               psb_collection **models, psb_error *error);
void psb_collection_free(psb_collection *models);
size_t psb_collection_count(const psb_collection *models);
/* Models are numbered class by class. Returns the place of a model in the file of the classes, from
 * 0, which is its row in an array without names. */
size_t psb_collection_row(const psb_collection *models, size_t model);
const char *psb_collection_id(const psb_collection *models, size_t model);
const char *psb_collection_file(const psb_collection *models, size_t model);
size_t psb_collection_classes(const psb_collection *models);
/* Returns all levels, "aircraft___airplane"; models without a class have the class "-1". */
const char *psb_collection_class_name(const psb_collection *models, size_t class_number);
size_t psb_collection_class_of(const psb_collection *models, size_t model);

typedef struct psb_attributes_options {
    const char *where;   /* "polygons>=1000,watertight=1": must all hold; NULL: no condition */
    const char *largest; /* "stick=200": of these keep the 200 with the largest value; NULL: all */
    const char *list;    /* file to which the ids are written as a list of queries; NULL: none */
} psb_attributes_options;

/*
 * 'psbench info' of a set with files: a row for each model with its id, every number of
 * psb_annotations, and `stick`, the largest principal value divided by the second. The table is not
 * whole if models cannot be used. PSB_ERROR_USAGE for conditions that cannot be parsed.
 */
psb_status psb_attributes_table(psb_context *psb, const psb_collection *models,
                                const psb_attributes_options *options, psb_table **table,
                                psb_error *error);

/* ---- rows: features, a row for each model ------------------------------------------------ */

typedef struct psb_rows psb_rows;

/*
 * Describes all models of a collection with files, in the order of psb_collection_row. Models that
 * cannot be described are left out and reported to the observer, so there may be fewer rows, even
 * none.
 */
psb_status psb_describe_all(psb_context *psb, const psb_collection *models, const psb_spec *spec,
                            psb_rows **rows, psb_error *error);

/* Copies count x length numbers, with names or without (NULL). Refuses numbers that are not finite,
 * and names that occur twice or have control characters such as line ends. */
psb_status psb_rows_new(const void *data, size_t count, size_t length, psb_element element,
                        const char *const *names, psb_rows **rows, psb_error *error);

/* Like psb_rows_new, without a copy: `data` must stay unchanged until the rows are freed. */
psb_status psb_rows_wrap(const void *data, size_t count, size_t length, psb_element element,
                         const char *const *names, psb_rows **rows, psb_error *error);

/*
 * Maps an .npy file, or the features of a run's method, RUN/NAME, and reads the names beside it
 * (FILE.ids). RUN/NAME also has the run's metric, which becomes the default of calls with these
 * rows. With a collection (else NULL) rows get its ids: by the names beside the file or, without
 * them, by psb_collection_row. A file in a run's folder must be as the run left it.
 */
psb_status psb_rows_read(psb_context *psb, const char *path, const psb_collection *models,
                         psb_rows **rows, psb_error *error);
/* Writes an .npy file, and the names beside it. */
psb_status psb_rows_write(const psb_rows *rows, const char *path, psb_error *error);
void psb_rows_free(psb_rows *rows);
size_t psb_rows_count(const psb_rows *rows);
size_t psb_rows_length(const psb_rows *rows);
psb_element psb_rows_element(const psb_rows *rows);
/* Returns a row; the next row follows it in memory. */
const void *psb_rows_at(const psb_rows *rows, size_t row);
const char *psb_rows_name(const psb_rows *rows, size_t row);
/* Returns which model of the collection psb_describe_all made the row from; PSB_NONE for other
 * rows. */
size_t psb_rows_model(const psb_rows *rows, size_t row);

/* ---- distances --------------------------------------------------------------------------- */

/* Distances between N models, or from one set to another, in float32, with the models' names. */
typedef struct psb_matrix psb_matrix;

/*
 * Computes the distances of all pairs of rows by a metric ("l1", "l2", "cosine", "chi2", "lfd", or
 * a client's); NULL: that of the descriptor that made the rows, else l2. Symmetric, 0 on the
 * diagonal.
 */
psb_status psb_distances(psb_context *psb, const psb_rows *rows, const char *metric,
                         psb_matrix **matrix, psb_error *error);

/* Computes the distances from each query to each target. */
psb_status psb_distances_between(psb_context *psb, const psb_rows *queries, const psb_rows *targets,
                                 const char *metric, psb_matrix **matrix, psb_error *error);

/*
 * Computes either of these (one set if `targets` is `queries`) and writes it as psb_matrix_write
 * does. If the matrix exceeds 1 GiB, holds 256 MiB of distances at a time, and computes most pairs
 * of one set twice.
 */
psb_status psb_distances_write(psb_context *psb, const psb_rows *queries, const psb_rows *targets,
                               const char *metric, const char *path, psb_error *error);

/* PSB_ERROR_USAGE, which lists all metrics, if there is none of that name. */
psb_status psb_check_metric(const psb_context *psb, const char *name, psb_error *error);

/* Copies n x n distances, with names or without. Refuses negative and non-finite ones. */
psb_status psb_matrix_new(const float *data, size_t n, const char *const *names,
                          psb_matrix **matrix, psb_error *error);
/*
 * Reads the distances between all models of a collection, in any form (see docs/formats.md), and
 * sorts them into its order by the names beside the file. A file in a run's folder must be as the
 * run left it.
 */
psb_status psb_distances_read(psb_context *psb, const char *path, const psb_collection *models,
                              psb_matrix **matrix, psb_error *error);
/* Writes the benchmark's format, and the names beside it; for two sets an .npy, with the names of
 * queries in PATH.ids and those of targets in PATH.columns.ids. */
psb_status psb_matrix_write(const psb_matrix *matrix, const char *path, psb_error *error);
void psb_matrix_free(psb_matrix *matrix);
size_t psb_matrix_count(const psb_matrix *matrix);
/* Returns n, or the number of targets. */
size_t psb_matrix_columns(const psb_matrix *matrix);
/* Returns the distances from one model to all; those of the next model follow in memory. */
const float *psb_matrix_at(const psb_matrix *matrix, size_t row);
const char *psb_matrix_name(const psb_matrix *matrix, size_t row);

/* Computes the distance of two rows of a spec, `bytes` long each, by its metric: equal to that in a
 * matrix. */
psb_status psb_distance(const psb_spec *spec, const void *a, const void *b, size_t bytes,
                        float *distance, psb_error *error);

/* ---- search ------------------------------------------------------------------------------ */

/* Rows of the same models as the search's, in the same orders, which choose candidates. */
typedef struct psb_search_stage {
    const psb_rows *queries, *database;
    const char *metric; /* NULL: cosine */
    size_t candidates;  /* how many of the nearest go on; 0: 200 */
} psb_search_stage;

typedef struct psb_search_options {
    size_t neighbors;   /* 0: 100 */
    const char *metric; /* as in psb_distances */
    bool self; /* row i of queries and database is the same model, which its own list leaves out */
    size_t memory;      /* limit for the whole program in bytes; 0: 2 GiB */
    size_t part, parts; /* if parts > 0: search only the queries of part 0 ... parts - 1 */
    /* At most 8 stages before the metric. The first compares all rows; each later stage, and at
     * last the metric, compares only the candidates of the stage before. */
    const psb_search_stage *stages;
    size_t nstages;
    /*
     * Divides the metric's distances, as methods like T3+co do, by how far both rows lie from these
     * rows: a file, RUN/NAME, or the folder of a run that has features named as the database's;
     * NULL: no division.
     */
    const char *reference;
} psb_search_options;

/*
 * Writes lists of the nearest rows of a database for each query, like 'psbench search': no matrix
 * is made, and mapped rows may be larger than the memory. A query's list leaves out a row of the
 * query's name or, if both sides are one object or one file, the query itself.
 */
psb_status psb_search(psb_context *psb, const psb_rows *queries, const psb_rows *database,
                      const psb_search_options *options, const char *path, psb_error *error);

/* ---- evaluation -------------------------------------------------------------------------- */

/* Methods of retrieval: matrices, features with a metric, or ranked lists, all for the same
 * queries. */
typedef struct psb_methods psb_methods;

/* In which form methods are kept; features can stay features only within one set. */
typedef enum psb_sources {
    PSB_ALL_SOURCES,
    PSB_MATRICES_AND_LISTS, /* convert features to matrices */
    PSB_MATRICES,           /* convert features to matrices, refuse lists */
} psb_sources;

typedef struct psb_methods_options {
    const psb_collection *models; /* whose classes decide what is relevant; or */
    const char *queries;      /* like classes_of; if it is a run, `files` may name its methods */
    const char *const *files; /* matrices, features, lists, or names of a run; none: all */
    size_t nfiles;
    const char *metric;     /* for .npy files, which are then features */
    const char *reference;  /* as in psb_search_options, for distances of features */
    const char *query_list; /* file with the ids of the queries that means are taken over */
    const char *targets;    /* like classes_of: the models to search; NULL: the queries */
    const char *split;      /* part of a divided table or folder */
    const char *id_column, *class_column; /* columns of tables; NULL: known names */
    size_t level;                         /* merge classes deeper than this level; 0: none */
    const char *qrels;                    /* judgments in TREC's form, instead of classes */
    const char *lists;  /* ranked lists in all files: search, trec, shrec, shapenet or rows */
    const char *exact;  /* exact lists, which become the first method: see psb_loss_table */
    const char *folder; /* where parts write values of features, and where all are read */
    size_t part, parts; /* with a folder: measure only part 0 ... parts - 1; 0 parts: all */
    bool complete;      /* with a folder: fail if no part has measured some values */
    size_t memory;      /* limit for the whole program in bytes, for features; 0: 2 GiB */
    bool with_query;    /* keep a query that is also a target in its list, and count it */
    bool verify;        /* check a run's large files by all their bytes, not by a sample */
    psb_sources sources;
} psb_methods_options;

/* Opens files, or none. Matrices in a run's folder that are not as the run left them are reported
 * to the observer and left out; if the caller named such a file, that is an error. */
psb_status psb_methods_open(psb_context *psb, const psb_methods_options *options,
                            psb_methods **methods, psb_error *error);
/* Add a method from memory. Its names, if it has some, give the order. It must outlive the methods.
 * psb_methods_add_rows makes the matrix of the rows, by a metric as in psb_distances. */
psb_status psb_methods_add_matrix(psb_methods *methods, const psb_matrix *matrix, const char *label,
                                  psb_error *error);
psb_status psb_methods_add_rows(psb_methods *methods, const psb_rows *rows, const char *metric,
                                const char *label, psb_error *error);
void psb_methods_free(psb_methods *methods);
size_t psb_methods_count(const psb_methods *methods);
/* Returns how many methods of a run were left out. */
size_t psb_methods_left_out(const psb_methods *methods);

/* Calls `line` for everything that is wrong with ranked lists, and with a summary for each file.
 * *faults is the number of faults. */
psb_status psb_check_lists(const psb_methods *methods,
                           void (*line)(void *context, const char *text), void *context,
                           size_t *faults, psb_error *error);

/* Values of measures for each query and method, and their means. By psbTable's rule, means leave
 * out models of the class "-1" and of classes of 2 or fewer models. */
typedef struct psb_evaluation psb_evaluation;

/* The units that are independent of each other when errors are estimated. */
typedef enum psb_units { PSB_UNITS_CLASS, PSB_UNITS_QUERY } psb_units;

/* The queries that a mean is taken over, and their weights. */
typedef enum psb_grouping {
    PSB_PER_MODEL, /* a single query */
    PSB_PER_CLASS, /* the models directly in a class */
    PSB_SUBTREE,   /* a class and all classes below it */
    PSB_MICRO,     /* all queries, with equal weight */
    PSB_MACRO,     /* all classes, with equal weight */
} psb_grouping;

typedef struct psb_group {
    psb_grouping kind;
    size_t which; /* the model or class; 0 for micro and macro */
} psb_group;

typedef struct psb_mean {
    double value;
    double error; /* standard error; NAN if the group has a single unit */
    size_t queries, classes;
} psb_mean;

/* Queries without a ranked list are left out of all means, or count as 0 in every measure. */
typedef enum psb_absence { PSB_ABSENT_OUT, PSB_ABSENT_ZERO } psb_absence;

typedef struct psb_evaluate_options {
    const char *measures; /* "dcg,precision@10"; NULL: the five figures of Table 4 */
    psb_units units;
    bool unknown; /* if ranked lists are too short for a value it is NAN, else that is an error */
    bool marked;  /* like `unknown`, and reported to the observer */
    psb_absence absent;
} psb_evaluate_options;

/* PSB_ERROR_USAGE if a list of measures cannot be parsed. */
psb_status psb_check_measures(const char *list, psb_error *error);
/* True if it is one measure with a value for each query, as a comparison needs. */
bool psb_is_paired(const char *measures);
/* Writes all measures and their definitions to *text (free it). */
psb_status psb_measures_text(char **text, psb_error *error);

/*
 * Evaluates the methods, which must outlive *evaluation. Queries without a list are reported, and
 * left out or counted as 0. Methods opened with a part have no evaluation: *evaluation is NULL, and
 * the part's values are in the folder.
 */
psb_status psb_evaluate(psb_context *psb, const psb_methods *methods,
                        const psb_evaluate_options *options, psb_evaluation **evaluation,
                        psb_error *error);
void psb_evaluation_free(psb_evaluation *evaluation);
/* Returns false if queries were left out or figures marked. */
bool psb_evaluation_whole(const psb_evaluation *e);
size_t psb_evaluation_methods(const psb_evaluation *e);
const char *psb_evaluation_label(const psb_evaluation *e, size_t method);
size_t psb_evaluation_measures(const psb_evaluation *e);
const char *psb_evaluation_measure(const psb_evaluation *e, size_t measure);
/* Finds a measure by any name that lists of measures take, "map" as "average_precision"; SIZE_MAX
 * if the evaluation does not have it. */
size_t psb_evaluation_find_measure(const psb_evaluation *e, const char *name);
/* Returns one query's value; NAN if it is not known or an index does not fit. */
double psb_evaluation_value(const psb_evaluation *e, size_t method, size_t measure, size_t query);
/* Returns the group's mean; NAN without queries, or if an index does not fit. Sums are in file
 * order. */
psb_mean psb_evaluation_mean(const psb_evaluation *e, size_t method, size_t measure,
                             psb_group group);

/* For loops over the groups of a kind that have queries: start at psb_groups(kind). */
psb_group psb_groups(psb_grouping kind);
bool psb_group_next(const psb_evaluation *e, psb_group *group);
size_t psb_group_count(const psb_evaluation *e, psb_grouping kind);

/*
 * Write texts, which the caller frees: the five figures in the words of psbTable; a table as txt
 * (NULL), tsv, json, md, tex or csv; the loss of every other method against the first, if all are
 * ranked lists. "txt:80" has lines of at most 80 columns: a wider table is turned, or divided;
 * "txt:80:best" also prints the best of each column in bold, as terminals do.
 */
psb_status psb_evaluation_text(const psb_evaluation *e, psb_grouping grouping, char **text,
                               psb_error *error);
psb_status psb_evaluation_table(const psb_evaluation *e, psb_grouping grouping, bool errors,
                                const char *format, char **text, psb_error *error);
psb_status psb_loss_table(const psb_evaluation *e, psb_grouping grouping, bool errors,
                          const char *format, char **text, psb_error *error);
/* PSB_ERROR_USAGE, which lists all formats, if there is none of that name. */
psb_status psb_check_format(const char *name, psb_error *error);

/* ---- comparison -------------------------------------------------------------------------- */

/* Compares two methods on the same queries: is one better, or was it luck? */
typedef struct psb_comparison {
    size_t a, b;       /* methods */
    size_t units;      /* units that the test flips and draws */
    double difference; /* mean of a - b */
    double low, high;  /* 95 % interval of the difference, by Student's t; NAN with one unit */
    double p;          /* two-sided p-value of the paired randomization test; never 0 */
    double p_holm;     /* p corrected for the number of comparisons, by psb_correct_holm */
} psb_comparison;

typedef struct psb_compare_options {
    bool per_class; /* compare class means, else queries */
    size_t rounds;  /* rounds of the test; 0: 10000, or 2000 for each pair; seed 0 is then seed 1 */
    uint64_t seed;
    size_t classes; /* in the text: how many classes that gain and lose most against the first
                       method */
} psb_compare_options;

/* Compares every pair of methods, (0,1) (0,2) ... (1,2) ..., n (n - 1) / 2 of them, by the
 * evaluation's single measure: paired randomization test, with Holm's correction for all pairs. */
psb_status psb_compare(psb_context *psb, const psb_evaluation *e,
                       const psb_compare_options *options, psb_comparison *pairs, psb_error *error);
/* Writes the same as a table to *text (free it). */
psb_status psb_comparison_text(psb_context *psb, const psb_evaluation *e,
                               const psb_compare_options *options, const char *format, char **text,
                               psb_error *error);

/* ---- classes by neighbors ---------------------------------------------------------------- */

typedef struct psb_classify_options {
    size_t k; /* how many of the nearest vote; 0: 1 */
    psb_grouping grouping;
    psb_units units;
    bool errors;    /* show the standard error beside each mean */
    bool confusion; /* for one method: show the classes, and the labels that their queries got */
} psb_classify_options;

/*
 * 'psbench classify': each query gets the class of most of its nearest targets. The table has the
 * share of queries that get their own class, at every level of the hierarchy, or the confusions.
 * The methods' `sources` must not be PSB_ALL_SOURCES.
 */
psb_status psb_classify(psb_context *psb, const psb_methods *methods,
                        const psb_classify_options *options, psb_table **table, psb_error *error);

/* ---- clusters ---------------------------------------------------------------------------- */

typedef struct psb_cluster_options {
    size_t clusters; /* number of clusters; 0: as many as there are classes */
    bool members;    /* for one method: a row for each model, with its cluster at the last level */
} psb_cluster_options;

/*
 * 'psbench cluster', for methods whose `sources` are matrices: clusters by average linkage. The
 * table has a row for each method and level of the hierarchy with purity, normalized mutual
 * information and adjusted Rand index against the classes at that level.
 */
psb_status psb_cluster(psb_context *psb, const psb_methods *methods,
                       const psb_cluster_options *options, psb_table **table, psb_error *error);

/* ---- plots ------------------------------------------------------------------------------- */

/* Style of a picture for a paper; zeroed: a picture for the screen. */
typedef struct psb_picture_style {
    double width;     /* millimeters; 0: the picture's own width */
    double text;      /* points, of ordinary text; 0: 8 if a width is given, else 12 */
    const char *font; /* NULL: sans-serif */
    bool gray;        /* use only black, white and grays */
} psb_picture_style;

/* Kinds of plots: curves have all methods in one plot; images, maps and trees are one for each
 * method; classes are a table of classes by methods. */
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
    psb_grouping grouping; /* curves: micro or macro; PSB_PLOT_PR in .plot also class, model */
    const char *stem;      /* path of the files: STEM.svg, or STEM-LABEL.png */
    const char *formats;   /* "svg,pdf,png,plot", or some; NULL: all that suit */
    const char *title;     /* NULL: a suitable one; "": none, and no small print */
    const char *classes;   /* images: "A..B", names or numbers; NULL: all */
    const char *measure;   /* PSB_PLOT_CLASSES; NULL: "dcg" */
    bool count_query;      /* PSB_PLOT_PR: the query is its own first hit */
    size_t length;         /* gain curves; 0: the whole list */
    int cell;              /* pixels of an image's cell; 0: a suitable number */
    psb_picture_style style;
    /* Asked for each file before the first is written; false ends with PSB_ERROR_USAGE. May be
     * NULL. */
    bool (*may_write)(void *context, const char *path);
    void *context;
} psb_plot_options;

/* 'psbench plot', for methods whose `sources` are matrices. */
psb_status psb_plot(const psb_methods *methods, const psb_plot_options *options, psb_error *error);

/* ---- lists for other programs ------------------------------------------------------------ */

typedef enum psb_export_form {
    PSB_EXPORT_TREC,  /* FOLDER/qrels.txt, and FOLDER/LABEL.run for each method */
    PSB_EXPORT_SHREC, /* FOLDER/LABEL/QUERY: models and distances, the nearest first */
} psb_export_form;

/* 'psbench export', for methods whose `sources` are matrices. The folder may be new, empty, or that
 * of an earlier export. */
psb_status psb_export(const psb_methods *methods, psb_export_form form, const char *folder,
                      psb_error *error);

/* ---- sets of models ---------------------------------------------------------------------- */

/* A row for each set, for each top class with its descendants, or for each class. */
typedef enum psb_class_rows { PSB_ROWS_SETS, PSB_ROWS_TOPS, PSB_ROWS_CLASSES } psb_class_rows;

typedef struct psb_classes_options {
    const char *const *inputs; /* one or more, each like classes_of */
    size_t ninputs;
    psb_collection_options data; /* for each set: models, split, level and the columns of tables */
    const char *output;          /* .cla, .csv, .tsv or .txt file for all sets together; or NULL */
    psb_class_rows rows;
} psb_classes_options;

/* 'psbench cla': compares sets as the paper's Tables 1 to 3 do. The observer is told what is
 * doubtful. The table is not whole if data.models has no file of a model. */
psb_status psb_classes(psb_context *psb, const psb_classes_options *options, psb_table **table,
                       psb_error *error);

typedef struct psb_duplicates_options {
    const char *of;         /* the folder of a run, or a file of features */
    const char *descriptor; /* one of the run's; NULL: LFD, or its first */
    const char *metric;     /* NULL: the descriptor's */
    double quantile; /* rows are near up to the distance that this share of rows, 0 ... 1, have to
                        their nearest row; 0: do not compare rows */
    const char *models; /* folder or archive of the models; NULL: the run's */
    bool rows_only;     /* do not compare the models' files */
    size_t max_faces;   /* limit of a model; 0: ten million */
    size_t memory;      /* limit for the whole program in bytes; 0: 2 GiB */
    bool verify;        /* check a run's large files by all their bytes, not by a sample */
    const char *add; /* folder of models to describe and to compare with these and with each other;
                        the table then lists only what they are like; or NULL */
} psb_duplicates_options;

/*
 * 'psbench duplicates': the table has a row for each model that has the same, or nearly the same,
 * model in the set, group by group: what it is like, by which evidence, how far their rows are
 * apart. It is not whole if a model's file is missing or cannot be read.
 */
psb_status psb_duplicates(psb_context *psb, const psb_duplicates_options *options,
                          psb_table **table, psb_error *error);

typedef struct psb_generative_options {
    const char *sets[2];     /* generated shapes and references: folders of models, features, or
                                clouds: N x K x 3, or folders */
    const char *descriptors; /* for folders: "LFD,SHD"; NULL: LFD */
    const char *metric;      /* for files of features, which need it: "l2"; for clouds: "cd,emd" */
    /* Folder for the tables and for finished rows, from which a later call continues. It is made if
     * it does not exist, and refused if it holds other things. NULL: nothing is kept. */
    const char *folder;
    const char *command_line; /* the command that makes the folder again; may be NULL */
    size_t rounds;            /* rounds of the bootstrap; 0: no intervals */
    uint64_t seed;
    size_t max_faces;   /* limit of a model; 0: ten million */
    double max_seconds; /* limit of a model's CPU time; 0: none */
    size_t memory;      /* limit for the whole program in bytes; 0: 2 GiB */
    const char *report; /* folder for a page of the shapes behind the figures; NULL: none */
    bool distributions; /* also compute Frechet and kernel distance of the rows */
    bool floor;         /* also compare every other reference with the rest, as a second row */
} psb_generative_options;

/*
 * 'psbench generative': compares a set of generated shapes with a set of references by matching
 * distance, coverage and 1-NNA and, for points, by the divergence of their occupancies; a row for
 * each descriptor. The table is not whole if models were left out.
 */
psb_status psb_generative(psb_context *psb, const psb_generative_options *options,
                          psb_table **table, psb_error *error);

#include "psbench_runs.h"

#ifdef __cplusplus
}
#endif

#endif
