/* Inputs, products, and the fewest combinations of products that come back.
 *
 * The rates are rows (field, operator) of numbers on products. The rank of these rows is the number of fields that come
 * back: rows that depend on others are made of them. Gradients do not count for solenoidal vectors: the row of the last
 * component along the last axis is taken off the diagonal. Forms of the products are tried one by one. */
#include "solvers/spectral/text/compile/clock.h"
#include "solvers/spectral/text/compile/rank.h"
#include "solvers/spectral/text/compile/schedule.h"

#include "base/status.h"
#include "solvers/spectral/text/compile/algebra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 128, CHOICES = 8, NOT = -1 };

typedef struct row {
  int field, node;
  double c[TRIAD_TEXT_PRODUCTS], size[TRIAD_TEXT_PRODUCTS]; /* size: the sums of the absolute values of their parts */
} row;

typedef struct builder {
  triad_text *text;
  const triad_grid *grid;
  triad_text_schedule *s;
  int n_rows;
  row rows[ROWS];
  double basis[TRIAD_TEXT_OUTPUTS][TRIAD_TEXT_PRODUCTS]; /* the outputs' rows */
} builder;

/* ---- inputs and products ---- */

static int find_product(builder *b, const triad_text_term *x, double *scale)
{
  triad_text_schedule *s = b->s;
  triad_text_product p = {
    .n = x->n, .profile = triad_text_find_profile(s, x->profile), .clock = triad_text_find_clock(b->text, s, x->clock)};
  *scale = 1;
  if (p.profile < -1 || p.clock < -1) return -1;
  for (int i = 0; i < x->n; i++) {
    double of_input;
    int at = i;
    const int input = triad_text_find_input(b->text, s, x->factor[i], &of_input);
    if (input < 0) return -1;
    *scale *= of_input;
    for (; at > 0 && p.input[at - 1] > input; at--) p.input[at] = p.input[at - 1];
    p.input[at] = input;
  }
  for (int i = 0; i < s->n_products; i++) {
    const triad_text_product *q = &s->product[i];
    if (q->n == p.n && q->profile == p.profile && q->clock == p.clock &&
        memcmp(q->input, p.input, (size_t)p.n * sizeof *p.input) == 0)
      return i;
  }
  if (s->n_products == TRIAD_TEXT_PRODUCTS) return -1;
  s->product[s->n_products] = p;
  return s->n_products++;
}

/* ---- rows ---- */

static row *find_row(builder *b, int field, int node)
{
  for (int i = 0; i < b->n_rows; i++)
    if (b->rows[i].field == field && b->rows[i].node == node) return &b->rows[i];
  if (b->n_rows == ROWS) return NULL;
  row *r = &b->rows[b->n_rows++];
  *r = (row){.field = field, .node = node};
  return r;
}

/* A function of time before one field, or alone: no product. */
static int add_timed(builder *b, int field, const triad_text_term *x)
{
  triad_text_schedule *s = b->s;
  const int clock = triad_text_find_clock(b->text, s, x->clock);
  if (clock < 0 || s->n_timed == TRIAD_TEXT_TIMED) return 0;
  s->timed[s->n_timed++] =
    (triad_text_timed){field, clock, x->n == 1 ? x->factor[0] : (triad_text_factor){TRIAD_TEXT_ZERO, 0}, x->c};
  return 1;
}

static void add_to(row *r, int product, double c, double size)
{
  r->c[product] += c;
  r->size[product] += size;
}

/* A coefficient whose parts cancel is 0, and no other one: small ones may be before large products. */
static void drop_residues(builder *b)
{
  for (int i = 0; i < b->n_rows; i++)
    for (int p = 0; p < b->s->n_products; p++)
      if (!(fabs(b->rows[i].c[p]) > TRIAD_TEXT_ROUNDING * b->rows[i].size[p])) b->rows[i].c[p] = 0;
}

