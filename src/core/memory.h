/*
 * Memory whose size comes from input: checked products, and buffers that grow and stay. Includes
 * the errors that the steps report, and free().
 */
#ifndef PSB_CORE_MEMORY_H
#define PSB_CORE_MEMORY_H

#include "core/error.h"

#include <stdlib.h>

/*
 * Allocates count x size bytes, aligned to 64 for SIMD loads; `what` names the object in the error.
 * A product that overflows is a memory error. Zero bytes give a valid pointer. A step of PSB_THEN's
 * kind: if *status is already a failure it allocates nothing and returns NULL, and if it fails it
 * sets *status. The second fills the memory with zero bytes. free() it.
 */
void *psb_new(psb_status *status, size_t count, size_t size, const char *what, psb_error *error);
void *psb_new_zero(psb_status *status, size_t count, size_t size, const char *what,
                   psb_error *error);

/*
 * Checks that this much memory is available now, and keeps none. For libraries that crash or fail
 * silently if an allocation fails.
 */
psb_status psb_ask_for_memory(size_t bytes, const char *what, psb_error *error);

/* Rounds a number of bytes up to a multiple of psb_new's alignment. */
size_t psb_whole_lines(size_t bytes);

/* A copy of the bytes, with a NUL behind them. */
char *psb_new_text(psb_status *status, const char *bytes, size_t length, const char *what,
                   psb_error *error);

/* A buffer that is reused from model to model: it only grows. */
typedef struct psb_buffer {
    void *data;
    size_t bytes;
} psb_buffer;

/* Makes room for count x size bytes. Growing loses the contents. */
psb_status psb_buffer_reserve(psb_buffer *buffer, size_t count, size_t size, const char *what,
                              psb_error *error);

/* The same, but keeps the contents; grows by at least half for repeated appends. */
psb_status psb_buffer_grow(psb_buffer *buffer, size_t count, size_t size, const char *what,
                           psb_error *error);

void psb_buffer_free(psb_buffer *buffer);

/*
 * An array of items of one type that grows by one item at a time; starts zeroed, and free(items)
 * ends it. PSB_ARRAY_ROOM is a step of psb_new's kind that makes room for one more item:
 *
 *     PSB_ARRAY_ROOM(&status, &files, "files", error);
 *     if (status == PSB_OK) { files.items[files.count++] = file; }
 *
 * Without memory the old items stay where they were.
 */
#define PSB_ARRAY(type)                                                                            \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, room;                                                                        \
    }
#define PSB_ARRAY_ROOM(status, array, what, error)                                                 \
    PSB_ROOM((status), (array)->items, (array)->count, (array)->room, (what), (error))
/* The same for an array whose pointer, count and room are members of something else. */
#define PSB_ROOM(status, items, count, room, what, error)                                          \
    ((items) =                                                                                     \
         psb_array_grown((status), (items), (count), &(room), sizeof *(items), (what), (error)))

/*
 * The items, moved to larger memory if `count` of them fill the room; unchanged otherwise and on
 * failure.
 */
void *psb_array_grown(psb_status *status, void *items, size_t count, size_t *room, size_t size,
                      const char *what, psb_error *error);

#endif
