/* The text in C that kernels of equations as text are compiled from (solvers/spectral/text/code/code.h): compiled by
 * the host's compiler, it gives the products, rates and inputs of the row evaluator, for equations with random
 * numbers. TRIAD_TEXT_CODE in the environment: a folder for the texts (tests/cuda/test_nvrtc.py). */
#include "text_code.h"

#include "fft/pass/transform.h"
#include "solvers/spectral/text/compile/clock.h"
#include "solvers/spectral/text/code/code.h"
#include "solvers/spectral/text/text_points.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#define COMMON \
  "[grid]\nn = [16, 12, 18]\nlength = [6.3, 3.5, 9.75]\n[initial]\nkind = \"zero\"\n[time]\nend = 1\n[equations]\n" \
  "solver = \"text\"\naliased = true\n"

/* %f: numbers that are drawn. */
static const char *const given[] = {
  COMMON
  "fields = [\"a\", \"b\", \"c\"]\nlinear = \"decay\"\nevolve = [\"dt(a) = %f*a*dx(b) + %f*b*lap(c) - %f*dx(dz(c)) + "
  "%f*a*b*dy(c) + %f*dx(a*b) + lap(a, 3) + 0.5*t*dx(a)\", \"dt(b) = %f*c*c + %f*dz(a*c) + %f*dy(a)*dz(a) + %f*b - "
  "lap(b, 2)\", "
  "\"dt(c) = %f*cos(x)*a*c + %f*sin(3*t)*b*c + %f*cos(2*t)*a + %f*lap(dx(a)) + lap(c, 3)\"]\n",
  COMMON "fields = [\"q\", \"r\"]\nlet = [\"p = invert(lap(p) - %f*p - 0.3*dx(p), q - %f*s)\", "
         "\"s = invert(%f*lap(s) - s + %f*p, r)\", \"h = invert(sqrt(-lap(h)), r)\"]\n"
         "evolve = [\"dt(q) = %f*dx(p)*dy(q) - %f*dy(s)*dx(q) + %f*dx(h)*q\", \"dt(r) = %f*p*s + lap(r) + %f*dx(q) - "
         "%f*dx(r)\"]\ninvariants = [\"Z = mean(p*q)\"]\n",
  COMMON "fields = [\"solenoidal u\", \"solenoidal b\"]\nevolve = [\"dt(u) + u@grad(u) = %f*b@grad(b) + 0.4*lap(u) + "
         "cross((0, %f, %f), u)\", \"dt(b) = %f*curl(cross(u, b)) + 0.1*lap(b)\"]\n"
         "invariants = [\"cross = mean(u@b)\"]\n",
  COMMON "fields = [\"complex a\", \"b\"]\nlet = [\"p = invert((%f - 2*i)*p - lap(p) + %f*dx(p), a)\", "
         "\"s = invert(lap(s) - s, %f*conj(p) - i*b)\"]\n"
         "evolve = [\"dt(a) = i*%f*p*s + lap(a) + %f*s\", \"dt(b) = %f*abs2(p) + real(s)*b + imag(dx(p))\"]\n"};
enum { CASES = sizeof given / sizeof *given, N = 64 };

/* A gradient of high order, small where |k| is small, next to a curl: its coefficient is no rounding error of the
 * curl's. */
static const char uneven[] =
  COMMON "fields = [\"solenoidal u\", \"s\"]\nlinear = \"decay\"\n"
         "evolve = [\"dt(u) = curl((s*s, s, 0)) + (1e-33*lap(s, 8), 0, 0)\", \"dt(s) = s*u_x\"]\n";
static const char divergence_free[] = COMMON "fields = [\"solenoidal u\", \"s\"]\nlinear = \"decay\"\n"
                                             "evolve = [\"dt(u) = curl((s*s, s, 0))\", \"dt(s) = s*u_x\"]\n";

static uint64_t draws;

static double draw(void) { return triad_test_random(11, draws++); }

/* The case with numbers in place of %f. */
static void fill_case(const char *from, char *to, size_t size)
{
  size_t at = 0;
  for (; *from && at + 32 < size; from++)
    if (from[0] == '%' && from[1] == 'f') {
      at += (size_t)snprintf(to + at, size - at, "(%.17g)", draw());
      from++;
    } else to[at++] = *from;
  to[at] = '\0';
}