static int take_rows(builder *b, const triad_text_sum *forms)
{
  for (int a = 0; a < b->text->n_fields; a++)
    for (int i = 0; i < forms[a].n; i++) {
      const triad_text_term *x = &forms[a].term[i];
      double scale;
      if (x->n == 0 && !x->profile && !x->clock) {
        b->s->constant[a] += x->c;
        continue;
      }
      if (x->n < 2 && !x->profile) {
        if (!add_timed(b, a, x)) return 0;
        continue;
      }
      const int product = find_product(b, x, &scale);
      row *r = product < 0 ? NULL : find_row(b, a, x->outer);
      if (!r) return 0;
      add_to(r, product, x->c * scale, triad_text_size(x) * fabs(scale));
    }
  return 1;
}

static int last_axis(const triad_text *t) { return !t->flat[2] ? 2 : !t->flat[1] ? 1 : 0; }

/* A gradient adds nothing to a solenoidal rate: take that of the last diagonal off. */
static int drop_trace(builder *b)
{
  triad_text *t = b->text;
  const int last = last_axis(t);
  for (int a = 0; a + 2 < t->n_fields; a++) {
    if (!t->field[a].solenoidal || t->field[a].axis != 0) continue;
    const triad_text_scaled along = triad_text_wave(&t->operators, last);
    const row *of = NULL;
    for (int i = 0; i < b->n_rows; i++)
      if (b->rows[i].field == a + last && b->rows[i].node == along.node) of = &b->rows[i];
    if (!of) continue;
    const row trace = *of;
    for (int axis = 0; axis <= last; axis++) {
      const triad_text_scaled wave = triad_text_wave(&t->operators, axis);
      if (wave.node == TRIAD_TEXT_ZERO) continue; /* an axis of one point: a gradient has no part along it */
      row *r = find_row(b, a + axis, wave.node);
      if (!r) return 0;
      for (int p = 0; p < b->s->n_products; p++) add_to(r, p, -trace.c[p], trace.size[p]);
    }
  }
  return 1;
}

/* ---- outputs ---- */

static double size_of(const double *c, int n)
{
  double most = 0;
  for (int p = 0; p < n; p++) most = fmax(most, fabs(c[p]));
  return most;
}

static int add_output(builder *b, const double *c)
{
  triad_text_schedule *s = b->s;
  if (s->n_outputs == TRIAD_TEXT_OUTPUTS) return 0;
  triad_text_output *o = &s->output[s->n_outputs];
  *o = (triad_text_output){0};
  for (int p = 0; p < s->n_products; p++) {
    b->basis[s->n_outputs][p] = c[p];
    if (!(fabs(c[p]) > 0)) continue;
    o->product[o->n] = p;
    o->c[o->n++] = c[p];
  }
  s->n_outputs++;
  return 1;
}

/* Rows become outputs with 1 before their first product; the uses of all rows follow. */
static int take_outputs(builder *b)
{
  triad_text_schedule *s = b->s;
  const int m = s->n_products;
  double x[TRIAD_TEXT_OUTPUTS], unit[TRIAD_TEXT_PRODUCTS];
  for (int i = 0; i < b->n_rows; i++) {
    const row *r = &b->rows[i];
    int first = 0;
    if (!(size_of(r->c, m) > 0)) continue;
    if (!triad_text_rank_depends(s->n_outputs, m, b->basis, r->c, x)) {
      while (!(fabs(r->c[first]) > TRIAD_TEXT_ROUNDING * size_of(r->c, m))) first++;
      for (int p = 0; p < m; p++) unit[p] = r->c[p] / r->c[first];
      if (!add_output(b, unit) || !triad_text_rank_depends(s->n_outputs, m, b->basis, r->c, x)) return 0;
    }
    for (int o = 0; o < s->n_outputs; o++) {
      if (!(fabs(x[o]) > 0)) continue;
      if (s->n_uses == TRIAD_TEXT_USES) return 0;
      s->use[s->n_uses++] = (triad_text_use){r->field, o, r->node, x[o]};
    }
  }
  return 1;
}

/* ---- chains ---- */

