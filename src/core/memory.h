/*
 * Memory whose size comes from a file: checked products, and buffers that grow and stay. With it
 * come the errors that the steps give, and free().
 */
#ifndef PSB_CORE_MEMORY_H
#define PSB_CORE_MEMORY_H

#include "core/error.h"

#include <stdlib.h>

/*
 * count x size bytes, aligned to 64 for SIMD loads; `what` names the thing in the
 * error. A product that overflows is a memory error. Zero bytes give a valid pointer. A step of
 * PSB_THEN's kind: where *status is a failure already it takes nothing and returns NULL, and where
 * it fails it sets it. The second fills it with zero bytes. Free with free().
 */
void *psb_new(psb_status *status, size_t count, size_t size, const char *what, psb_error *error);
void *psb_new_zero(psb_status *status, size_t count, size_t size, const char *what,
                   psb_error *error);

/*
 * Whether so much memory could be had now; nothing is kept. For what is done by libraries that
 * crash, or do something else and say nothing, where an allocation fails.
 */
psb_status psb_ask_for_memory(size_t bytes, const char *what, psb_error *error);

/* So many bytes, and up to the next piece that is aligned as psb_new's memory is. */
size_t psb_whole_lines(size_t bytes);

/* A copy of the bytes, with a NUL behind them. */
char *psb_new_text(psb_status *status, const char *bytes, size_t length, const char *what,
                   psb_error *error);

/* A buffer that is reused from model to model: it grows when it must and never shrinks. */
typedef struct psb_buffer {
    void *data;
    size_t bytes;
} psb_buffer;

/* Makes room for count x size bytes. What the buffer held is lost when it grows. */
psb_status psb_buffer_reserve(psb_buffer *buffer, size_t count, size_t size, const char *what,
                              psb_error *error);

/* The same, but keeps what the buffer held; grows by at least half for repeated appends. */
psb_status psb_buffer_grow(psb_buffer *buffer, size_t count, size_t size, const char *what,
                           psb_error *error);

void psb_buffer_free(psb_buffer *buffer);

/*
 * An array of things of one type that grows by one at a time; starts zeroed, and free(items) ends
 * it. PSB_ARRAY_ROOM is a step of psb_new's kind that makes room for one more behind the last:
 *
 *     PSB_ARRAY_ROOM(&status, &files, "files", error);
 *     if (status == PSB_OK) { files.items[files.count++] = file; }
 *
 * Where there is no memory, the items that were there stay where they were.
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

/* The items, in larger memory where `count` of them fill the room; else, or on failure, as is. */
void *psb_array_grown(psb_status *status, void *items, size_t count, size_t *room, size_t size,
                      const char *what, psb_error *error);

#endif
