"""libpsbench for ctypes: which file, what of its header is used here, what its errors become.

Functions and structs stand here as in psbench.h, and types are made from that text, so that a C
compiler can compare it with the header: tests/python/header.py does.
"""

from __future__ import annotations

import ctypes
import operator
import os
import re
import signal
import threading
import warnings
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_size_t
from ctypes import c_uint, c_uint64, c_ulong, c_void_p
from typing import Any, Callable, Iterable, Optional

from ._version import VERSION


STRUCTS = {
    "psb_error": "psb_status status; unsigned long line; char message[512];",
    "psb_observer": """
        int (*progress)(void *context, const char *stage, size_t done, size_t total,
                        size_t failures);
        void (*failed)(void *context, const psb_error *error);
        void (*say)(void *context, psb_level level, const char *text);
        void *context;""",
    "psb_context_options": "int threads; psb_observer observer;",
    "psb_mesh": """
        size_t nvertices; double *vertices; size_t ntriangles; uint32_t *triangles;
        size_t npolygons;""",
    "psb_parameter": "const char *name; double preset; double low; double high;",
    "psb_own_descriptor": """
        const char *name; const char *title; const psb_parameter *parameters; size_t nparameters;
        psb_element element; const char *metric; unsigned revision;
        size_t (*length)(void *context, const double *parameters);
        psb_status (*compute)(void *context, psb_shape *shape, const double *parameters, void *row,
                              psb_error *error);
        void *context;""",
    "psb_collection_options": """
        const char *classes_of;
        const char *cla; const char *labels; const char *const *files; size_t nfiles;
        const char *const *names; const char *const *classes; size_t nnames;
        const char *models; const char *split; size_t level;
        const char *id_column; const char *class_column; bool unlabelled; bool clouds;
        bool skip_missing;
        const char *targets;""",
    "psb_methods_options": """
        const psb_collection *models; const char *queries; const char *const *files; size_t nfiles;
        const char *metric; const char *reference; const char *query_list; const char *targets;
        const char *split; const char *id_column; const char *class_column; size_t level;
        const char *qrels; const char *lists; const char *exact; const char *folder; size_t part;
        size_t parts; bool complete; size_t memory; bool with_query; bool verify;
        psb_sources sources;""",
    "psb_group": "psb_grouping kind; size_t which;",
    "psb_mean": "double value; double error; size_t queries; size_t classes;",
    "psb_evaluate_options": """
        const char *measures; psb_units units; bool unknown; bool marked;
        psb_absence absent;""",
    "psb_comparison": """
        size_t a; size_t b; size_t units; double difference; double low; double high; double p;
        double p_holm;""",
    "psb_pages_options": """
        const char *run; const psb_methods *methods; const char *folder; const char *models;
        const char *title; const char *command_line; const psb_run_result *result;
        const char *const *with; size_t nwith; const char *since; const char *single;
        const char *zip; psb_thumbnails thumbnails; bool verify; bool paths;""",
    "psb_pages_result": "size_t without_picture; size_t left_out; bool no_models;",
    "psb_compare_options": "bool per_class; size_t rounds; uint64_t seed; size_t classes;",
    "psb_axes": "double values[3]; double axis[3][3];",
    "psb_annotations": """
        size_t polygons; size_t connected_components; double average_dihedral_angle;
        double lowest[3]; double highest[3]; double average_depth; double centre[3]; double scale;
        psb_axes axes; size_t vertices; size_t triangles; bool watertight; double area;
        double volume;""",
    "psb_convert_options": "psb_encoding encoding; bool single;",
    "psb_view": "size_t width; size_t height; double azimuth; double elevation; bool aligned;",
    "psb_picture_style": "double width; double text; const char *font; bool gray;",
    "psb_plot_options": """
        psb_plot_kind kind; psb_grouping grouping; const char *stem; const char *formats;
        const char *title; const char *classes; const char *measure; bool count_query;
        size_t length; int cell; psb_picture_style style;
        bool (*may_write)(void *context, const char *path); void *context;""",
    "psb_run_options": """
        psb_collection_options data; const char *descriptors; const char *reference;
        const char *folder; const char *title; const char *command_line;
        const uint64_t *turn; size_t max_faces; size_t max_bytes; double max_seconds; size_t part;
        size_t parts; bool complete; psb_matrices_kept matrices; size_t memory; bool published;
        bool no_times; bool pages; bool replace; bool verify;""",
    "psb_run_result": """
        bool begun; bool other_list; size_t models_listed; size_t models_used;
        size_t models_missing; size_t models_failed; size_t queries; const psb_table *table;
        struct psb_run_kept *kept;""",
    "psb_paper_options": """
        int number; const char *run; const char *benchmark; const char *miscellaneous;
        const char *command_line;""",
    "psb_cluster_options": "size_t clusters; bool members;",
    "psb_classify_options": """
        size_t k; psb_grouping grouping; psb_units units; bool errors; bool confusion;""",
    "psb_duplicates_options": """
        const char *of; const char *descriptor; const char *metric; double quantile;
        const char *models; bool rows_only; size_t max_faces; size_t memory; bool verify;
        const char *add;""",
    "psb_search_stage": """
        const psb_rows *queries; const psb_rows *database; const char *metric; size_t candidates;""",
    "psb_search_options": """
        size_t neighbors; const char *metric; bool self; size_t memory; size_t part; size_t parts;
        const psb_search_stage *stages; size_t nstages; const char *reference;""",
    "psb_attributes_options": "const char *where; const char *largest; const char *list;",
    "psb_query_options": """
        const char *run; const char *model; const char *descriptor; size_t neighbors;
        const char *page;""",
    "psb_align_options": """
        const char *from; const char *to; const char *output; const char *picture; bool mirror;
        const uint64_t *turn;""",
    "psb_alignment": """
        double matrix[4][4]; double scale; bool mirrored; psb_frame_kind frame; double distance;
        int steps; double before; double residual;""",
    "psb_classes_options": """
        const char *const *inputs; size_t ninputs; psb_collection_options data; const char *output;
        psb_class_rows rows;""",
    "psb_combine_options": """
        const char *run; const char *const *recipes; size_t nrecipes; const char *sum;
        psb_sum_scale scale; const char *tune; const char *name; const char *reference;
        bool features; const char *command_line;""",
    "psb_rerank_options": """
        const char *run; const char *const *methods; size_t nmethods; const char *classes;
        const char *lists; const char *output; double mean; psb_rerank_method method; size_t k1;
        size_t k2; double lambda; const char *command_line;""",
    "psb_signature_options": """
        psb_signature_blocks blocks; size_t size; bool labels; const char *run; const char *train;
        const char *output; const char *by; bool row; bool as_reference;
        const char *command_line;""",
    "psb_generative_options": """
        const char *sets[2]; const char *descriptors; const char *metric; const char *folder;
        const char *command_line; size_t rounds; uint64_t seed; size_t max_faces;
        double max_seconds; size_t memory; const char *report; bool distributions; bool floor;""",
    "psb_compare_shapes_options": """
        const char *a; const char *b; size_t points; const char *pose; bool align;
        double threshold;""",
}

