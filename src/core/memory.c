/* Checks the size of every allocation that depends on input. */
#include "core/memory.h"

#include <sys/mman.h>

enum { ALIGNMENT = 64 };

void *psb_new(psb_status *status, size_t count, size_t size, const char *what, psb_error *error) {
    if (*status != PSB_OK) {
        return NULL;
    }
    if (size != 0 && count > (SIZE_MAX - ALIGNMENT) / size) {
        *status = psb_fail(error, PSB_ERROR_MEMORY, "out of memory: %zu x %zu bytes for %s", count,
                           size, what);
        return NULL;
    }
    size_t bytes = count * size;
    /* aligned_alloc needs a multiple of the alignment, and a size above 0. */
    size_t rounded = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    void *memory = aligned_alloc(ALIGNMENT, rounded);
    *status = memory != NULL ? PSB_OK : psb_fail_memory(error, what, bytes);
    return memory;
}

void *psb_new_zero(psb_status *status, size_t count, size_t size, const char *what,
                   psb_error *error) {
    void *memory = psb_new(status, count, size, what, error);
    if (memory != NULL) {
        memset(memory, 0, count * size);
    }
    return memory;
}

/* malloc would do as well, but AddressSanitizer marks every byte that it gives, and takes 11 ms. */
psb_status psb_ask_for_memory(size_t bytes, const char *what, psb_error *error) {
    void *memory = mmap(NULL, bytes + (bytes == 0), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return psb_fail_memory(error, what, bytes);
    }
    munmap(memory, bytes + (bytes == 0));
    return PSB_OK;
}

size_t psb_whole_lines(size_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

char *psb_new_text(psb_status *status, const char *bytes, size_t length, const char *what,
                   psb_error *error) {
    char *copy = psb_new(status, length + 1, 1, what, error);
    if (copy != NULL) {
        if (length > 0) {
            memcpy(copy, bytes, length);
        }
        copy[length] = '\0';
    }
    return copy;
}

psb_status psb_buffer_reserve(psb_buffer *buffer, size_t count, size_t size, const char *what,
                              psb_error *error) {
    if (size != 0 && count <= buffer->bytes / size) {
        return PSB_OK;
    }
    psb_buffer_free(buffer);
    psb_status status = PSB_OK;
    buffer->data = psb_new(&status, count, size, what, error);
    if (status == PSB_OK) {
        buffer->bytes = count * size;
    }
    return status;
}

psb_status psb_buffer_grow(psb_buffer *buffer, size_t count, size_t size, const char *what,
                           psb_error *error) {
    if (size != 0 && count <= buffer->bytes / size) {
        return PSB_OK;
    }
    size_t half_more = size != 0 ? buffer->bytes / size + buffer->bytes / size / 2 : 0;
    psb_buffer larger = {NULL, 0};
    psb_status status =
        psb_buffer_reserve(&larger, count > half_more ? count : half_more, size, what, error);
    if (status == PSB_OK) {
        if (buffer->bytes > 0) {
            memcpy(larger.data, buffer->data, buffer->bytes);
        }
        psb_buffer_free(buffer);
        *buffer = larger;
    }
    return status;
}

void psb_buffer_free(psb_buffer *buffer) {
    if (buffer != NULL) {
        free(buffer->data);
        buffer->data = NULL;
        buffer->bytes = 0;
    }
}

void *psb_array_grown(psb_status *status, void *items, size_t count, size_t *room, size_t size,
                      const char *what, psb_error *error) {
    enum { FIRST = 16 };
    if (*status != PSB_OK || count < *room) {
        return items;
    }
    size_t more = count < FIRST ? FIRST : count + count / 2;
    void *larger = psb_new(status, more, size, what, error);
    if (larger == NULL) {
        return items;
    }
    if (count > 0) {
        memcpy(larger, items, count * size);
    }
    free(items);
    *room = more;
    return larger;
}

char *psb_new_copy(psb_status *status, const char *string, const char *what, psb_error *error) {
    return psb_new_text(status, string, strlen(string), what, error);
}

void psb_free_texts(char **texts, size_t count) {
    for (size_t i = 0; texts != NULL && i < count; i++) {
        free(texts[i]);
    }
    free(texts);
}

void psb_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    if (count > 0) {
        qsort(items, count, size, compare);
    }
}

void psb_free_at(void *pointer) {
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}