static void write_text(const char *path, const char *code)
{
  FILE *to = fopen(path, "we");
  assert_non_null(to);
  (void)fprintf(
    to,
    "%s__attribute__((visibility(\"default\"))) double call_point(const triad_text_law *c, const double *v, "
    "double *out) { triad_text_point(c, 0, v, out); return triad_text_rate(c, v); }\n"
    "__attribute__((visibility(\"default\"))) void call_source(const triad_text_law *c, const double *k, const "
    "triad_cplx *u, triad_cplx *made) { triad_text_source(c, k, u, made); }\n"
    "__attribute__((visibility(\"default\"))) void call_mode(const triad_text_law *c, const double *k, const "
    "triad_cplx *u, const triad_cplx *t, triad_cplx *n) { triad_text_mode(c, k, u, t, n); }\n",
    code);
  TRIAD_EQUAL(fclose(to), 0, path);
}

typedef struct compiled {
  double (*point)(const triad_text_law *, const double *, double *);
  void (*source)(const triad_text_law *, const double *, const triad_cplx *, triad_cplx *);
  void (*mode)(const triad_text_law *, const double *, const triad_cplx *, const triad_cplx *, triad_cplx *);
} compiled;

static void find(void *library, const char *name, void *to)
{
  void *call = dlsym(library, name);
  assert_non_null(call);
  memcpy(to, &call, sizeof call);
}

static compiled compile(const triad_text_set *s, int number)
{
  char folder[] = "/tmp/triad-test-XXXXXX", source[96], library[96], command[384];
  char *code;
  compiled c;
  assert_non_null(mkdtemp(folder));
  (void)snprintf(source, sizeof source, "%s/text.c", folder);
  (void)snprintf(library, sizeof library, "%s/text.so", folder);
  (void)snprintf(command, sizeof command, "cc -std=c17 -O1 -ffp-contract=off -shared -fPIC -Isrc -I. -o %s %s -lm",
                 library, source);
  TRIAD_CHECK(triad_text_code(s, &code));
  write_text(source, code);
  (void)test_text_code_write("text", number, code);
  free(code);
  TRIAD_EQUAL(system(command), 0, command);
  void *open = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!open) fail_msg("%s", dlerror());
  find(open, "call_point", &c.point);
  find(open, "call_source", &c.source);
  find(open, "call_mode", &c.mode);
  (void)unlink(source);
  (void)unlink(library);
  (void)rmdir(folder);
  return c;
}

static const double limit = 8 * DBL_EPSILON; /* some roundings of sums of a few terms */

static triad_text_law law_of(const triad_text_set *s)
{
  triad_text_law law = {{0}, {0}};
  memcpy(law.clock, s->clock, sizeof law.clock);
  memcpy(law.constant, s->constant, sizeof law.constant);
  return law;
}

/* Two rows of points: values of two points are together (fft/pass/pass.h). */
static void check_points(const triad_flow *flow, const compiled *c)
{
  const triad_text_set *s = flow->self;
  const triad_text_schedule *q = s->schedule;
  const triad_text_law law = law_of(s);
  const int64_t nx = flow->grid.n[0], n = 2 * nx;
  double rows[TRIAD_TEXT_INPUTS][N], made[TRIAD_TEXT_OUTPUTS][N], peaks[TRIAD_PEAKS] = {0}, most = 0, fastest = 0;
  double *in[TRIAD_TEXT_INPUTS], *out[TRIAD_TEXT_OUTPUTS];
  const triad_patch at = {.y = 2, .z = 3, .n = n};
  for (int f = 0; f < q->n_inputs; f++) {
    in[f] = rows[f];
    for (int64_t i = 0; i < n; i++) rows[f][i] = draw() - 0.5;
  }
  for (int r = 0; r < q->n_outputs; r++) out[r] = made[r];
  triad_text_points(flow->self, 0, &at, in, out, peaks);
  for (int r = 0; r < q->n_outputs; r++)
    for (int64_t i = 0; i < n; i++) most = fmax(most, fabs(made[r][i]));
  for (int64_t i = 0; i < n; i++) {
    double v[TRIAD_TEXT_INPUTS + TRIAD_TEXT_PROFILES], here[TRIAD_TEXT_OUTPUTS];
    for (int f = 0; f < q->n_inputs; f++) v[f] = rows[f][i];
    for (int p = 0; p < q->n_profiles; p++)
      v[q->n_inputs + p] = s->profile[p][triad_layout_row(flow->layout, 2 + i % 2, 3) + i / 2];
    fastest = fmax(fastest, c->point(&law, v, here));
    for (int r = 0; r < q->n_outputs; r++)
      TRIAD_HOLDS(fabs(here[r] - made[r][i]) <= limit * most, "product %d is %.17g, in rows %.17g", r, here[r],
                  made[r][i]);
  }
  TRIAD_HOLDS(fabs(fastest - peaks[0]) <= limit * peaks[0] && peaks[0] > 0, "the rate is %.17g, in rows %.17g", fastest,
              peaks[0]);
}

