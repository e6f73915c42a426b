/* A state and the newest copy of each of its fields (state.h). */
#include "grid/state.h"
#include "base/status.h"

typedef struct held {
  triad_space *space, *own; /* own: NULL, or what set_space brought */
  void *copy[TRIAD_WHERE];
  int good[TRIAD_WHERE]; /* is it up to date? */
} held;

struct triad_state {
  triad_memory *memory;
  triad_space space;
  const triad_field_info *fields;
  int n;
  held *held; /* [n] */
  triad_state_copy *copy;
  void *who;
};

static const char *const name_of[TRIAD_WHERE] = {"the host", "the device"};

int triad_state_create(triad_state **out, triad_memory *memory, const triad_space *space,
                       const triad_field_info *fields, int n)
{
  *out = NULL;
  TRIAD_TRY(triad_fields_check(fields, n));
  TRIAD_TRY(TRIAD_ALLOC(memory, "state", 1, out));
  triad_state *s = *out;
  s->memory = memory;
  s->space = *space;
  s->fields = fields;
  s->n = n;
  int st = TRIAD_ALLOC(memory, "state", n, &s->held);
  for (int f = 0; f < n && st == TRIAD_OK; f++) s->held[f].space = &s->space;
  if (st != TRIAD_OK) triad_state_destroy(out);
  return st;
}

void triad_state_destroy(triad_state **state)
{
  if (!state || !*state) return;
  triad_memory *memory = (*state)->memory;
  for (int f = 0; (*state)->held && f < (*state)->n; f++) TRIAD_FREE(memory, &(*state)->held[f].own);
  TRIAD_FREE(memory, &(*state)->held);
  TRIAD_FREE(memory, state);
}

int triad_state_set_space(triad_state *s, int field, const triad_space *space)
{
  held *h = &s->held[field];
  if (!h->own) TRIAD_TRY(TRIAD_ALLOC(s->memory, "state", 1, &h->own));
  *h->own = *space;
  h->space = h->own;
  return TRIAD_OK;
}

void triad_state_attach(triad_state *s, int field, triad_where where, void *memory)
{
  held *h = &s->held[field];
  h->copy[where] = memory;
  h->good[where] = !h->good[!where];
}

void triad_state_set_copy(triad_state *s, triad_state_copy *copy, void *who)
{
  s->copy = copy;
  s->who = who;
}

static int find(const triad_state *s, int field, triad_where where, held **out)
{
  if (field < 0 || field >= s->n) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "field %d of a state of %d", field, s->n);
  *out = &s->held[field];
  if (!(*out)->copy[where])
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "field %s: there is no copy on %s", s->fields[field].name, name_of[where]);
  return TRIAD_OK;
}

static int bring(triad_state *s, int field, triad_where where, held **out)
{
  TRIAD_TRY(find(s, field, where, out));
  held *h = *out;
  if (h->good[where]) return TRIAD_OK;
  if (!s->copy)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL,
                      "field %s: the copy on %s is out of date, and there is no way to update it from %s",
                      s->fields[field].name, name_of[where], name_of[!where]);
  TRIAD_TRY(s->copy(s->who, field, where));
  h->good[where] = 1;
  return TRIAD_OK;
}

int triad_state_read(triad_state *s, int field, triad_where where, const void **out)
{
  held *h;
  TRIAD_TRY(bring(s, field, where, &h));
  if (out) *out = h->copy[where];
  return TRIAD_OK;
}

int triad_state_write(triad_state *s, int field, triad_where where, void **out)
{
  held *h;
  TRIAD_TRY(bring(s, field, where, &h));
  h->good[!where] = 0;
  if (out) *out = h->copy[where];
  return TRIAD_OK;
}

int triad_state_overwrite(triad_state *s, int field, triad_where where, void **out)
{
  held *h;
  TRIAD_TRY(find(s, field, where, &h));
  h->good[where] = 1;
  h->good[!where] = 0;
  if (out) *out = h->copy[where];
  return TRIAD_OK;
}

int triad_state_read_all(triad_state *s, triad_where where)
{
  for (int f = 0; f < s->n; f++) TRIAD_TRY(triad_state_read(s, f, where, NULL));
  return TRIAD_OK;
}

int triad_state_write_all(triad_state *s, triad_where where)
{
  for (int f = 0; f < s->n; f++) TRIAD_TRY(triad_state_write(s, f, where, NULL));
  return TRIAD_OK;
}

int triad_state_overwrite_all(triad_state *s, triad_where where)
{
  for (int f = 0; f < s->n; f++) TRIAD_TRY(triad_state_overwrite(s, f, where, NULL));
  return TRIAD_OK;
}

int triad_state_size(const triad_state *s) { return s->n; }

const triad_space *triad_state_space(const triad_state *s, int field) { return s->held[field].space; }

const triad_field_info *triad_state_field(const triad_state *s, int field) { return &s->fields[field]; }

int triad_state_find(const triad_state *s, const char *name) { return triad_field_find(s->fields, s->n, name); }
