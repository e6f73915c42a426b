/* Parse the entries of output.slices: a plane or a layer of cells, and quantities from the tables of the solver or
 * of the case itself. */
#include "case/slice.h"

#include "base/text.h"
#include "case/case_internal.h"
#include "case/case_errors.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A piece of text without the blanks around it. */
typedef struct piece {
  const char *at;
  size_t length;
} piece;

static piece trim(const char *at, const char *end)
{
  while (at < end && *at == ' ') at++;
  while (end > at && end[-1] == ' ') end--;
  return (piece){at, (size_t)(end - at)};
}

/* Does a row have this name? Of a numbered one *number is what stands for its %d; else 0. */
static int is_called(const triad_quantity *q, piece name, int *number)
{
  size_t stem = q->most > 0 ? strcspn(q->name, "%") : strlen(q->name);
  *number = 0;
  if (name.length < stem || memcmp(name.at, q->name, stem) != 0) return 0;
  if (q->most == 0) return name.length == stem;
  for (size_t i = stem; i < name.length; i++) {
    if (name.at[i] < '0' + (i == stem) || name.at[i] > '9' || name.length > stem + 6) return 0;
    *number = 10 * *number + (name.at[i] - '0');
  }
  return *number >= 1 && *number <= q->most;
}

/* The first row of this name, of a solver or of any (NULL). */
static const triad_quantity *find(const char *solver, piece name, int *number)
{
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_quantity *q = triad_case_part_at(p)->quantities; q->name; q++)
      if (triad_case_part_has(triad_case_part_at(p), solver) && triad_solver_among(q->solvers, solver) &&
          is_called(q, name, number))
        return q;
  return NULL;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* formats of the rows, with one %d at most */
static void put(triad_slice *out, const triad_quantity *q, int number)
{
  triad_slice_quantity *to = &out->quantity[out->n++];
  *to = (triad_slice_quantity){.unit = q->unit, .kind = q->kind, .component = q->component, .scale = q->scale};
  (void)snprintf(to->name, sizeof to->name, q->name, number);
  (void)snprintf(to->field, sizeof to->field, q->field, number);
  (void)snprintf(to->long_name, sizeof to->long_name, q->long_name, number);
}
#pragma GCC diagnostic pop

static void take_defaults(const char *solver, triad_slice *out)
{
  for (int turn = 1; solver && turn <= 2; turn++)
    for (int p = 0; triad_case_part_at(p); p++) {
      const triad_case_part *part = triad_case_part_at(p);
      for (const triad_quantity *q = part->quantities; triad_case_part_has(part, solver) && q->name; q++)
        if (q->shown == turn && triad_solver_among(q->solvers, solver)) put(out, q, 1);
    }
}

/* The nearest name that the solver has. */
static const char *nearest(piece name, const char *solver)
{
  const char *names[256];
  char word[64];
  int n = 0;
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_quantity *q = triad_case_part_at(p)->quantities; q->name && n < 256; q++)
      if (triad_case_part_has(triad_case_part_at(p), solver) && triad_solver_among(q->solvers, solver) && q->most == 0)
        names[n++] = q->name;
  (void)snprintf(word, sizeof word, "%.*s", (int)name.length, name.at);
  int near = triad_nearest(word, names, n);
  return near < 0 ? NULL : names[near];
}

const char *triad_own_key(int i, const char *what, char key[TRIAD_OWN_KEY])
{
  (void)snprintf(key, TRIAD_OWN_KEY, "output.quantities[%d]%.16s", i + 1, what);
  return key;
}

void triad_own_names_of(const triad_case *c, triad_own_names *own)
{
  char key[TRIAD_OWN_KEY];
  const int n = triad_case_tables(c, "output.quantities");
  own->n = n < TRIAD_OWN_QUANTITIES ? n : TRIAD_OWN_QUANTITIES;
  for (int i = 0; i < own->n; i++) {
    own->name[i] = triad_case_word(c, triad_own_key(i, ".name", key));
    own->unit[i] = triad_case_word(c, triad_own_key(i, ".unit", key));
    own->formula[i] = triad_case_word(c, triad_own_key(i, ".formula", key));
  }
}

int triad_quantity_exists(const char *name)
{
  int number;
  return find(NULL, (piece){name, strlen(name)}, &number) != NULL;
}

/* One of the case's own; 0: there is none of that name. */
static int put_own(const triad_own_names *own, piece name, triad_slice *out)
{
  for (int i = 0; own && i < own->n; i++) {
    if (strlen(own->name[i]) != name.length || memcmp(own->name[i], name.at, name.length) != 0) continue;
    triad_slice_quantity *to = &out->quantity[out->n++];
    *to = (triad_slice_quantity){.unit = own->unit[i], .kind = TRIAD_QUANTITY_FORMULA, .component = i};
    (void)snprintf(to->name, sizeof to->name, "%s", own->name[i]);
    (void)snprintf(to->long_name, sizeof to->long_name, "%s", own->formula[i]);
    return 1;
  }
  return 0;
}

static void complain(piece name, const char *solver, char *why, size_t size)
{
  char quote[TRIAD_QUOTE_SIZE], advice[TRIAD_QUOTE_SIZE], owners[TRIAD_SOLVER_NAMES];
  int number;
  const triad_quantity *other = find(NULL, name, &number);
  (void)triad_quote(quote, name.at, name.length);
  if (other)
    (void)snprintf(why, size, "%s is not a quantity of solver %s, only of %s", quote, solver,
                   triad_schema_quantity_solvers(other->name, NULL, owners));
  else
    (void)snprintf(why, size, "%s is not a quantity%s; triad case --quantities lists all", quote,
                   triad_did_you_mean(advice, nearest(name, solver)));
}

