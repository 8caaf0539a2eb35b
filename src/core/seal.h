/*
 * The frame of this program's own binary files and records: eight bytes that name the kind and its
 * version ("psbvoc1\n"), the contents, and the XXH64 of all that stands before it. A reader thus
 * refuses a file of another kind, a file that was cut off and one with a wrong bit before it uses
 * any number of it.
 *
 *     | kind, 8 bytes | contents | checksum, 8 bytes |
 *
 * All numbers are little-endian, as they lie in memory. A kind is a literal of eight characters.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PSB_SEAL_KIND = 8, PSB_SEAL_BYTES = 8 };

/* Writes KIND into the first eight of SIZE bytes, and the checksum after the SIZE bytes; DATA must
 * have room for SIZE + PSB_SEAL_BYTES. */
void psb_seal(void *data, size_t size, const char *kind);

/* True if SIZE bytes begin with KIND and have room for a head of LEAST bytes (KIND included) and
 * the checksum. */
bool psb_seal_is_of(const void *data, size_t size, size_t least, const char *kind);

/* True if the last eight of SIZE bytes are the checksum of the bytes before them; SIZE is at least
 * PSB_SEAL_BYTES. Sets *CHECKSUM to the checksum in the file unless it is NULL. */
bool psb_seal_holds(const void *data, size_t size, uint64_t *checksum);
