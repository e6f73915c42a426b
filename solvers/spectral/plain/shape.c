/* Append fields, columns, spectra and transfers to the shape of an equation set. */
#include "solvers/spectral/plain/shape.h"

#include "base/status.h"
#include "solvers/spectral/plain/quantity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct triad_shape_text_node {
  triad_shape_text_node *next;
  char text[];
};

/* *list, of *n entries, gets `more` further ones of `size` bytes each. */
static int append(const triad_shape *shape, void **list, int *n, int more, size_t size, const void *from)
{
  if (shape->no_memory) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the texts of an equation set");
  char *longer = realloc(*list, (size_t)(*n + more) * size);
  if (!longer) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d entries of an equation set", *n + more);
  memcpy(longer + (size_t)*n * size, from, (size_t)more * size);
  *list = longer;
  *n += more;
  return TRIAD_OK;
}

int triad_shape_add_fields(triad_shape *s, int n, const triad_field_info *list)
{
  return append(s, (void **)&s->fields, &s->n_fields, n, sizeof *list, list);
}

int triad_shape_column(const triad_shape *shape, const char *name)
{
  for (int i = 0; i < shape->n_columns; i++)
    if (strcmp(shape->columns[i].name, name) == 0) return i;
  return -1;
}

const char *triad_shape_text_of(triad_shape *shape, const char *format, const char *word)
{
  char text[160];
  (void)snprintf(text, sizeof text, format, word);
  for (char *c = text; *c; c++)
    if (*c == '%') *c = ' '; /* it becomes a format */
  char *to = (char *)(uintptr_t)triad_shape_text(shape, "%160d", 0);
  if (*to) memcpy(to, text, strlen(text) + 1);
  return to;
}

triad_field_group triad_shape_group(const triad_shape *s, const char *name)
{
  return triad_field_group_find(s->fields, s->n_fields, name);
}

int triad_shape_add_columns(triad_shape *s, int n, const triad_column_info *list)
{
  return append(s, (void **)&s->columns, &s->n_columns, n, sizeof *list, list);
}

int triad_shape_add_spectra(triad_shape *s, int n, const triad_column_info *list)
{
  return append(s, (void **)&s->spectra, &s->n_spectra, n, sizeof *list, list);
}

int triad_shape_add_transfers(triad_shape *s, int n, const triad_transfer_info *list)
{
  return append(s, (void **)&s->transfers, &s->n_transfers, n, sizeof *list, list);
}

const char *triad_shape_text(triad_shape *s, const char *format, int number)
{
  int length = snprintf(NULL, 0, format, number);
  triad_shape_text_node *node = length < 0 ? NULL : malloc(sizeof *node + (size_t)length + 1);
  if (!node) {
    s->no_memory = 1;
    return "";
  }
  (void)snprintf(node->text, (size_t)length + 1, format, number);
  node->next = s->texts;
  s->texts = node;
  return node->text;
}

void triad_shape_clear(triad_shape *s)
{
  for (triad_shape_text_node *node = s->texts, *next; node; node = next) {
    next = node->next;
    free(node);
  }
  free(s->fields);
  free(s->columns);
  free(s->spectra);
  free(s->transfers);
  triad_own_quantities_free(s->own, s->n_own);
  *s = (triad_shape){0};
}

int triad_shape_left(const triad_shape *s, int pass)
{
  return triad_chains_left(&s->pass[pass].chains, s->pass[pass].n_out);
}

void triad_shape_most(const triad_shape *s, int *most_in, int *most_out, int *most_left)
{
  *most_in = s->observe.n_in;
  *most_out = s->observe.n_out;
  *most_left = triad_chains_left(&s->observe.chains, s->observe.n_out);
  for (int i = 0; i < s->n_passes; i++) {
    if (s->pass[i].n_in > *most_in) *most_in = s->pass[i].n_in;
    if (s->pass[i].n_out > *most_out) *most_out = s->pass[i].n_out;
    if (triad_shape_left(s, i) > *most_left) *most_left = triad_shape_left(s, i);
  }
}
