/* Memory whose size comes from input: checked products, and buffers that grow and stay. This header
 * also provides the errors that the functions report, free(), and the functions of <string.h>. */
#pragma once

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/*
 * Allocates count x size bytes, aligned to 64 for SIMD loads; `what` names the object in the error.
 * A product that overflows is a memory error. Zero bytes give a valid pointer. Behaves like a step
 * of PSB_THEN: if *status is already a failure it allocates nothing and returns NULL, and if it
 * fails it sets *status. psb_new_zero fills the memory with zero bytes. free() the result.
 */
void *psb_new(psb_status *status, size_t count, size_t size, const char *what, psb_error *error);
void *psb_new_zero(psb_status *status, size_t count, size_t size, const char *what,
                   psb_error *error);

/* Checks that this much memory is available now, without keeping it. Call it before a library that
 * crashes or fails silently if its allocation fails. */
psb_status psb_ask_for_memory(size_t bytes, const char *what, psb_error *error);

/* Rounds a number of bytes up to a multiple of psb_new's alignment. */
size_t psb_whole_lines(size_t bytes);

/* Returns a copy of the bytes with a NUL after them; psb_new_copy one of a string. */
char *psb_new_text(psb_status *status, const char *bytes, size_t length, const char *what,
                   psb_error *error);
char *psb_new_copy(psb_status *status, const char *string, const char *what, psb_error *error);
/* Frees strings and their array, which may be NULL. */
void psb_free_texts(char **texts, size_t count);

/* qsort, for an array that may be NULL if it has no items. */
void psb_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

/* A buffer that is reused from model to model: its memory only grows. */
typedef struct psb_buffer {
    void *data;
    size_t bytes;
} psb_buffer;

/* Makes room for count x size bytes. If it has to grow, the contents are lost. */
psb_status psb_buffer_reserve(psb_buffer *buffer, size_t count, size_t size, const char *what,
                              psb_error *error);

/* Like psb_buffer_reserve, but keeps the contents; grows by at least half for repeated appends. */
psb_status psb_buffer_grow(psb_buffer *buffer, size_t count, size_t size, const char *what,
                           psb_error *error);

void psb_buffer_free(psb_buffer *buffer);

/*
 * An array of items of one type that grows by one item at a time. Start with a zeroed struct and
 * end with free(items). PSB_APPEND adds an item and handles `status` as psb_new does:
 *
 *     PSB_APPEND(&status, &files, "files", error, (file){name, size});
 *
 * PSB_ARRAY_ROOM only makes room for it. If memory runs out, the old items stay where they were.
 */
#define PSB_ARRAY(type)                                                                            \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, room;                                                                        \
    }
#define PSB_APPEND(status, array, what, error, ...)                                                \
    (PSB_ARRAY_ROOM((status), (array), (what), (error)),                                           \
     *(status) == PSB_OK ? (void)((array)->items[(array)->count++] = (__VA_ARGS__)) : (void)0)
#define PSB_ARRAY_ROOM(status, array, what, error)                                                 \
    PSB_ROOM((status), (array)->items, (array)->count, (array)->room, (what), (error))
/* Like PSB_ARRAY_ROOM, for an array whose pointer, count and room are members of another struct. */
#define PSB_ROOM(status, items, count, room, what, error)                                          \
    ((items) =                                                                                     \
         psb_array_grown((status), (items), (count), &(room), sizeof *(items), (what), (error)))

/* Returns the items, moved to larger memory if `count` of them fill the room; unchanged otherwise
 * and on failure. */
void *psb_array_grown(psb_status *status, void *items, size_t count, size_t *room, size_t size,
                      const char *what, psb_error *error);

/*
 * Before the declaration of a variable: calls `function` with its address where its scope ends,
 * after the value of `return` was computed. As steps before its end may fail, such a variable has a
 * value from the start.
 */
#define PSB_AT_END(function) __attribute__((cleanup(function)))
/* The same for a pointer to memory: free() is called. */
#define PSB_FREED PSB_AT_END(psb_free_at)
void psb_free_at(void *pointer);