FUNCTIONS = """
const char *psb_version(void);
psb_status psb_context_new(const psb_context_options *options, psb_context **psb, psb_error *error);
void psb_context_free(psb_context *psb);
psb_status psb_mesh_read(const char *path, psb_mesh *mesh, psb_error *error);
void psb_mesh_free(psb_mesh *mesh);
psb_status psb_mesh_write(const char *path, const psb_mesh *mesh, psb_encoding encoding,
                          bool single, psb_error *error);
psb_status psb_add_descriptor(psb_context *psb, const psb_own_descriptor *own, psb_error *error);
const psb_mesh *psb_shape_mesh(const psb_shape *shape);
size_t psb_descriptor_count(void);
const psb_descriptor *psb_descriptor_at(size_t index);
const char *psb_descriptor_name(const psb_descriptor *descriptor);
const char *psb_descriptor_title(const psb_descriptor *descriptor);
const char *psb_descriptor_bibtex(const psb_descriptor *descriptor);
psb_status psb_spec_open(const psb_context *psb, const char *text, psb_spec **spec,
                         psb_error *error);
void psb_spec_free(psb_spec *spec);
const char *psb_spec_label(const psb_spec *spec);
size_t psb_spec_length(const psb_spec *spec);
psb_element psb_spec_element(const psb_spec *spec);
const char *psb_spec_metric_name(const psb_spec *spec);
psb_status psb_shape_open(psb_context *psb, psb_shape **shape, psb_error *error);
void psb_shape_free(psb_shape *shape);
psb_status psb_shape_load(psb_shape *shape, const psb_mesh *mesh, const char *id, psb_error *error);
psb_status psb_describe(psb_shape *shape, const psb_spec *spec, void *row, size_t bytes,
                        psb_error *error);
psb_status psb_collection_open(psb_context *psb, const psb_collection_options *options,
                               psb_collection **models, psb_error *error);
void psb_collection_free(psb_collection *models);
size_t psb_collection_count(const psb_collection *models);
size_t psb_collection_row(const psb_collection *models, size_t model);
const char *psb_collection_id(const psb_collection *models, size_t model);
const char *psb_collection_file(const psb_collection *models, size_t model);
size_t psb_collection_classes(const psb_collection *models);
const char *psb_collection_class_name(const psb_collection *models, size_t class_number);
size_t psb_collection_class_of(const psb_collection *models, size_t model);
psb_status psb_describe_all(psb_context *psb, const psb_collection *models, const psb_spec *spec,
                            psb_rows **rows, psb_error *error);
psb_status psb_rows_wrap(const void *data, size_t count, size_t length, psb_element element,
                         const char *const *names, psb_rows **rows, psb_error *error);
psb_status psb_rows_read(psb_context *psb, const char *path, const psb_collection *models,
                         psb_rows **rows, psb_error *error);
psb_status psb_rows_write(const psb_rows *rows, const char *path, psb_error *error);
void psb_rows_free(psb_rows *rows);
size_t psb_rows_count(const psb_rows *rows);
size_t psb_rows_length(const psb_rows *rows);
psb_element psb_rows_element(const psb_rows *rows);
const void *psb_rows_at(const psb_rows *rows, size_t row);
const char *psb_rows_name(const psb_rows *rows, size_t row);
psb_status psb_distances_between(psb_context *psb, const psb_rows *queries, const psb_rows *targets,
                                 const char *metric, psb_matrix **matrix, psb_error *error);
psb_status psb_matrix_new(const float *data, size_t n, const char *const *names,
                          psb_matrix **matrix, psb_error *error);
psb_status psb_distances_read(psb_context *psb, const char *path, const psb_collection *models,
                              psb_matrix **matrix, psb_error *error);
void psb_matrix_free(psb_matrix *matrix);
size_t psb_matrix_count(const psb_matrix *matrix);
size_t psb_matrix_columns(const psb_matrix *matrix);
const char *psb_matrix_name(const psb_matrix *matrix, size_t row);
const float *psb_matrix_at(const psb_matrix *matrix, size_t row);
psb_status psb_methods_open(psb_context *psb, const psb_methods_options *options,
                            psb_methods **methods, psb_error *error);
psb_status psb_methods_add_matrix(psb_methods *methods, const psb_matrix *matrix, const char *label,
                                  psb_error *error);
psb_status psb_methods_add_rows(psb_methods *methods, const psb_rows *rows, const char *metric,
                                const char *label, psb_error *error);
void psb_methods_free(psb_methods *methods);
psb_status psb_check_lists(const psb_methods *methods,
                           void (*line)(void *context, const char *text), void *context,
                           size_t *faults, psb_error *error);
psb_status psb_evaluate(psb_context *psb, const psb_methods *methods,
                        const psb_evaluate_options *options, psb_evaluation **evaluation,
                        psb_error *error);
void psb_evaluation_free(psb_evaluation *evaluation);
size_t psb_evaluation_measures(const psb_evaluation *e);
const char *psb_evaluation_measure(const psb_evaluation *e, size_t measure);
size_t psb_evaluation_find_measure(const psb_evaluation *e, const char *name);
double psb_evaluation_value(const psb_evaluation *e, size_t method, size_t measure, size_t query);
psb_mean psb_evaluation_mean(const psb_evaluation *e, size_t method, size_t measure,
                             psb_group group);
psb_group psb_groups(psb_grouping kind);
bool psb_group_next(const psb_evaluation *e, psb_group *group);
psb_status psb_evaluation_table(const psb_evaluation *e, psb_grouping grouping, bool errors,
                                const char *format, char **text, psb_error *error);
psb_status psb_loss_table(const psb_evaluation *e, psb_grouping grouping, bool errors,
                          const char *format, char **text, psb_error *error);
psb_status psb_pages_write(psb_context *psb, const psb_pages_options *options,
                           psb_pages_result *result, psb_error *error);
psb_status psb_compare(psb_context *psb, const psb_evaluation *e,
                       const psb_compare_options *options, psb_comparison *pairs, psb_error *error);
void psb_table_free(psb_table *table);
bool psb_table_whole(const psb_table *table);
size_t psb_table_rows(const psb_table *table);
size_t psb_table_columns(const psb_table *table);
const char *psb_table_column(const psb_table *table, size_t column);
double psb_table_number(const psb_table *table, size_t row, size_t column);
const char *psb_table_text(const psb_table *table, size_t row, size_t column);
psb_status psb_table_show(const psb_table *table, const char *format, char **text,
                          psb_error *error);
psb_status psb_info(const char *path, psb_annotations *annotations, psb_error *error);
psb_status psb_convert(const char *from, const char *to, const psb_convert_options *options,
                       psb_error *error);
psb_status psb_render_file(const char *model, const psb_view *view, const char *png,
                           psb_error *error);
psb_status psb_align_models(const psb_align_options *options, psb_alignment *found,
                            psb_error *error);
psb_status psb_classes(psb_context *psb, const psb_classes_options *options, psb_table **table,
                       psb_error *error);
psb_status psb_combine(psb_context *psb, const psb_combine_options *options, psb_table **table,
                       psb_error *error);
psb_status psb_rerank(psb_context *psb, const psb_rerank_options *options, psb_table **table,
                      psb_error *error);
psb_status psb_make_signatures(psb_context *psb, const psb_signature_options *options,
                               psb_table **table, psb_error *error);
psb_status psb_run(psb_context *psb, const psb_run_options *options, psb_run_result *result,
                   psb_error *error);
void psb_run_free(psb_run_result *result);
psb_status psb_make_sweep(psb_context *psb, const psb_run_options *options, const char *test,
                          psb_run_result *result, psb_table **table, psb_error *error);
psb_status psb_make_beyond(psb_context *psb, const psb_run_options *options, const char *benchmark,
                           psb_run_result *result, psb_table **table, psb_error *error);
psb_status psb_make_paper_table(psb_context *psb, const psb_methods *methods,
                                const psb_paper_options *options, psb_table **table,
                                psb_error *error);
psb_status psb_compare_shapes(psb_context *psb, const psb_compare_shapes_options *options,
                              psb_table **table, psb_error *error);
psb_status psb_run_state(psb_context *psb, const char *run, bool all, psb_table **table,
                         psb_error *error);
psb_status psb_verify(psb_context *psb, const char *run, psb_table **table, psb_error *error);
psb_status psb_plot(const psb_methods *methods, const psb_plot_options *options, psb_error *error);
psb_status psb_export(const psb_methods *methods, psb_export_form form, const char *folder,
                      psb_error *error);
psb_status psb_cluster(psb_context *psb, const psb_methods *methods,
                       const psb_cluster_options *options, psb_table **table, psb_error *error);
psb_status psb_classify(psb_context *psb, const psb_methods *methods,
                        const psb_classify_options *options, psb_table **table, psb_error *error);
psb_status psb_duplicates(psb_context *psb, const psb_duplicates_options *options,
                          psb_table **table, psb_error *error);
psb_status psb_search(psb_context *psb, const psb_rows *queries, const psb_rows *database,
                      const psb_search_options *options, const char *path, psb_error *error);
psb_status psb_query(psb_context *psb, const psb_query_options *options, char **text,
                     psb_error *error);
psb_status psb_attributes_table(psb_context *psb, const psb_collection *models,
                                const psb_attributes_options *options, psb_table **table,
                                psb_error *error);
psb_status psb_versions(psb_table **table, psb_error *error);
psb_status psb_measures_text(char **text, psb_error *error);
psb_status psb_generative(psb_context *psb, const psb_generative_options *options,
                          psb_table **table, psb_error *error);
"""

