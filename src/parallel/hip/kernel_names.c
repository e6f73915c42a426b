/* Read names of kernels from a code object of hiprtc, which has a table of symbols, and relocations whose addends are
 * addresses. */
#include "parallel/hip/kernel_names.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512 };

char *triad_hip_source(const char *text, const char *const *names, int n)
{
  const size_t size = strlen(text) + (size_t)n * LINE + 1;
  char *out = malloc(size);
  if (!out) return NULL;
  size_t at = (size_t)snprintf(out, size, "%s", text);
  for (int i = 0; i < n; i++)
    at += (size_t)snprintf(out + at, LINE,
                           "\nextern \"C\" __device__ const void *const triad_kernel_%d = (const void *)&%s;\n", i,
                           names[i]);
  return out;
}

/* A code object, and its sections. */
typedef struct object {
  const char *bytes;
  size_t size;
  const Elf64_Shdr *section;
  int sections;
} object;

static int open_object(object *o, const void *code, size_t bytes)
{
  const Elf64_Ehdr *head = code;
  *o = (object){.bytes = code, .size = bytes};
  if (bytes < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64)
    return 0;
  if (head->e_shoff > bytes || (bytes - head->e_shoff) / sizeof *o->section < head->e_shnum) return 0;
  o->section = (const void *)(o->bytes + head->e_shoff);
  o->sections = head->e_shnum;
  return 1;
}

/* The contents of a section as entries of this size; NULL: none. */
static const void *entries(const object *o, int i, size_t size, size_t *n)
{
  const Elf64_Shdr *s = &o->section[i];
  if (s->sh_offset > o->size || s->sh_size > o->size - s->sh_offset) return NULL;
  *n = s->sh_size / size;
  return o->bytes + s->sh_offset;
}

/* The dynamic symbol with this name, or, without a name, the function at this address. */
static const char *find(const object *o, const char *name, uint64_t *address)
{
  for (int i = 0; i < o->sections; i++) {
    size_t n = 0, length = 0;
    if (o->section[i].sh_type != SHT_DYNSYM || o->section[i].sh_link >= (unsigned)o->sections) continue;
    const Elf64_Sym *symbol = entries(o, i, sizeof *symbol, &n);
    const char *text = entries(o, (int)o->section[i].sh_link, 1, &length);
    if (!symbol || !text || length == 0 || text[length - 1]) continue;
    for (size_t s = 0; s < n; s++) {
      if (symbol[s].st_name >= length) continue;
      const char *its = text + symbol[s].st_name;
      if (name && strcmp(its, name) == 0) return *address = symbol[s].st_value, its;
      if (!name && ELF64_ST_TYPE(symbol[s].st_info) == STT_FUNC && symbol[s].st_value == *address) return its;
    }
  }
  return NULL;
}

const char *triad_hip_kernel_name(const void *code, size_t bytes, int number)
{
  object o;
  char name[32];
  uint64_t place;
  (void)snprintf(name, sizeof name, "triad_kernel_%d", number);
  if (!open_object(&o, code, bytes) || !find(&o, name, &place)) return NULL;
  for (int i = 0; i < o.sections; i++) {
    size_t n = 0;
    if (o.section[i].sh_type != SHT_RELA) continue;
    const Elf64_Rela *moved = entries(&o, i, sizeof *moved, &n);
    for (size_t r = 0; moved && r < n; r++) {
      uint64_t address = (uint64_t)moved[r].r_addend;
      if (moved[r].r_offset == place) return find(&o, NULL, &address);
    }
  }
  return NULL;
}
