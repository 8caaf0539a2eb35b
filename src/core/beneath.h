/*
 * Files beneath a folder, by names that come from outside: no part of a name, and no link that
 * somebody laid on its way, leads out of the folder.
 */
#ifndef PSB_CORE_BENEATH_H
#define PSB_CORE_BENEATH_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whether a path is one below a folder: no part of it is empty, "." or "..". */
bool psb_name_stays_below(const char *path, size_t length);

/*
 * As openat(folder, name, flags | O_CLOEXEC, mode), where `name` stays below and nothing on its
 * way, nor the file itself, is a symbolic link. Returns -1 and sets errno: EXDEV for a name that
 * does not stay below, ELOOP or ENOTDIR for a link.
 */
int psb_open_beneath(int folder, const char *name, int flags, mode_t mode);

/*
 * A folder of results that the program works in. What is in it may come from a stranger; so below
 * it, until it is let go, nothing that the functions behind this write, make or remove is reached
 * through a link. The folder itself, and the way to it, may be links: its user named it. *held is
 * what psb_let_go takes, where 0 is none.
 */
psb_status psb_hold_folder(const char *folder, int *held, psb_error *error);
void psb_let_go(int held);

/* Whether the path is below a held folder. */
bool psb_is_held(const char *path);
/*
 * As open(path, flags | O_CLOEXEC, mode) with that promise: errno is ELOOP, or ENOTDIR, where a
 * link is on the way below a held folder, or at its end.
 */
int psb_open_path(const char *path, int flags, mode_t mode);
/* The folder that holds `path`, opened with O_PATH; the last part of the path is *name. */
int psb_open_folder_of(const char *path, const char **name);

#endif