ENUMS = {
    "PSB_OK": 0, "PSB_ERROR_USAGE": 1, "PSB_ERROR_INPUT": 2, "PSB_ERROR_IO": 3,
    "PSB_ERROR_MEMORY": 4, "PSB_ERROR_INTERNAL": 5, "PSB_ERROR_INTERRUPTED": 6,
    "PSB_WARNING": 2, "PSB_FLOAT32": 0, "PSB_UINT8": 1,
    "PSB_PER_MODEL": 0, "PSB_PER_CLASS": 1, "PSB_SUBTREE": 2, "PSB_MICRO": 3, "PSB_MACRO": 4,
    "PSB_UNITS_CLASS": 0, "PSB_UNITS_QUERY": 1, "PSB_MOST_THREADS": 1024,
    "PSB_PRESET": 0, "PSB_BINARY_LITTLE": 1, "PSB_BINARY_BIG": 2, "PSB_TEXT": 3,
    "PSB_PLOT_PR": 0, "PSB_PLOT_MAP": 8, "PSB_PLOT_TREE": 9, "PSB_ALL_SOURCES": 0, "PSB_MATRICES": 2, "PSB_EXPORT_TREC": 0, "PSB_EXPORT_SHREC": 1,
    "PSB_ROWS_SETS": 0, "PSB_ROWS_TOPS": 1, "PSB_ROWS_CLASSES": 2, "PSB_SUM_PLAIN": 0, "PSB_SUM_MEANS": 1,
    "PSB_KR": 0, "PSB_MR": 1, "PSB_KR_MR": 2, "PSB_BLOCKS_FEW": 0, "PSB_BLOCKS_ALL": 1, "PSB_BLOCKS_VIEWS": 2,
}  # fmt: skip