/* Inputs that are made of fields, and rates, of all kept modes of a block of columns; block 0 has the mean. */
static void check_modes(triad_flow *flow, const compiled *c, int64_t of_block)
{
  const triad_text_set *s = flow->self;
  const triad_text_law law = law_of(s);
  const triad_layout *l = flow->layout;
  const int fields = s->text->n_fields, n_in = s->schedule->n_inputs;
  const triad_batch block = {.layout = l, .block = of_block};
  for (int64_t j = 0; j < l->nkz; j++) {
    triad_cplx u[TRIAD_TEXT_FIELDS][TRIAD_LANES], t[TRIAD_TEXT_OUTPUTS][TRIAD_LANES];
    const triad_cplx *from[TRIAD_TEXT_FIELDS], *results[TRIAD_TEXT_OUTPUTS];
    triad_lane_row rates[TRIAD_TEXT_FIELDS];
    double most = 0;
    for (int f = 0; f < fields; f++) {
      from[f] = u[f];
      for (int i = 0; i < TRIAD_LANES; i++) u[f][i] = (triad_cplx){draw() - 0.5, draw() - 0.5};
    }
    for (int r = 0; r < s->n_results; r++) {
      results[r] = t[r];
      for (int i = 0; i < TRIAD_LANES; i++) t[r][i] = (triad_cplx){draw() - 0.5, draw() - 0.5};
    }
    triad_text_rates(s, &block, j, from, results, rates);
    for (int i = 0; i < TRIAD_LANES; i++) {
      triad_cplx v[TRIAD_TEXT_FIELDS], p[TRIAD_TEXT_OUTPUTS], n[TRIAD_TEXT_FIELDS], made[TRIAD_TEXT_INPUTS];
      const int64_t column = block.block * TRIAD_LANES + i, at = (block.block * l->nkz + j) * TRIAD_LANES + i;
      double k[3];
      if (l->kz[j] > l->kz_extent[column] || -l->kz[j] > l->kz_extent[column]) continue;
      triad_layout_derivative(l, column, j, k);
      for (int f = 0; f < fields; f++) v[f] = u[f][i];
      for (int r = 0; r < s->n_results; r++) p[r] = t[r][i];
      c->mode(&law, k, v, p, n);
      for (int f = 0; f < fields; f++) most = fmax(most, hypot(rates[f][i].re, rates[f][i].im));
      for (int f = 0; f < fields; f++)
        TRIAD_HOLDS(hypot(n[f].re - rates[f][i].re, n[f].im - rates[f][i].im) <= limit * fmax(most, 1),
                    "rate of field %d is %.17g, in rows %.17g", f, n[f].re, rates[f][i].re);
      c->source(&law, k, v, made);
      for (int input = 0, number = 0; input < n_in; input++) {
        triad_cplx row[TRIAD_LANES] = {{0, 0}};
        if (triad_text_input_field(s, input) >= 0) continue;
        for (int x = 0; x < s->n_sources; x++)
          if (s->source[x].to == input)
            triad_text_link_row(0, &s->source[x], &block, j, at - i, u[s->source[x].from], row);
        TRIAD_HOLDS(hypot(made[number].re - row[i].re, made[number].im - row[i].im) <=
                      limit * fmax(hypot(row[i].re, row[i].im), 1),
                    "input %d is %.17g, in rows %.17g", input, made[number].re, row[i].re);
        number++;
      }
    }
  }
}

