#include "store/spectra_list.h"

#include <stdarg.h>
#include <stdio.h>

enum { TEXT = 200, TEXTS = 4 /* of an array: its name, unit, meaning and scale */ };

int triad_contents_create(triad_contents **out, triad_memory *memory, int most, int64_t values)
{
  TRIAD_TRY(TRIAD_TAKE(memory, "spectra", 1, out));
  triad_contents *c = *out;
  c->memory = memory;
  c->most = most;
  int st = TRIAD_TAKE(memory, "spectra", most, &c->list);
  if (st == TRIAD_OK) st = TRIAD_TAKE(memory, "spectra", (int64_t)most * TEXTS * TEXT, &c->texts);
  if (st == TRIAD_OK) st = TRIAD_TAKE(memory, "spectra", values, &c->values);
  c->next = c->values;
  if (st != TRIAD_OK) triad_contents_destroy(out);
  return st;
}

void triad_contents_destroy(triad_contents **contents)
{
  triad_contents *c = *contents;
  if (!c) return;
  TRIAD_GIVE(c->memory, &c->values);
  TRIAD_GIVE(c->memory, &c->texts);
  TRIAD_GIVE(c->memory, &c->list);
  TRIAD_GIVE(c->memory, contents);
}

double *triad_contents_add(triad_contents *c, triad_spectrum s)
{
  int64_t size = 1;
  for (int d = 0; d < s.n_dims; d++) size *= s.dims[d];
  double *values = c->next;
  s.values = values;
  c->list[c->n++] = s;
  c->next += size;
  return values;
}

const char *triad_contents_text(triad_contents *c, const char *format, ...)
{
  char *text = c->texts + (int64_t)c->n_texts++ * TEXT;
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, TEXT, format, args);
  va_end(args);
  return text;
}

void triad_contents_scale(triad_contents *c, const char *name, const char *units, const char *about, int64_t n,
                          double width)
{
  double *k = triad_contents_add(c, (triad_spectrum){.name = name, .units = units, .long_name = about, .n_dims = 1,
                                                     .dims = {n}, .scale = {name}});
  for (int64_t s = 0; s < n; s++) k[s] = (double)s * width;
}