# ---- types from the text ----------------------------------------------------------------

_plain: dict[str, Any] = {
    "void": None, "char": c_char, "bool": c_bool, "int": c_int, "size_t": c_size_t,
    "uint64_t": c_uint64, "unsigned": c_uint, "double": c_double, "float": c_float, "unsigned long": c_ulong,
    "psb_status": c_int, "psb_element": c_int, "psb_level": c_int, "psb_grouping": c_int,
    "psb_units": c_int, "psb_absence": c_int, "psb_thumbnails": c_int, "psb_sources": c_int, "psb_encoding": c_int,
    "psb_matrices_kept": c_int, "psb_export_form": c_int, "psb_plot_kind": c_int,
    "psb_frame_kind": c_int, "psb_class_rows": c_int, "psb_sum_scale": c_int,
    "psb_rerank_method": c_int, "psb_signature_blocks": c_int,
}  # fmt: skip
structs: dict[str, Any] = {}
_members: dict[str, Any] = {}  # structs of options within another: without room for others


def _type(text: str) -> Any:
    """The type of "const char *const *": pointers to what is not known here are void *."""
    words = re.sub(r"\bconst\b|\s+(?=\*)", " ", text)
    base = " ".join(words.replace("*", " ").split())
    stars = text.count("*")
    if stars == 0:
        return structs[base] if base in structs else _plain[base]
    if base == "char":
        return c_char_p if stars == 1 else POINTER(c_char_p)
    if stars == 1:
        return POINTER(structs[base]) if base in structs else c_void_p
    return POINTER(c_void_p)


