/* Maps whole input files, and writes output files that appear complete or not at all. This header
 * also provides core/memory.h. */
#pragma once

#include "core/memory.h"

#include <stdio.h>

/* Like psb_fail_errno; if a link below a held folder (core/beneath.h) is the reason, the message
 * says what the user can do. */
psb_status psb_fail_path(psb_error *error, const char *path, const char *action);

/* A file's bytes, mapped read-only. */
typedef struct psb_input {
    const char *data; /* not NUL-terminated */
    size_t size;
} psb_input;

/* The input of an empty file, or of no file: the pointer is valid, the size 0. */
#define PSB_NO_INPUT ((psb_input){"", 0})

/* Maps a regular file; refuses folders, devices and pipes. */
psb_status psb_input_open(const char *path, psb_input *input, psb_error *error);
/* Like psb_input_open, but a missing file gives PSB_NO_INPUT and no error. */
psb_status psb_input_open_if_there(const char *path, psb_input *input, psb_error *error);
void psb_input_close(psb_input *input);
/* Drops the whole pages among these bytes of a mapped file from memory; the system reads them again
 * when they are next used. */
void psb_input_release(const void *data, size_t size);

/* Reads the file into `buffer`; refuses files larger than `most`. Unlike a map, the copy stays
 * valid if the file shrinks or the disk fails meanwhile. */
psb_status psb_input_read(const char *path, size_t most, psb_buffer *buffer, size_t *size,
                          psb_error *error);
/* Like psb_input_read, for an open file, which is closed in any case. */
psb_status psb_input_read_open(int fd, const char *path, size_t most, psb_buffer *buffer,
                               size_t *size, psb_error *error);
/* True if the open file is a regular file. */
bool psb_is_regular(int fd);

/*
 * An output file, which appears complete or not at all. Until it is complete it has no name or, on
 * file systems without nameless files, a temporary name in the same folder. psb_output_commit
 * flushes it, forces it to the disk, gives it the name `path` and forces the folder to the disk.
 * psb_output_discard removes the file unless it was committed; it may be called at any time, also
 * after a commit. Write to `stream` freely: commit checks its error flag. The first output in a
 * folder removes the temporary files of killed processes.
 *
 * A pipe, a device, or a link to where standard output or error go is written directly; a folder,
 * or a link that leads nowhere, is refused at once. Below a held folder (core/beneath.h) the rules
 * differ: a link at `path` is replaced, a link on the way is refused, and so are pipes and devices.
 * The functions below that make, list and remove files follow the same rules.
 */
typedef struct psb_output {
    FILE *stream;
    char *path;
    int folder;       /* the open folder of `path` */
    const char *name; /* the last part of `path` */
    char *temporary;  /* the temporary path; NULL if the file is nameless or written in place */
    bool nameless;    /* the file has no name yet */
    bool one_of_many; /* psb_force_to_disk, not commit, forces the file to the disk */
} psb_output;

/* True if psb_output_open would write to `path` directly. */
bool psb_is_written_in_place(const char *path);
psb_status psb_output_open(const char *path, psb_output *output, psb_error *error);
psb_status psb_output_commit(psb_output *output, psb_error *error);
void psb_output_discard(psb_output *output);
/* Removes the temporary files of all open outputs. Only a signal handler that ends the process may
 * call it: nothing may be written or committed afterwards. */
void psb_outputs_abandon(void);

/* Writes `size` bytes to `path` as a psb_output. */
psb_status psb_write_file(const char *path, const void *data, size_t size, psb_error *error);

/*
 * Starts (or, with false, ends) a group: outputs that this thread opens meanwhile are forced to the
 * disk together, by psb_force_to_disk. Write the file that marks the group as whole only after
 * that. Returns the previous state, for the call that restores it.
 */
bool psb_outputs_gather(bool gather);
psb_status psb_force_to_disk(const char *folder, psb_error *error);
/* Like psb_write_file, for a file of such a group. */
psb_status psb_write_one_of_many(const char *path, const void *data, size_t size, psb_error *error);

/* Writes all bytes to an open file, from byte `at` of it on or where it is; `path` and `verb`
 * ("write") are for the error. */
#define PSB_WHERE_IT_IS SIZE_MAX
psb_status psb_write_bytes(int fd, const char *path, const char *verb, const void *data,
                           size_t size, size_t at, psb_error *error);

/* Makes an open file longer, by zeros; `verb` as above. */
psb_status psb_lengthen(int fd, const char *path, const char *verb, size_t size, psb_error *error);

/*
 * Gives the file `from` the second name `path`, which another file may have had. Like a file that
 * is gathered, it is forced to the disk by psb_force_to_disk. *linked: whether it has the name now;
 * no error where the file system has no second names, or `path` is written in place.
 */
psb_status psb_link_file(const char *from, const char *path, bool *linked, psb_error *error);

/* True if the file exists and has exactly these bytes. */
bool psb_holds(const char *path, const void *data, size_t size);

/*
 * Removes the temporary files that killed processes left in the folder, which may be absent. On
 * file systems with locks the files of running processes stay.
 */
psb_status psb_remove_temporaries(const char *folder, psb_error *error);

/* Removes a file or, with AT_REMOVEDIR, an empty folder; no error if it does not exist. */
psb_status psb_remove(const char *path, int kind, psb_error *error);
/* Removes folder/name. `name` may come from outside: links below the folder are not followed. */
psb_status psb_remove_beneath(const char *folder, const char *name, psb_error *error);

/* Makes a folder and its parents; no error if it exists. */
psb_status psb_make_folder(const char *path, psb_error *error);

bool psb_is_file(const char *path);
/* Set *there if the path is a file, or a folder. PSB_ERROR_IO or PSB_ERROR_MEMORY if the system
 * cannot tell. */
psb_status psb_file_is_there(const char *path, bool *there, psb_error *error);
psb_status psb_folder_is_there(const char *path, bool *there, psb_error *error);
/* Returns the part of the path after its last slash. */
const char *psb_last_part(const char *path);
/* True if both paths lead to the same existing file. */
bool psb_is_same_file(const char *a, const char *b);
bool psb_is_folder(const char *path);
/* Cuts a path that continues into a file, such as an archive ("set.tar/chairs"), after that file;
 * false if no part of the path is a file. */
bool psb_cut_to_file(char *path);
/* Sets *empty if the folder is missing or has no entries. PSB_ERROR_IO or PSB_ERROR_MEMORY if the
 * system cannot tell. */
psb_status psb_folder_is_empty(const char *folder, bool *empty, psb_error *error);

/* Returns a template for mkstemp and mkdtemp in TMPDIR or, without one, in /tmp; allocates as
 * psb_new does. */
char *psb_temporary_path(psb_status *status, psb_error *error);
/* Makes a new folder by that template; free(*folder). psb_temporary_remove removes it with its
 * contents. */
psb_status psb_temporary_folder(char **folder, psb_error *error);
void psb_temporary_remove(const char *folder);

/* Sets *out to "folder/name" in new memory; free() it. */
psb_status psb_path_join(char **out, const char *folder, const char *name, psb_error *error);
