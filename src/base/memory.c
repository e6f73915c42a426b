/* Allocate arrays through a ledger that records who holds how many bytes. Large arrays get pages of their own so
 * that each can be pinned. */
#include "base/memory.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Arrays of so many bytes get pages of their own, so that each can be pinned by itself. */
enum { ALIGN = 64, PAGE = 4096, OWN_PAGES = TRIAD_MEMORY_OWN_PAGES, HUGE_PAGE = 2 << 20 };

typedef struct holding {
  void *pointer;
  int64_t bytes;
  const char *owner;
} holding;

struct triad_memory {
  holding *list;
  size_t count, room;
  int64_t held;
};

int triad_memory_create(triad_memory **out)
{
  *out = calloc(1, sizeof **out);
  return *out ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the memory ledger");
}

void triad_memory_destroy(triad_memory **memory)
{
  if (!memory || !*memory) return;
  for (size_t i = 0; i < (*memory)->count; i++) free((*memory)->list[i].pointer);
  free((*memory)->list);
  free(*memory);
  *memory = NULL;
}

int triad_memory_alloc(triad_memory *m, const char *owner, int64_t count, size_t size, void **out)
{
  *out = NULL;
  if (count < 0 || (count > 0 && (uint64_t)count > (uint64_t)PTRDIFF_MAX / size))
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld elements of %zu bytes, more than the address space", owner,
                      (long long)count, size);
  if (m->count == m->room) {
    size_t room = m->room ? 2 * m->room : 32;
    holding *list = realloc(m->list, room * sizeof *list);
    if (!list) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the memory ledger");
    m->list = list;
    m->room = room;
  }
  size_t bytes = (size_t)count * size;
  size_t align = bytes >= 4 * (size_t)HUGE_PAGE ? HUGE_PAGE : bytes >= OWN_PAGES ? PAGE : ALIGN;
  size_t padded = (bytes + align) / align * align; /* never zero */
  void *p = aligned_alloc(align, padded);
  if (!p)
    return TRIAD_FAIL(
      TRIAD_ERR_MEMORY,
      "%s: %.3g MB requested, %.3g MB already in use by this rank; use more ranks, or precision = \"single\"", owner,
      1e-6 * (double)bytes, 1e-6 * (double)m->held);
  if (align == HUGE_PAGE) (void)madvise(p, padded, MADV_HUGEPAGE); /* a hint: refusal costs nothing */
  memset(p, 0, padded);
  m->list[m->count++] = (holding){p, (int64_t)bytes, owner};
  m->held += (int64_t)bytes;
  *out = p;
  return TRIAD_OK;
}

void triad_memory_free(triad_memory *m, void **pointer)
{
  if (!pointer || !*pointer) return;
  for (size_t i = 0; i < m->count; i++)
    if (m->list[i].pointer == *pointer) {
      m->held -= m->list[i].bytes;
      m->list[i] = m->list[--m->count];
      break;
    }
  free(*pointer);
  *pointer = NULL;
}

int64_t triad_memory_held(const triad_memory *m) { return m->held; }
