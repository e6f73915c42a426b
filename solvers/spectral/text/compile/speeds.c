/* What limits the step: terms a(x) M q in the rate of q, linearised in each factor. An operator of first order moves q
 * with the speed a; of higher order, it is a diffusion; a product without derivatives is a reaction. */
#include "solvers/spectral/text/compile/clock.h"
#include "solvers/spectral/text/compile/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a(x) M f in the rate of field `of`. */
typedef struct coupling {
  int of, field, n, input[TRIAD_TEXT_FACTORS], profile;
  double weight[4]; /* along x, y, z; and of no axis [1/time] */
} coupling;

enum { COUPLINGS = 512 };

/* Values of all nodes at wavenumbers k along each axis, then the diagonal: at the largest of the grid, and four times
 * that. */
typedef struct probe {
  int flat[3];
  double k[4], spacing[3];
  double complex near[4][TRIAD_TEXT_OPERATORS], far[4][TRIAD_TEXT_OPERATORS];
} probe;

static void take_probe(probe *p, const triad_text *t, const triad_grid *g)
{
  double diagonal[3], far[3];
  for (int i = 0; i < 3; i++) {
    p->flat[i] = t->flat[i];
    p->spacing[i] = triad_grid_spacing(g, i);
    diagonal[i] = t->flat[i] ? 0 : triad_grid_reach(g, i) / sqrt(3);
    p->k[i] = t->flat[i] ? 0 : triad_grid_reach(g, i);
  }
  for (int d = 0; d < 4; d++) {
    double k[3] = {0, 0, 0};
    if (d < 3) k[d] = p->k[d];
    else memcpy(k, diagonal, sizeof k);
    for (int i = 0; i < 3; i++) far[i] = 4 * k[i];
    triad_text_evaluate(&t->operators, k, NULL, p->near[d], NULL);
    triad_text_evaluate(&t->operators, far, NULL, p->far[d], NULL);
  }
}

/* The multiplier outer x factor x (base as field f), at a probe. */
static double size_at(const triad_text *t, const double complex *v, int outer, triad_text_factor x, int f)
{
  const double complex m = v[outer] * v[x.node];
  if (x.base < t->n_fields) return x.base == f ? cabs(m) : 0;
  const triad_text_scaled s = t->solved[x.base - t->n_fields][f];
  return cabs(m * s.c * v[s.node]);
}

static int has_waves(const triad_text_term *x)
{
  int any = x->outer != TRIAD_TEXT_ONE;
  for (int i = 0; i < x->n; i++) any |= x->factor[i].node != TRIAD_TEXT_ONE;
  return any;
}

/* Factor i of a term as what changes, the others as its coefficient. Returns 1 if it limits the step. */
static int weigh(const triad_text *t, const probe *p, const triad_text_term *x, int i, int f, coupling *c)
{
  int any = 0;
  for (int d = 0; d < 4; d++) {
    const double near = size_at(t, p->near[d], x->outer, x->factor[i], f);
    const double far = size_at(t, p->far[d], x->outer, x->factor[i], f);
    const double order = near > 0 ? log(far / near) / log(4) : -1;
    if (d < 3 && order > 0.5 && order < 1.5) {
      c->weight[d] = fabs(x->c) * near / p->k[d] / p->spacing[d];
      any = 1;
    } else if (order >= 1.5) {
      c->weight[3] = fmax(c->weight[3], fabs(x->c) * near);
      any = 1;
    } else if (order > -0.5 && !has_waves(x)) {
      c->weight[3] = fmax(c->weight[3], fabs(x->c) * near);
      any = 1;
    }
  }
  return any;
}

/* The others as inputs. 0: too many. */
static int take_inputs(const triad_text *t, triad_text_schedule *s, const triad_text_term *x, int i, coupling *c)
{
  for (int k = 0; k < x->n; k++) {
    double scale;
    if (k == i) continue;
    const int input = triad_text_find_input(t, s, x->factor[k], &scale);
    if (input < 0) return 0;
    c->input[c->n++] = input;
    for (int d = 0; d < 4; d++) c->weight[d] *= fabs(scale);
  }
  return 1;
}

static int is_same(const coupling *a, const coupling *b)
{
  return a->of == b->of && a->field == b->field && a->n == b->n && a->profile == b->profile &&
         memcmp(a->input, b->input, (size_t)a->n * sizeof *a->input) == 0;
}