static int read_names(const char *at, const char *end, const char *solver, const triad_own_names *own, triad_slice *out,
                      char *why, size_t size)
{
  while (at <= end) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    piece name = trim(at, comma ? comma : end);
    int number;
    const triad_quantity *q = find(solver, name, &number);
    if (out->n == TRIAD_SLICE_MOST_QUANTITIES) {
      (void)snprintf(why, size, "more than %d quantities: remove some", TRIAD_SLICE_MOST_QUANTITIES);
      return 0;
    }
    if (q) {
      put(out, q, number);
    } else if (!put_own(own, name, out)) {
      complain(name, solver, why, size);
      return 0;
    }
    for (int i = 0; i < out->n - 1; i++)
      if (strcmp(out->quantity[i].name, out->quantity[out->n - 1].name) == 0) {
        (void)snprintf(why, size, "%s is repeated", out->quantity[i].name);
        return 0;
      }
    at = comma ? comma + 1 : end + 1;
  }
  return 1;
}

/* The quantities after the colon, or without a colon (NULL) the default ones of the solver. */
static int read_quantities(const char *colon, const char *end, const char *solver, const triad_own_names *own,
                           triad_slice *out, char *why, size_t size)
{
  if (colon) return read_names(colon + 1, end, solver, own, out, why, size);
  take_defaults(solver, out);
  return 1;
}

/* Are slices of this solver layers of cells? */
static int has_layers(const char *solver)
{
  for (int p = 0; solver && triad_case_part_at(p); p++)
    if (triad_case_part_at(p)->layers && triad_case_part_has(triad_case_part_at(p), solver)) return 1;
  return 0;
}

/* A number from 1 to 2^31 - 1, digits alone; 0: it is none. */
static int count_of(piece text)
{
  int64_t n = 0;
  for (size_t i = 0; i < text.length && n <= INT32_MAX; i++) {
    if (text.at[i] < '0' || text.at[i] > '9') return 0;
    n = 10 * n + (text.at[i] - '0');
  }
  return n <= INT32_MAX ? (int)n : 0;
}

/* "k=1", "3.k=1" or "auto", the first layer along k of all blocks. */
static int read_layer(piece plane, const char *text, triad_slice *out, char *why, size_t size)
{
  char quote[TRIAD_QUOTE_SIZE];
  const char *end = plane.at + plane.length, *equals = memchr(plane.at, '=', plane.length);
  const char *stop = equals ? equals : end, *dot = memchr(plane.at, '.', (size_t)(stop - plane.at));
  const piece axis = trim(dot ? dot + 1 : plane.at, stop), block = trim(plane.at, dot ? dot : plane.at);
  out->layer = 1;
  out->axis = 2;
  out->at = 1;
  if (plane.length == 4 && memcmp(plane.at, "auto", 4) == 0) return 1;
  if (equals && axis.length == 1 && strchr("ijk", *axis.at) && count_of(trim(equals + 1, end)) > 0 &&
      (!dot || count_of(block) > 0)) {
    out->axis = *axis.at - 'i';
    out->at = count_of(trim(equals + 1, end));
    out->block = dot ? count_of(block) : 0;
    return 1;
  }
  (void)snprintf(why, size,
                 "%s is not a layer of cells: write \"k=1\" for all blocks, or \"3.j=20: mach, p\" for one block",
                 triad_quote(quote, text, strlen(text)));
  return 0;
}

int triad_slice_read(const char *text, const char *solver, const triad_own_names *own, triad_slice *out, char *why,
                     size_t size)
{
  char quote[TRIAD_QUOTE_SIZE];
  const char *end = text + strlen(text), *colon = strchr(text, ':'), *equals = strchr(text, '=');
  const char *stop = colon ? colon : end;
  *out = (triad_slice){0};
  piece plane = trim(text, stop);
  if (has_layers(solver))
    return read_layer(plane, text, out, why, size) ? read_quantities(colon, end, solver, own, out, why, size) : 0;
  if (plane.length == 4 && memcmp(plane.at, "auto", 4) == 0) {
    out->free = 1;
    out->axis = 2;
    return read_quantities(colon, end, solver, own, out, why, size);
  }
  piece axis = trim(text, equals && equals < stop ? equals : stop);
  if (!equals || equals > stop || axis.length != 1 || !strchr("xyz", *axis.at)) {
    (void)snprintf(why, size, "%s is not a plane: write \"z=0\" or \"x=pi: vorticity, u\"",
                   triad_quote(quote, text, strlen(text)));
    return 0;
  }
  out->axis = *axis.at - 'x';
  piece at = trim(equals + 1, stop);
  if (!triad_number_read(at.at, at.length, &out->at)) {
    (void)snprintf(why, size, "%s is not a coordinate: write 1.5, \"2pi\" or \"pi/2\"",
                   triad_quote(quote, at.at, at.length));
    return 0;
  }
  return read_quantities(colon, end, solver, own, out, why, size);
}

int triad_quantity_read(const char *text, const char *solver, const triad_own_names *own, triad_slice_quantity *out,
                        char *why, size_t size)
{
  triad_slice one = {0};
  const char *comma = strchr(text, ',');
  char quote[TRIAD_QUOTE_SIZE];
  if (comma) {
    (void)snprintf(why, size, "%s is not a quantity: give each as a separate text",
                   triad_quote(quote, text, strlen(text)));
    return 0;
  }
  if (!read_names(text, text + strlen(text), solver, own, &one, why, size)) return 0;
  *out = one.quantity[0];
  return 1;
}
