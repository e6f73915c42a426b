/* Memory that is accounted for: who holds how much, so that a refusal can say what would fit. */
#ifndef TRIAD_BASE_MEMORY_H
#define TRIAD_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

typedef struct triad_memory triad_memory;

int triad_memory_create(triad_memory **out);
void triad_memory_destroy(triad_memory **memory);

enum { TRIAD_MEMORY_OWN_PAGES = 128 << 10 }; /* [bytes] from which on an array shares no page with another */

/* `count` elements of `size` bytes, zeroed, aligned to 64 bytes (to pages from TRIAD_MEMORY_OWN_PAGES on; to 2 MiB
 * where large, for huge pages), in the name of `owner` (a literal). *out is NULL on failure: TRIAD_ERR_MEMORY, with the
 * sizes in the message. count = 0 gives a valid pointer to nothing. Not collective. */
int triad_memory_alloc(triad_memory *memory, const char *owner, int64_t count, size_t size, void **out);

/* *pointer becomes NULL. NULL is accepted. */
void triad_memory_free(triad_memory *memory, void **pointer);

int64_t triad_memory_held(const triad_memory *memory); /* [bytes] */

/* Typed front ends: TRIAD_ALLOC(memory, "work columns", n, &pointer), TRIAD_FREE(memory, &pointer). */
#define TRIAD_ALLOC(memory, owner, count, pp) \
  triad_memory_alloc((memory), (owner), (count), sizeof **(pp), (void **)(pp))
#define TRIAD_FREE(memory, pp) triad_memory_free((memory), (void **)(pp))

#endif