def _split(declaration: str) -> tuple[str, str]:
    """Type and name of "const char *name"."""
    match = re.fullmatch(r"\s*(.*?)(\w+)\s*", declaration, re.S)
    assert match is not None, declaration
    return match.group(1), match.group(2)


def _member(text: str) -> tuple[str, Any]:
    function = re.fullmatch(r"\s*(\w+)\s*\(\*(\w+)\)\((.*)\)\s*", text, re.S)
    if function:
        kinds = [_type(_split(argument)[0]) for argument in function.group(3).split(",")]
        return function.group(2), ctypes.CFUNCTYPE(_type(function.group(1)), *kinds)
    array = re.fullmatch(r"(.*?)((?:\[\d+\])*)\s*", text, re.S)
    assert array is not None, text
    base, name = _split(array.group(1))
    kind = _members.get(base.strip()) or _type(base)
    for length in reversed(re.findall(r"\d+", array.group(2))):
        kind = kind * int(length)
    return name, kind


def _make_structs() -> None:
    """Options may grow: behind those that stand here is room for others, which stay zero, the default of
    each."""
    for name, text in STRUCTS.items():
        fields = [_member(member) for member in text.split(";") if member.strip()]
        if name.endswith("_options"):
            _members[name] = type(name, (ctypes.Structure,), {"_fields_": fields[:]})
            fields.append(("_others", c_char * 256))
        structs[name] = type(name, (ctypes.Structure,), {"_fields_": fields})


