/*
 * Opens files below a folder by names from outside: no part of a name, and no symbolic link on its
 * way, can lead out of the folder.
 */
#pragma once

#include "core/error.h"

#include <sys/types.h>

/* True if every part of the path is a plain name (not empty, "." or ".."), so that the path cannot
 * lead out of a folder. False for LENGTH 0; PATH may then be NULL. */
bool psb_name_stays_below(const char *path, size_t length);

/*
 * Like openat(folder, name, flags | O_CLOEXEC, mode), but `name` must stay below, and neither the
 * file nor a folder on its way may be a symbolic link. Returns -1 and sets errno: EXDEV for a name
 * that does not stay below, ELOOP or ENOTDIR for a link.
 */
int psb_open_beneath(int folder, const char *name, int flags, mode_t mode);

/*
 * Holds a folder of results in which the program works. Its contents may come from a stranger, so
 * until psb_let_go the functions below never write, make or remove anything through a link below
 * it. The folder itself, and the path to it, may contain links: the user named it. Pass *held to
 * psb_let_go; it is 0 after a failure, which psb_let_go ignores.
 */
psb_status psb_hold_folder(const char *folder, int *held, psb_error *error);
void psb_let_go(int held);

/* True if the path is below a held folder. */
bool psb_is_held(const char *path);
/* Like open(path, flags | O_CLOEXEC, mode), but follows no link below a held folder: errno is ELOOP
 * or ENOTDIR if a folder on the way, or the file itself, is a link. */
int psb_open_path(const char *path, int flags, mode_t mode);
/* Closes an open file, of which there is none if `fd` is -1; leaves errno as it is. */
void psb_close(int fd);
/* Opens the folder of `path` with O_PATH; *name is the last part of the path. */
int psb_open_folder_of(const char *path, const char **name);
