/* Whole files in, whole files out: mapped input, and output that appears complete or not at all. */
#ifndef PSB_CORE_FILE_H
#define PSB_CORE_FILE_H

#include "core/memory.h"

#include <stdbool.h>
#include <stdio.h>

/* As psb_fail_errno; of a link below a held folder (core/beneath.h) it says what one can do. */
psb_status psb_fail_path(psb_error *error, const char *path, const char *action);

/* A file's bytes, mapped read-only. */
typedef struct psb_input {
    const char *data; /* not NUL-terminated */
    size_t size;
} psb_input;

/* What an empty file is, and one that is not open: a place to count from, and nothing there. */
#define PSB_NO_INPUT ((psb_input){"", 0})

/* Refuses folders, devices and pipes. */
psb_status psb_input_open(const char *path, psb_input *input, psb_error *error);
/* The same; where there is no such file, PSB_NO_INPUT and no error. */
psb_status psb_input_open_if_there(const char *path, psb_input *input, psb_error *error);
void psb_input_close(psb_input *input);
/*
 * Lets the whole pages among these bytes of an input go from memory; they come back from the file
 * when they are read again. For nothing but mapped files.
 */
void psb_input_release(const void *data, size_t size);

/*
 * The file's bytes read into `buffer`, at most `most`: larger files are refused. Unlike a map,
 * memory survives a file that is cut short, or a disk that fails, while it is looked at.
 */
psb_status psb_input_read(const char *path, size_t most, psb_buffer *buffer, size_t *size,
                          psb_error *error);
/* The same for a file that is open for reading, which is closed in any case. */
psb_status psb_input_read_open(int fd, const char *path, size_t most, psb_buffer *buffer,
                               size_t *size, psb_error *error);
/* Whether what is open is a regular file. */
bool psb_is_regular(int fd);

/*
 * An output file that has no name while it is written, or, on file systems that have no such files,
 * a temporary name in the same folder. psb_output_commit flushes it, forces it to the disk, gives
 * it the name `path` and forces the folder to the disk; psb_output_discard (legal at any time, also
 * after a commit) removes what was not committed. Write to `stream` freely: commit checks its error
 * flag. The first output in a folder removes what killed processes left there.
 *
 * Where `path` is a pipe or a device, or a link to where standard output or error go, it is written
 * to as it is; a folder, or a link that leads nowhere, is refused at once. Not so below a folder
 * that is held (core/beneath.h): there a link is replaced, one on the way refused, and pipes and
 * devices are, too. The same holds for all in this header that makes, lists and removes.
 */
typedef struct psb_output {
    FILE *stream;
    char *path;
    int folder;       /* that is to hold it, open */
    const char *name; /* in the folder: the last part of `path` */
    char *temporary;  /* its path; NULL where it has none, or `path` itself is written to */
    bool nameless;    /* it has no name yet */
    bool one_of_many; /* commit leaves it to psb_force_to_disk to force it to the disk */
} psb_output;

/* Whether psb_output_open would write to `path` itself. */
bool psb_is_written_in_place(const char *path);
psb_status psb_output_open(const char *path, psb_output *output, psb_error *error);
psb_status psb_output_commit(psb_output *output, psb_error *error);
void psb_output_discard(psb_output *output);
/*
 * Removes the temporary files of all outputs that are open. For a signal handler that ends the
 * process: nothing may be written or committed any more.
 */
void psb_outputs_abandon(void);

/* Writes `size` bytes to `path` in that way. */
psb_status psb_write_file(const char *path, const void *data, size_t size, psb_error *error);

/*
 * From here on what this thread opens is one of many files, which psb_force_to_disk forces to the
 * disk together: whatever marks them as whole is to be written behind that. Or no longer.
 */
void psb_outputs_gather(bool gather);
psb_status psb_force_to_disk(const char *folder, psb_error *error);
/* Writes such a file. */
psb_status psb_write_one_of_many(const char *path, const void *data, size_t size, psb_error *error);

/* All bytes to an open file; its name, and what was tried ("write"), are for the error. */
psb_status psb_write_bytes(int fd, const char *path, const char *verb, const void *data,
                           size_t size, psb_error *error);

/* Whether the file is there and has these bytes and no others. */
bool psb_holds(const char *path, const void *data, size_t size);

/*
 * Removes the temporary files that killed processes left in the folder, which may be absent. Those
 * that a process writes now stay, where the file system has locks.
 */
psb_status psb_remove_temporaries(const char *folder, psb_error *error);

/* Removes a file, or with AT_REMOVEDIR an empty folder; one that is not there is fine. */
psb_status psb_remove(const char *path, int kind, psb_error *error);
/*
 * Removes folder/name, where `name` may come from outside: no link on its way below the folder is
 * followed.
 */
psb_status psb_remove_beneath(const char *folder, const char *name, psb_error *error);

/* Makes a folder and its parents; one that exists is fine. */
psb_status psb_make_folder(const char *path, psb_error *error);

bool psb_is_file(const char *path);
/*
 * Whether there is a file, or a folder, of that path; PSB_ERROR_IO or PSB_ERROR_MEMORY where that
 * cannot be said.
 */
psb_status psb_file_is_there(const char *path, bool *there, psb_error *error);
psb_status psb_folder_is_there(const char *path, bool *there, psb_error *error);
/* Whether both paths lead to one file that exists. */
bool psb_is_same_file(const char *a, const char *b);
bool psb_is_folder(const char *path);
/*
 * Cuts a path that leads into a file, as into an archive ("set.tar/chairs"), behind that file;
 * false where there is no file on its way.
 */
bool psb_cut_to_file(char *path);
/*
 * Whether there is no such folder, or nothing in it; PSB_ERROR_IO or PSB_ERROR_MEMORY where that
 * cannot be said.
 */
psb_status psb_folder_is_empty(const char *folder, bool *empty, psb_error *error);

/* A path for mkstemp and mkdtemp, in TMPDIR, else /tmp, as psb_new. */
char *psb_temporary_path(psb_status *status, psb_error *error);

/* "folder/name" in fresh memory; free() it. */
psb_status psb_path_join(char **out, const char *folder, const char *name, psb_error *error);

#endif