def prototypes() -> Iterable[tuple[str, Any, list[Any]]]:
    """Name, result and arguments of each function."""
    for declaration in FUNCTIONS.split(";\n"):
        if declaration.strip():
            match = re.fullmatch(r"\s*(.*?)(psb_\w+)\((.*)\)", declaration, re.S)
            assert match is not None, declaration
            result, name, arguments = match.groups()
            kinds = [] if arguments == "void" else re.split(r",(?![^(]*\))", arguments)
            yield name, _type(result), [_member(kind)[1] for kind in kinds]


# ---- the file ---------------------------------------------------------------------------

SONAME = "libpsbench.so.0"


def _open() -> ctypes.CDLL:
    """PSBENCH_LIBRARY, else what lies in this package, as in a wheel, else what is installed."""
    beside = os.path.join(os.path.dirname(__file__), SONAME)
    path = os.environ.get("PSBENCH_LIBRARY") or (beside if os.path.exists(beside) else SONAME)
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"psbench needs its library: {error}. Install libpsbench, or name the file "
            f"{SONAME} in PSBENCH_LIBRARY"
        ) from None
    for name, result, arguments in prototypes():
        function = getattr(library, name, None)
        if function is None:
            raise ImportError(f"{path} has no {name}: it is not the library of psbench {VERSION}")
        function.restype, function.argtypes = result, arguments
    found = library.psb_version().decode()
    if found != VERSION:
        raise ImportError(f"{path} is of version {found}, this module of {VERSION}")
    return library


_make_structs()
lib = _open()
_free = ctypes.CDLL(None).free
_free.restype, _free.argtypes = None, [c_void_p]

# ---- errors -----------------------------------------------------------------------------


class Error(Exception):
    """What the library refuses or fails at; the text names file, line, value and limit."""

    line = 0  #: of the input file; 0 where there is none


class UsageError(Error, ValueError):
    """An argument, name or parameter that cannot be."""


class InputError(Error, ValueError):
    """The contents of a file, a mesh or an array."""


class FileError(Error, OSError):
    """Opening, reading, writing."""