/* All couplings; those with like coefficients are added. -1: too many. */
static int collect(triad_text *t, const probe *p, triad_text_schedule *s, coupling *list)
{
  int n = 0;
  for (int a = 0; a < t->n_fields; a++)
    for (int j = 0; j < t->other[a].n; j++) {
      const triad_text_term *x = &t->other[a].term[j];
      const int profile = triad_text_find_profile(s, x->profile);
      if (profile < -1) return -1;
      const int clock = triad_text_find_clock(t, s, x->clock);
      if (clock < -1) return -1;
      for (int i = 0; i < x->n && (x->n > 1 || x->profile || x->clock); i++)
        for (int f = 0; f < t->n_fields; f++) {
          coupling c = {.of = a, .field = f, .profile = profile};
          if (!weigh(t, p, x, i, f, &c)) continue;
          for (int d = 0; d < 4 && clock >= 0; d++) c.weight[d] *= s->clock[clock].most;
          if (!take_inputs(t, s, x, i, &c)) return -1;
          int k = 0;
          while (k < n && !is_same(&list[k], &c)) k++;
          if (k == COUPLINGS) return -1;
          if (k == n) list[n++] = c;
          else
            for (int d = 0; d < 4; d++) list[k].weight[d] += c.weight[d];
        }
    }
  return n;
}

static int append(triad_text_schedule *s, triad_text_speed speed)
{
  if (s->n_speeds == TRIAD_TEXT_SPEEDS) return 0;
  s->speed[s->n_speeds++] = speed;
  return 1;
}

static int is_square(const triad_text_speed *s)
{
  return s->profile[0] == s->profile[1] && (s->n == 0 || (s->n == 2 && s->input[0] == s->input[1]));
}

/* The parts of field a along an axis: its own couplings, and those there and back with another field. */
static int add_field(triad_text_schedule *s, const coupling *list, int n, int a, int axis, int sum)
{
  for (int i = 0; i < n; i++) {
    const coupling *c = &list[i];
    triad_text_speed speed = {.axis = axis, .sum = sum, .profile = {c->profile, -1}, .weight = c->weight[axis]};
    if (c->of != a || !(c->weight[axis] > 0)) continue;
    for (int k = 0; k < c->n; k++) speed.input[speed.n++] = c->input[k];
    if (c->field == a) {
      if (!append(s, speed)) return 0;
      continue;
    }
    for (int j = 0; j < n; j++) {
      const coupling *back = &list[j];
      triad_text_speed both = speed;
      if (back->of != c->field || back->field != a || !(back->weight[axis] > 0) || both.n + back->n > 4) continue;
      for (int k = 0; k < back->n; k++) both.input[both.n++] = back->input[k];
      both.profile[1] = back->profile;
      both.root = !is_square(&both);
      if (!both.root) { /* the root of a square */
        both.n /= 2;
        both.profile[1] = -1;
      }
      both.weight = sqrt(c->weight[axis] * back->weight[axis]);
      if (!append(s, both)) return 0;
    }
  }
  return 1;
}

/* Is a part of a sum among n others, with at least its weight? */
static int has_part(const triad_text_speed *list, int n, const triad_text_speed *part)
{
  for (int i = 0; i < n; i++)
    if (list[i].n == part->n && list[i].root == part->root && list[i].profile[0] == part->profile[0] &&
        list[i].profile[1] == part->profile[1] && list[i].weight >= part->weight * (1 - TRIAD_TEXT_EQUAL) &&
        memcmp(list[i].input, part->input, (size_t)part->n * sizeof *part->input) == 0)
      return 1;
  return 0;
}

static int is_within(const triad_text_speed *a, int n, const triad_text_speed *b, int m)
{
  for (int i = 0; i < n; i++)
    if (!has_part(b, m, &a[i])) return 0;
  return 1;
}

/* Drop the sum that begins at `first`, the last one of its axis, if an older one has all its parts; or older ones whose
 * parts it has. */
static void drop_sums(triad_text_schedule *s, int begin, int first)
{
  for (int old = begin, n; old < first; old += n) {
    const int count = s->n_speeds - first;
    for (n = 0; old + n < first && s->speed[old + n].sum == s->speed[old].sum;) n++;
    if (is_within(&s->speed[first], count, &s->speed[old], n)) {
      s->n_speeds = first;
      return;
    }
    if (!is_within(&s->speed[old], n, &s->speed[first], count)) continue;
    memmove(&s->speed[old], &s->speed[old + n], (size_t)(s->n_speeds - old - n) * sizeof *s->speed);
    s->n_speeds -= n;
    first -= n;
    n = 0;
  }
}

int triad_text_speeds(triad_text *t, const triad_grid *grid, triad_text_schedule *s)
{
  probe *p = malloc(sizeof *p);
  coupling *list = malloc(COUPLINGS * sizeof *list);
  int good = p && list, n = 0;
  s->n_speeds = 0;
  if (good) {
    take_probe(p, t, grid);
    n = collect(t, p, s, list);
    good = n >= 0;
  }
  for (int axis = 0; axis < 4 && good; axis++)
    for (int a = 0, begin = s->n_speeds; a < t->n_fields && good; a++) {
      const int first = s->n_speeds;
      good = add_field(s, list, n, a, axis, a);
      if (good) drop_sums(s, begin, first);
    }
  free(p);
  free(list);
  return good;
}