/* next[o]: the output that follows o in i k_x o + i k_y next, in every use of either; NOT: none. */
static void find_pairs(const triad_text_schedule *s, const int wave[2], int *next)
{
  int good[TRIAD_TEXT_USES], before[TRIAD_TEXT_OUTPUTS];
  for (int u = 0; u < s->n_uses; u++) good[u] = s->use[u].node == wave[0] || s->use[u].node == wave[1];
  for (int again = 1; again;) {
    again = 0;
    for (int o = 0; o < s->n_outputs; o++) next[o] = before[o] = NOT;
    for (int u = 0; u < s->n_uses; u++) {
      const triad_text_use *x = &s->use[u];
      int partner = NOT;
      if (!good[u]) continue;
      for (int v = 0; v < s->n_uses; v++)
        if (good[v] && s->use[v].field == x->field && s->use[v].node == (x->node == wave[0] ? wave[1] : wave[0]) &&
            fabs(s->use[v].c - x->c) <= TRIAD_TEXT_ROUNDING * fabs(x->c))
          partner = partner == NOT ? v : -2;
      if (partner >= 0) {
        const int a = x->node == wave[0] ? x->output : s->use[partner].output;
        const int b = x->node == wave[0] ? s->use[partner].output : x->output;
        if (a != b && (next[a] == NOT || next[a] == b) && (before[b] == NOT || before[b] == a)) {
          next[a] = b;
          before[b] = a;
          continue;
        }
      }
      good[u] = 0;
      again = 1;
    }
    /* an output that is used in another way is in no chain */
    for (int u = 0; u < s->n_uses; u++)
      for (int v = 0; v < s->n_uses; v++)
        if (!good[u] && good[v] && s->use[v].output == s->use[u].output) {
          good[v] = 0;
          again = 1;
        }
  }
}

/* i k_x a p + i k_y b q with |a| != |b| or other signs: q takes the factor b/a, if it is used nowhere else. */
static void even_out(triad_text_schedule *s, const int wave[2])
{
  for (int u = 0; u < s->n_uses; u++)
    for (int v = 0; v < s->n_uses; v++) {
      triad_text_use *x = &s->use[u], *y = &s->use[v];
      int uses = 0;
      if (x->field != y->field || x->node != wave[0] || y->node != wave[1] || !(fabs(x->c - y->c) > 0)) continue;
      for (int w = 0; w < s->n_uses; w++) uses += s->use[w].output == y->output;
      if (uses != 1) continue;
      triad_text_output *o = &s->output[y->output];
      for (int k = 0; k < o->n; k++) o->c[k] *= y->c / x->c;
      y->c = x->c;
    }
}

typedef struct path {
  int length, output[TRIAD_TEXT_OUTPUTS];
} path;

/* Paths of at least two outputs; a ring has none. */
static int find_paths(const triad_text_schedule *s, const int *next, path *paths)
{
  int n = 0, has_before[TRIAD_TEXT_OUTPUTS] = {0};
  for (int o = 0; o < s->n_outputs; o++)
    if (next[o] != NOT) has_before[next[o]] = 1;
  for (int o = 0; o < s->n_outputs; o++) {
    if (has_before[o] || next[o] == NOT) continue;
    path *p = &paths[n++];
    p->length = 0;
    for (int q = o; q != NOT; q = next[q]) p->output[p->length++] = q;
  }
  return n;
}

/* Renumber the outputs by order[new] = old. */
static void reorder(triad_text_schedule *s, const int *order)
{
  triad_text_output *old = malloc((size_t)s->n_outputs * sizeof *old);
  int number[TRIAD_TEXT_OUTPUTS];
  if (!old) {
    s->full = 1;
    return;
  }
  memcpy(old, s->output, (size_t)s->n_outputs * sizeof *old);
  for (int o = 0; o < s->n_outputs; o++) {
    s->output[o] = old[order[o]];
    number[order[o]] = o;
  }
  for (int u = 0; u < s->n_uses; u++) s->use[u].output = number[s->use[u].output];
  free(old);
}

/* Uses of a chain's outputs become one of its sums; other uses move forward. left[o]: the number of the sum that
 * begins with output o, or of o itself. */
static void use_sums(triad_text_schedule *s, const int wave[2], const int *left, const int *in_chain)
{
  int n = 0;
  for (int u = 0; u < s->n_uses; u++) {
    triad_text_use x = s->use[u];
    if (in_chain[x.output] && x.node == wave[1]) continue; /* its partner along x has both */
    if (in_chain[x.output]) x.node = TRIAD_TEXT_ONE;
    x.output = left[x.output];
    s->use[n++] = x;
  }
  s->n_uses = n;
}