class OutOfMemory(Error, MemoryError):
    """Memory, or file descriptors, ran out."""


class InternalError(Error, RuntimeError):
    """A library underneath failed, or a bug."""


class Stopped(Error):
    """The caller's progress function asked to stop."""


_errors = [Error, UsageError, InputError, FileError, OutOfMemory, InternalError, Stopped]


def call(function: Any, *arguments: Any) -> None:
    """Calls what returns a psb_status and fills a psb_error; raises what that says."""
    error = structs["psb_error"]()
    status = function(*arguments, ctypes.byref(error))
    if status != ENUMS["PSB_OK"]:
        raised = _errors[status](decode(error.message))
        raised.line = error.line
        raise raised


def call_beside(function: Any, *arguments: Any) -> None:
    """The same, of what cannot be asked to stop: the main thread can be interrupted meanwhile. What
    was begun then ends by itself, at the latest before Python does, and its result is lost."""
    if threading.current_thread() is not threading.main_thread():
        return call(function, *arguments)
    failed: list[BaseException] = []

    def work() -> None:
        try:
            call(function, *arguments)
        except BaseException as error:  # raised again in the caller's thread
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


# ---- texts ------------------------------------------------------------------------------


def decode(text: Optional[bytes]) -> str:
    return (text or b"").decode("utf-8", "surrogateescape")


def encode(text: Any, what: str) -> bytes:
    """Text or a path as bytes for C."""
    if not isinstance(text, (str, os.PathLike)):
        raise TypeError(f"{what} has to be text, not {type(text).__name__}")
    name = os.fspath(text)
    try:
        encoded = name if isinstance(name, bytes) else name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise UsageError(f"{what} that is no Unicode: {error}") from None
    if b"\0" in encoded:
        raise UsageError(f"{what} with a NUL character in it")
    return encoded


def encode_all(texts: Iterable[Any], what: str) -> Any:
    """An array of texts for C."""
    if isinstance(texts, (str, bytes, os.PathLike)):
        raise TypeError(f"want a list of texts, each {what}, not one text")
    encoded = [encode(text, what) for text in texts]
    return (c_char_p * len(encoded))(*encoded)


def taken_text(function: Any, *arguments: Any) -> str:
    """A text that the library makes and the caller frees."""
    text = c_char_p()
    call(function, *arguments, ctypes.byref(text))
    try:
        return decode(text.value)
    finally:
        _free(ctypes.cast(text, c_void_p))


# ---- objects ----------------------------------------------------------------------------


class Handle:
    """An object of the library, freed with the last reference; keeps what it refers to."""

    __slots__ = ("_as_parameter_", "_free", "_keep")

    def __init__(
        self, free: Any, make: Any, *arguments: Any, keep: Any = None, beside: bool = False
    ) -> None:
        self._as_parameter_ = None
        pointer = c_void_p()
        (call_beside if beside else call)(make, *arguments, ctypes.byref(pointer))
        self._as_parameter_, self._free, self._keep = pointer, free, keep

    def __bool__(self) -> bool:
        return bool(self._as_parameter_)

    def __del__(self) -> None:
        if self._as_parameter_ is not None:
            self._free(self._as_parameter_)


Progress = Callable[[str, int, int, int], Any]


