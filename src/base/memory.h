/* Memory allocation with accounting, so that an error can say how much each owner holds. */
#ifndef TRIAD_BASE_MEMORY_H
#define TRIAD_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

typedef struct triad_memory triad_memory;

int triad_memory_create(triad_memory **out);
void triad_memory_destroy(triad_memory **memory);

enum { TRIAD_MEMORY_OWN_PAGES = 128 << 10 }; /* [bytes] arrays of at least this size share no page with another */

/* Allocate `count` elements of `size` bytes, zeroed, for `owner` (a string literal). Alignment: 64 bytes; pages from
 * TRIAD_MEMORY_OWN_PAGES on; 2 MiB for large arrays, for huge pages. On failure *out is NULL and the result
 * TRIAD_ERR_MEMORY, with sizes in the message. count = 0 gives a valid pointer. Not collective. */
int triad_memory_alloc(triad_memory *memory, const char *owner, int64_t count, size_t size, void **out);

/* *pointer becomes NULL. NULL is accepted. */
void triad_memory_free(triad_memory *memory, void **pointer);

int64_t triad_memory_held(const triad_memory *memory); /* [bytes] */

/* Typed front ends: TRIAD_ALLOC(memory, "work columns", n, &pointer), TRIAD_FREE(memory, &pointer). */
#define TRIAD_ALLOC(memory, owner, count, pp) \
  triad_memory_alloc((memory), (owner), (count), sizeof **(pp), (void **)(pp))
#define TRIAD_FREE(memory, pp) triad_memory_free((memory), (void **)(pp))

#endif