/* Chains of at most two lengths come first, then what is in no chain. */
static void take_chains(builder *b)
{
  triad_text_schedule *s = b->s;
  int next[TRIAD_TEXT_OUTPUTS], order[TRIAD_TEXT_OUTPUTS], left[TRIAD_TEXT_OUTPUTS], placed[TRIAD_TEXT_OUTPUTS] = {0};
  int in_chain[TRIAD_TEXT_OUTPUTS] = {0}, n = 0, n_left = 0, units = 0;
  path paths[TRIAD_TEXT_OUTPUTS];
  const int wave[2] = {triad_text_wave(&b->text->operators, 0).node, triad_text_wave(&b->text->operators, 1).node};
  s->n_left = s->n_outputs;
  s->chains = (triad_chains){0};
  if (wave[0] == TRIAD_TEXT_ZERO || wave[1] == TRIAD_TEXT_ZERO) return;
  even_out(s, wave);
  find_pairs(s, wave, next);
  const int n_paths = find_paths(s, next, paths);
  for (int length = TRIAD_TEXT_OUTPUTS; length >= 2 && units < TRIAD_CHAIN_UNITS; length--) {
    int count = 0;
    for (int i = 0; i < n_paths; i++) {
      if (paths[i].length != length) continue;
      for (int k = 0; k < length; k++) {
        order[n] = paths[i].output[k];
        placed[order[n]] = in_chain[n] = 1;
        left[n++] = k < length - 1 ? n_left++ : NOT;
      }
      count++;
    }
    if (count > 0) s->chains.unit[units++] = (triad_chain_unit){length, 0, count};
  }
  for (int o = 0; o < s->n_outputs; o++)
    if (!placed[o]) {
      order[n] = o;
      left[n++] = n_left++;
    }
  reorder(s, order);
  use_sums(s, wave, left, in_chain);
  s->n_left = n_left;
}

/* ---- the search ---- */

/* Build the schedule of these forms; its cost in transforms along an axis. Negative: it is too large. */
static double build(builder *b, const triad_text_sum *forms)
{
  *b->s = (triad_text_schedule){0};
  b->n_rows = 0;
  for (int f = 0; f < b->text->n_fields; f++) { /* bare fields first, those that are used */
    int used = b->text->carries && f < 3;
    double scale;
    for (int a = 0; a < b->text->n_fields; a++)
      for (int i = 0; i < forms[a].n; i++)
        for (int k = 0; k < forms[a].term[i].n && (forms[a].term[i].n > 1 || forms[a].term[i].profile); k++)
          used |= forms[a].term[i].factor[k].base == f && forms[a].term[i].factor[k].node == TRIAD_TEXT_ONE;
    if (used) (void)triad_text_find_input(b->text, b->s, (triad_text_factor){TRIAD_TEXT_ONE, f}, &scale);
  }
  if (!take_rows(b, forms) || !drop_trace(b)) return -1;
  drop_residues(b);
  if (!take_outputs(b)) return -1;
  if (!triad_text_speeds(b->text, b->grid, b->s)) return -1;
  take_chains(b);
  return 3 * b->s->n_inputs + 2 * b->s->n_outputs + b->s->n_left + 0.01 * b->s->n_products;
}

/* The forms of each field's terms: as they are, with derivatives taken off all bases one by one, or off one base. */
typedef struct choice {
  int n;
  triad_text_sum form[CHOICES];
} choice;

static int make_choices(triad_text *t, choice *c)
{
  for (int a = 0; a < t->n_fields; a++) {
    int base[CHOICES - 2];
    const int n = triad_text_derived_bases(t, &t->other[a], base, CHOICES - 2);
    c[a].form[0] = c[a].form[1] = t->other[a];
    c[a].n = n > 0 ? 2 : 1;
    for (int i = 0; i < n; i++) {
      triad_text_sum all;
      triad_text_sum *form = &c[a].form[c[a].n++];
      int good = triad_text_pull(t, &t->other[a], base[i], form);
      if (good == 0) return 0;
      if (good < 0) *form = t->other[a];
      good = triad_text_pull(t, &c[a].form[1], base[i], &all);
      if (good == 0) return 0;
      if (good > 0) c[a].form[1] = all;
    }
  }
  return 1;
}