TRIAD_TEST(compiled_text_gives_the_values_of_rows)
{
  for (int i = 0; i < CASES; i++) {
    char text[4096];
    fill_case(given[i], text, sizeof text);
    test_flow f = test_flow_make(test_together(), text, NULL);
    triad_text_set_time(f.flow->self, 0.7);
    const compiled c = compile(f.flow->self, i);
    for (int times = 0; times < 3; times++) check_points(f.flow, &c);
    for (int64_t block = 1; block >= 0; block--) check_modes(f.flow, &c, block);
    test_flow_free(&f);
  }
}

TRIAD_TEST(a_rate_is_projected_unless_all_its_terms_are_free_of_divergence)
{
  const char *const texts[] = {divergence_free, uneven};
  for (int i = 0; i < 2; i++) {
    test_flow f = test_flow_make(test_together(), texts[i], NULL);
    TRIAD_EQUAL(((const triad_text_set *)f.flow->self)->projected[0], i, "projected");
    test_flow_free(&f);
  }
}

/* 1 + i k_x c is complex, however small c is; the inverse of a matrix with imaginary elements beside its diagonal has
 * such. */
TRIAD_TEST(parities_do_not_depend_on_coefficients)
{
  static const int flat[3] = {0, 0, 0};
  static const double unit[3] = {1, 1, 1};
  triad_text_operators *o = malloc(sizeof *o);
  assert_non_null(o);
  triad_text_operators_start(o, flat, unit);
  const triad_text_scaled one = triad_text_number(1), x = triad_text_wave(o, 0), lap = triad_text_laplacian(o);
  TRIAD_EQUAL(triad_text_parity_of(o, triad_text_add(o, one, triad_text_of(1e-30, x.node)).node), TRIAD_TEXT_COMPLEX,
              "1 + 1e-30 dx");
  const triad_text_scaled sum = triad_text_add(o, lap, triad_text_of(1e-40, triad_text_power(o, lap, 8).node));
  TRIAD_HOLDS(sum.node != lap.node, "a term of high order is dropped");
  /* (lap + F) lap = lap lap + F lap; lap lap / lap = lap, but lap / lap is not 1, for the mean */
  const triad_text_scaled shifted = triad_text_add(o, lap, triad_text_number(0.3)),
                          square = triad_text_times(o, lap, lap);
  const triad_text_scaled a = triad_text_times(o, shifted, lap),
                          b = triad_text_add(o, square, triad_text_of(0.3, lap.node));
  TRIAD_HOLDS(a.node == b.node && fabs(a.c - b.c) < 1e-15, "(lap + F) lap is not lap lap + F lap");
  const triad_text_scaled inverse = triad_text_inverse(o, lap);
  TRIAD_EQUAL(triad_text_times(o, square, inverse).node, lap.node, "lap lap / lap");
  TRIAD_HOLDS(triad_text_times(o, lap, inverse).node != TRIAD_TEXT_ONE, "lap / lap is 1 for the mean");
  TRIAD_EQUAL(triad_text_times(o, shifted, triad_text_inverse(o, shifted)).node, TRIAD_TEXT_ONE, "(lap + F)/(lap + F)");
  o->n_systems = 1;
  o->system[0] = (triad_text_system){2, {{lap, x}, {x, lap}}};
  TRIAD_EQUAL(triad_text_parity_of(o, triad_text_entry(o, 0, 0, 0).node), TRIAD_TEXT_REAL, "element 0, 0");
  TRIAD_EQUAL(triad_text_parity_of(o, triad_text_entry(o, 0, 0, 1).node), TRIAD_TEXT_IMAGINARY, "element 0, 1");
  /* two matrices of one element each, in one of four */
  o->n_systems = 2;
  o->system[1] =
    (triad_text_system){2, {{triad_text_number(0), lap}, {triad_text_add(o, x, lap), triad_text_number(0)}}};
  TRIAD_EQUAL(triad_text_parity_of(o, triad_text_entry(o, 1, 1, 0).node), TRIAD_TEXT_REAL, "1/lap");
  TRIAD_EQUAL(triad_text_parity_of(o, triad_text_entry(o, 1, 0, 1).node), TRIAD_TEXT_COMPLEX, "1/(dx + lap)");
  TRIAD_EQUAL(triad_text_entry(o, 1, 0, 0).node, TRIAD_TEXT_ZERO, "an element that connects the two");
  free(o);
}

TRIAD_MAIN