class Watch:
    """What callbacks note of the work that goes on. They run in threads of the library, where no
    exception may leave them.

    While it is entered in the main thread, the signal of Ctrl-C is noted, which asks the work to
    stop; behind the work it is handled as it would have been before.
    """

    exception: Optional[BaseException] = None
    _signal: Any = None
    _before: Any = None
    _pipe: Any = None  # gets the number of each signal at once, whatever the main thread waits for

    def note(self, exception: BaseException) -> None:
        """The first of several is raised behind the work."""
        if self.exception is None:
            self.exception = exception

    def note_signal(self, number: int, frame: Any) -> None:
        self._signal = (number, frame)

    def asks_to_stop(self) -> bool:
        if self._pipe is not None and self._signal is None:
            try:
                self._seen += os.read(self._pipe[0], 64)
            except BlockingIOError:
                pass
            if signal.SIGINT in self._seen:
                self.note_signal(signal.SIGINT, None)
        return self.exception is not None or self._signal is not None

    def __enter__(self) -> Any:
        # Only the main thread gets signals; what is no function of Python's, as SIG_IGN, stays.
        before = signal.getsignal(signal.SIGINT)
        if callable(before) and threading.current_thread() is threading.main_thread():
            self._seen, self._signal, self._pipe = b"", None, os.pipe()
            for end in self._pipe:
                os.set_blocking(end, False)
            signal.signal(signal.SIGINT, self.note_signal)
            self._before = before
            self._wakeup = signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self._before is None:
            return
        before, self._before = self._before, None
        self.asks_to_stop()
        signal.set_wakeup_fd(self._wakeup)
        signal.signal(signal.SIGINT, before)
        pipe, self._pipe = self._pipe, None
        for end in pipe:
            os.close(end)
        if self._wakeup >= 0 and self._seen:  # of an event loop, which waits for its signals there
            os.write(self._wakeup, self._seen)
        if self._signal is not None:
            before(*self._signal)


class _Told(Watch):
    def __init__(self, progress: Optional[Progress]) -> None:
        self.failures: list[str] = []
        self.warnings: list[str] = []
        self._progress = progress
        self._last: Any = None

    def step(self, _: Any, stage: bytes, done: int, total: int, failures: int) -> int:
        try:
            now = (stage, done, failures)
            # Long work asks whether to go on, with the numbers of the last step, or with 0 before the first.
            again, self._last = now == self._last or done == 0, now
            if self._progress is not None and not again and not self.asks_to_stop():
                return bool(self._progress(decode(stage), done, total, failures))
        except BaseException as exception:  # raised again behind the work
            self.note(exception)
        return self.asks_to_stop()

    def failed(self, _: Any, error: Any) -> None:
        self.failures.append(decode(error.contents.message))

    def say(self, _: Any, level: int, text: bytes) -> None:
        if level == ENUMS["PSB_WARNING"]:
            self.warnings.append(decode(text))


def check_threads(threads: Any) -> int:
    count = operator.index(threads)
    if not 0 <= count <= ENUMS["PSB_MOST_THREADS"]:
        raise UsageError(f"{count} threads: want 0 ... {ENUMS['PSB_MOST_THREADS']}")
    return count


#: called with each new context and what callbacks note; returns what is to be kept as long
units: list[Callable[[Handle, Any], Any]] = []


class Session:
    """A context for one piece of work, which Ctrl-C asks to stop while it is entered."""

    def __init__(self, threads: int = 0, progress: Optional[Progress] = None) -> None:
        if progress is not None and not callable(progress):
            raise TypeError("progress has to be a function")
        count = check_threads(threads)
        kinds = dict(structs["psb_observer"]._fields_)
        self._told = told = _Told(progress)
        callbacks = (
            kinds["progress"](told.step), kinds["failed"](told.failed), kinds["say"](told.say)
        )  # fmt: skip
        observer = structs["psb_observer"](*callbacks, None)
        options = structs["psb_context_options"](count, observer)
        self.psb = Handle(
            lib.psb_context_free, lib.psb_context_new, ctypes.byref(options), keep=[callbacks]
        )
        for add in units:
            self.psb._keep.append(add(self.psb, told))

    @property
    def failures(self) -> list[str]:
        """What was left out, each with its reason; empty from here on."""
        failures, self._told.failures = self._told.failures, []
        return failures

    def __enter__(self) -> Session:
        self._told.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        told = self._told
        told.__exit__(kind, error, trace)
        self.tell()

    def tell(self) -> None:
        """Raises what a callback raised, and what the library warned of as warnings."""
        told = self._told
        if told.exception is not None:
            raise told.exception
        for text in told.warnings:
            warnings.warn(text, stacklevel=4)
        told.warnings = []