/* From a start, change the form of one field at a time as long as it saves something. */
static double descend(builder *b, const choice *c, triad_text_sum *forms)
{
  const int n = b->text->n_fields;
  double best = build(b, forms);
  for (int again = 1; again;) {
    again = 0;
    for (int a = 0; a < n; a++)
      for (int i = 0; i < c[a].n; i++) {
        const triad_text_sum was = forms[a];
        if (c[a].form[i].term == was.term) continue;
        forms[a] = c[a].form[i];
        const double cost = build(b, forms);
        if (cost >= 0 && (best < 0 || cost < best - 1e-9)) {
          best = cost;
          again = 1;
        } else forms[a] = was;
      }
  }
  return best;
}

/* Starts: all as they are; for each number of a choice, all that have it; a field's own base first. */
static double search(builder *b, const choice *c, triad_text_sum *best_forms)
{
  const int n = b->text->n_fields;
  triad_text_sum forms[TRIAD_TEXT_FIELDS];
  double best = -1;
  for (int start = 0; start < CHOICES + 1; start++) {
    int differs = start == 0;
    for (int a = 0; a < n; a++) {
      int pick = start < c[a].n ? start : 0;
      if (start == CHOICES) { /* the form whose base is the field itself */
        int base[CHOICES - 2];
        const int bases = triad_text_derived_bases(b->text, &b->text->other[a], base, CHOICES - 2);
        for (int i = 0; i < bases; i++)
          if (base[i] == a) pick = i + 2;
      }
      differs |= pick > 0;
      forms[a] = c[a].form[pick];
    }
    if (!differs) continue;
    const double cost = descend(b, c, forms);
    if (cost < 0 || (best >= 0 && cost >= best - 1e-9)) continue;
    best = cost;
    memcpy(best_forms, forms, sizeof forms);
  }
  return best;
}

/* A pass has at least one field either way. */
static void fill_up(triad_text_schedule *s)
{
  if (s->n_inputs == 0) s->input[s->n_inputs++] = (triad_text_factor){TRIAD_TEXT_ONE, 0};
  if (s->n_outputs > 0) return;
  s->product[s->n_products++] = (triad_text_product){.n = 1, .input = {0}, .profile = -1, .clock = -1};
  s->output[s->n_outputs++] = (triad_text_output){.n = 1, .product = {s->n_products - 1}, .c = {1}};
  s->n_left = 1;
}

int triad_text_schedule_make(triad_text_schedule **out, triad_text *t, const triad_grid *grid)
{
  triad_text_sum forms[TRIAD_TEXT_FIELDS];
  builder *b = calloc(1, sizeof *b);
  choice *c = calloc(TRIAD_TEXT_FIELDS, sizeof *c);
  triad_text_schedule *s = *out = calloc(1, sizeof *s);
  int st = b && c && s && make_choices(t, c) ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the equations");
  if (st == TRIAD_OK) {
    b->text = t;
    b->grid = grid;
    b->s = s;
    if (search(b, c, forms) < 0 || build(b, forms) < 0)
      st = TRIAD_FAIL(
        TRIAD_ERR_FEATURE,
        "equations.evolve: more than %d products, %d fields or %d functions at points, or %d coefficients are "
        "not supported",
        TRIAD_TEXT_PRODUCTS, TRIAD_TEXT_INPUTS, TRIAD_TEXT_PROFILES, TRIAD_TEXT_SPEEDS);
    if (st == TRIAD_OK && (s->full || t->operators.full)) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the equations");
    fill_up(s);
    for (int o = 0; o < s->n_outputs; o++) memcpy(s->output[o].base, s->output[o].c, sizeof s->output[o].c);
  }
  free(b);
  free(c);
  if (st != TRIAD_OK) {
    free(s);
    *out = NULL;
  }
  return st;
}
