/* Compile the kernels of a set of equations as text, keep its tables on a GPU, and launch the kernels. */
#include "solvers/spectral/text/gpu_text.h"

#include "fft/gpu/gpu_compiled.h"
#include "fft/gpu/gpu_library.h"
#include "parallel/gpu_program.h"
#include "solvers/spectral/text/code/code.h"
#include "solvers/spectral/text/compile/profiles.h"
#include "solvers/spectral/text/text_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)TRIAD_TEXT_LAW_CLOCKS == (int)TRIAD_TEXT_CLOCKS &&
                 (int)TRIAD_TEXT_LAW_FIELDS == TRIAD_TEXT_FIELDS && (int)TRIAD_TEXT_LAW_MATRIX == TRIAD_TEXT_MATRIX,
               "numbers of text.h and schedule.h");

_Static_assert((int)TRIAD_TEXT_KERNEL_PROFILES == (int)TRIAD_TEXT_PROFILES, "profiles of schedule.h");

enum { THREADS = 256, SUM_BLOCKS = 512 /* as device_measure.h has them */ };

typedef struct table {
  double tau;
  int64_t used; /* when it was last asked for */
  triad_cplx *element;
} table;

struct triad_text_gpu {
  triad_device *device;
  triad_gpu_program *steps, *sums, *rows; /* rows: the fused x pass, NULL: none */
  char *pass;                             /* the text of the x pass             */
  int fused, whole;
  int64_t asked;
  table table[TRIAD_TEXT_GPU_TIMES];
  triad_real *profile[TRIAD_TEXT_PROFILES];
};

static triad_text_gpu *gpu_of(const void *self) { return ((const triad_text_set *)self)->gpu_part; }

static triad_text_law law_of(const triad_text_set *s)
{
  triad_text_law law = {{0}, {0}};
  memcpy(law.clock, s->clock, sizeof law.clock);
  memcpy(law.constant, s->constant, sizeof law.constant);
  return law;
}

/* ---- compilation ---- */

static const char *precision_word(void) { return sizeof(triad_real) == 4 ? "#define TRIAD_SINGLE\n" : ""; }

static int text_of(char **text, const char *head, const char *code, const char *tail)
{
  if (asprintf(text, "%s%s%s%s", precision_word(), head, code, tail) >= 0) return TRIAD_OK;
  *text = NULL;
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the source of the equations");
}

/* Values of modes and of rows of points, which are one program; sums, which are another. */
static int source_of(const char *code, int of_sums, int whole, char **text, triad_gpu_source *out)
{
  static const char *const head[2] = {"#define TRIAD_TEXT_CODE 0\n#include \"fft/gpu/device_compiled.h\"\n",
                                      "#define TRIAD_TEXT_CODE 1\n#include \"fft/gpu/device_compiled.h\"\n"};
  static const char tail[] = "extern \"C\" __constant__ int triad_launch[] = {256, 1, 0, 256};\n"
                             "#include \"solvers/spectral/text/text_kernel.h\"\n";
  static const triad_gpu_source programs[2] = {
    {.label = "text-steps-" TRIAD_PRECISION_NAME,
     .names = {"text_source", "text_update", "text_fill", "text_points"},
     .n_names = 4},
    {.label = "text-sums-" TRIAD_PRECISION_NAME,
     .names = {"sum_kernel<text_sums_term>", "gather_kernel<text_densities_term>", "gather_kernel<text_transfers_term>",
               "fold_kernel"},
     .n_names = 4}};
  TRIAD_TRY(text_of(text, head[whole], code, tail));
  *out = programs[of_sums];
  out->text = *text;
  return TRIAD_OK;
}

static int compile(triad_text_gpu *g, const char *code)
{
  for (int i = 0; i < 2; i++) {
    char *text;
    triad_gpu_source source;
    TRIAD_TRY(source_of(code, i, i == 1 || g->whole, &text, &source));
    const int st = triad_gpu_program_create(i == 0 ? &g->steps : &g->sums, &source);
    free(text);
    TRIAD_TRY(st);
  }
  return TRIAD_OK;
}

/* The text that is inserted into cuda/spectral/points.cu. Of many inputs the last ones are stored in shared memory. */
static int shared_of(int n_in) { return n_in <= 4 ? 0 : n_in - 3; }

static int write_pass(triad_text_gpu *g, const char *code, int n_in)
{
  char request[192];
  (void)snprintf(request, sizeof request,
                 "TRIAD_GPU_PASS(text, triad_text_law, IN = TRIAD_TEXT_IN, RESULTS = TRIAD_TEXT_OUT, SHARED = %d)\n",
                 shared_of(n_in));
  /* the precision is defined by what comes before */
  if (asprintf(&g->pass, "%s%s", code, request) >= 0) return TRIAD_OK;
  g->pass = NULL;
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the source of the equations");
}

static triad_gpu_beside pass_program(triad_text_gpu *g, int pieces)
{
  return (triad_gpu_beside){.label = "text", .text = g->pass, .pieces = pieces, .program = &g->rows};
}

/* Whether the cache has all programs that a run loads; of rows, those of one rank or of several. */
static int has_programs(const triad_text_set *s, const char *code, int whole)
{
  const int n_in = s->schedule->n_inputs;
  triad_text_gpu g = {.pass = NULL};
  int kept = 1;
  for (int i = 0; i < 2 && kept; i++) {
    char *text;
    triad_gpu_source source;
    kept = source_of(code, i, i == 1 || whole, &text, &source) == TRIAD_OK && triad_gpu_program_kept(&source);
    free(text);
  }
  if (!kept || s->gpu.row_fields > 0 || triad_gpu_library_serves(&s->grid, 0)) return kept;
  kept = write_pass(&g, code, n_in) == TRIAD_OK;
  for (int pieces = 0, any = 0; pieces < 2 && kept; pieces++) {
    const triad_gpu_beside rows = pass_program(&g, pieces);
    any |= triad_gpu_compiled_given_kept(&rows, (int)s->grid.n[0], "text", n_in - shared_of(n_in));
    if (pieces == 1) kept = any;
  }
  free(g.pass);
  return kept;
}

const char *triad_text_gpu_refusal(const void *self, int whole)
{
  char *code = NULL;
  if (triad_gpu_program_compiler(NULL, 0)) return NULL;
  const int kept = triad_text_code(self, &code) == TRIAD_OK && has_programs(self, code, whole);
  free(code);
  if (kept) return NULL;
  triad_message_clear();
  return "solver text compiles kernels at run time: install NVRTC, of the CUDA Toolkit";
}

/* ---- memory ---- */

static int entries_of(const triad_text_set *s)
{
  int n = 0;
  for (int b = 0; b < s->linear.n_blocks; b++) n += s->linear.block[b].n * s->linear.block[b].n;
  return n;
}

static int take_profiles(triad_text_set *s, const triad_layout *l, int threads)
{
  const int64_t points = triad_layout_points(l);
  for (int p = 0; p < s->schedule->n_profiles; p++) {
    triad_real *room = calloc((size_t)(points > 0 ? points : 1), sizeof *room);
    if (!room) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "functions of position");
    triad_text_profile_values(s, l, threads, p, room);
    int st = triad_device_table(s->gpu_part->device, "profiles", points, sizeof *room, room,
                                (void **)&s->gpu_part->profile[p]);
    free(room);
    TRIAD_TRY(st);
  }
  return TRIAD_OK;
}

static int take_tables(triad_text_set *s, const triad_layout *l)
{
  triad_text_gpu *g = s->gpu_part;
  for (int t = 0; t < TRIAD_TEXT_GPU_TIMES && g->whole && s->linear.n_blocks > 0; t++) {
    g->table[t].tau = NAN;
    TRIAD_TRY(triad_device_alloc(g->device, "linear terms", entries_of(s) * l->modes, sizeof(triad_cplx),
                                 (void **)&g->table[t].element));
  }
  return TRIAD_OK;
}

int triad_text_gpu_prepare(void *self, triad_device *device, const triad_layout *l, int whole, int threads)
{
  triad_text_set *s = self;
  char *code = NULL;
  double at[3];
  TRIAD_TRY(triad_text_refuse_lack(triad_text_lacks_of_layout(s->text, l, threads, at), at));
  triad_text_gpu *g = s->gpu_part = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the equations");
  g->device = device;
  g->whole = whole;
  g->fused = s->gpu.row_fields == 0;
  int st = triad_text_code(s, &code);
  if (st == TRIAD_OK) st = compile(g, code);
  if (st == TRIAD_OK && g->fused) st = write_pass(g, code, s->schedule->n_inputs);
  free(code);
  if (st == TRIAD_OK) st = take_profiles(s, l, threads);
  if (st == TRIAD_OK) st = take_tables(s, l);
  return st;
}

void triad_text_gpu_release(void *self)
{
  triad_text_set *s = self;
  triad_text_gpu *g = s->gpu_part;
  if (!g) return;
  triad_gpu_program_destroy(&g->steps);
  triad_gpu_program_destroy(&g->sums);
  triad_gpu_program_destroy(&g->rows);
  for (int t = 0; t < TRIAD_TEXT_GPU_TIMES; t++) triad_device_free(g->device, (void **)&g->table[t].element);
  for (int p = 0; p < TRIAD_TEXT_PROFILES; p++) triad_device_free(g->device, (void **)&g->profile[p]);
  free(g->pass);
  free(g);
  s->gpu_part = NULL;
}

/* ---- points ---- */

static int visit_rows(const triad_text_set *s, const triad_gpu_chunk *c)
{
  triad_text_gpu *g = s->gpu_part;
  const triad_text_law law = law_of(s);
  const int64_t rows = (int64_t)c->count * c->shape->n[1];
  const int carried = 0, n_in = s->schedule->n_inputs;
  const triad_gpu_beside given = pass_program(g, c->shape->from != NULL);
  const void *const arguments[] = {c->shape, &law,     &c->in,          &c->out, &rows,
                                   &carried, &c->kept, &c->kept_stride, &c->dt,  &c->peaks};
  return triad_gpu_compiled_given(&given, c->shape->n[0], "text", n_in - shared_of(n_in), rows, arguments, c->stream);
}

static int visit_points(const triad_text_set *s, const triad_gpu_chunk *c)
{
  const triad_text_law law = law_of(s);
  const int64_t plane = (int64_t)c->shape->n[1] * c->shape->n[0], n = c->count * plane;
  triad_text_profiles profiles = {.first = c->first * plane};
  if (n == 0) return TRIAD_OK;
  for (int p = 0; p < s->schedule->n_profiles; p++) profiles.value[p] = s->gpu_part->profile[p];
  TRIAD_TRY(triad_gpu_x_backward(c->shape, c->n_in, c->in, c->count, c->rows_in, c->stream));
  const void *const arguments[] = {&law, &n, &c->rows_in, &c->rows_out, &profiles, &c->dt, &c->peaks};
  TRIAD_TRY(triad_gpu_program_launch(s->gpu_part->steps, TRIAD_TEXT_KERNEL_POINTS, n, 1, 1, 0, arguments, c->stream));
  return triad_gpu_x_forward(c->shape, c->n_out, c->rows_out, c->count, c->out, c->stream);
}

int triad_text_gpu_visit(const void *self, const triad_gpu_chunk *c)
{
  const triad_text_set *s = self;
  return s->gpu_part->fused && !c->shape->library[0] ? visit_rows(s, c) : visit_points(s, c);
}

/* ---- modes ---- */

static int make_inputs(const void *self, const triad_gpu_modes *modes, const triad_cplx *const *u,
                       triad_cplx *const *made, void *stream)
{
  const triad_text_law law = law_of(self);
  const void *const arguments[] = {&law, modes, u, made};
  return triad_gpu_program_launch(gpu_of(self)->steps, TRIAD_TEXT_KERNEL_SOURCE, modes->n, 1, 1, 0, arguments, stream);
}

/* The matrices for a time tau of all modes; NULL: the kernel makes them, or tau is 0. */
static int table_for(triad_text_gpu *g, const triad_gpu_modes *modes, double tau, void *stream, const triad_cplx **out)
{
  table *oldest = &g->table[0];
  *out = NULL;
  if (!g->table[0].element || !(tau < 0 || tau > 0)) return TRIAD_OK;
  g->asked++;
  for (int t = 0; t < TRIAD_TEXT_GPU_TIMES && !*out; t++) {
    if (g->table[t].tau == tau) {
      g->table[t].used = g->asked;
      *out = g->table[t].element;
    } else if (g->table[t].used < oldest->used) oldest = &g->table[t];
  }
  if (*out) return TRIAD_OK;
  oldest->tau = tau;
  oldest->used = g->asked;
  *out = oldest->element;
  const void *const arguments[] = {&tau, modes, &oldest->element};
  return triad_gpu_program_launch(g->steps, TRIAD_TEXT_KERNEL_FILL, modes->n, 1, 1, 0, arguments, stream);
}

/* stage_fields of device_stage.h: pointers to n fields, to n registers, and n decay rates. */
typedef struct stage_lists {
  union {
    triad_cplx *pointer[2 * TRIAD_TEXT_FIELDS];
    char bytes[TRIAD_TEXT_FIELDS * (2 * sizeof(triad_cplx *) + sizeof(triad_decay))];
  } of;
} stage_lists;

static int update(const void *self, const triad_gpu_update *p, void *stream)
{
  const triad_text_law law = law_of(self);
  const triad_gpu_stage stage = {.results = p->results,
                                 .a = (triad_real)p->a,
                                 .b = (triad_real)p->b,
                                 .d = (triad_real)p->d,
                                 .e = (triad_real)p->e,
                                 .tau = p->tau,
                                 .first = p->first,
                                 .last = p->last,
                                 .times = p->times};
  const triad_cplx *matrices;
  stage_lists lists;
  const int n = p->n_fields;
  for (int f = 0; f < n; f++) {
    lists.of.pointer[f] = p->u[f];
    lists.of.pointer[n + f] = p->q[f];
  }
  memcpy(lists.of.bytes + 2 * (size_t)n * sizeof *lists.of.pointer, p->decay, (size_t)n * sizeof *p->decay);
  TRIAD_TRY(table_for(gpu_of(self), &p->modes, p->tau, stream, &matrices));
  const void *const arguments[] = {&law, &stage, &lists, &p->modes, &matrices};
  return triad_gpu_program_launch(gpu_of(self)->steps, TRIAD_TEXT_KERNEL_UPDATE, p->modes.n, 1, 1, 0, arguments,
                                  stream);
}

/* ---- sums ---- */

static int sums(const void *self, const triad_gpu_measure *m)
{
  triad_gpu_program *program = gpu_of(self)->sums;
  const int blocks = SUM_BLOCKS, count = triad_text_count_sums(self);
  const void *const arguments[] = {m->u, &m->modes, &m->partial};
  const void *const folded[] = {&m->partial, &blocks, &count, &m->out};
  TRIAD_TRY(triad_gpu_program_launch(program, TRIAD_TEXT_KERNEL_SUMS, (int64_t)SUM_BLOCKS * THREADS, 1, 1, 0, arguments,
                                     m->stream));
  return triad_gpu_program_launch(program, TRIAD_TEXT_KERNEL_FOLD, count, 1, 1, 0, folded, m->stream);
}

static int densities(const void *self, const triad_gpu_measure *m, const triad_gpu_bins *bins)
{
  const void *const arguments[] = {m->u, &m->modes, bins, &m->out};
  return triad_gpu_program_launch(gpu_of(self)->sums, TRIAD_TEXT_KERNEL_DENSITIES, bins->n_bins * THREADS,
                                  bins->n_groups, 1, 0, arguments, m->stream);
}

/* text_transfers_term of text_kernel.h: pointers to n fields, then what follows here. */
static int transfers(const void *self, int part, const triad_gpu_measure *m, const triad_gpu_bins *bins)
{
  const triad_text_set *s = self;
  const size_t n = (size_t)s->text->n_fields;
  char term[TRIAD_TEXT_FIELDS * sizeof(triad_cplx *) + sizeof(triad_gpu_results) + sizeof(int64_t)];
  (void)part;
  memcpy(term, m->u, n * sizeof *m->u);
  memcpy(term + n * sizeof *m->u, &m->results, sizeof m->results);
  memcpy(term + n * sizeof *m->u + sizeof m->results, &m->modes.columns, sizeof m->modes.columns);
  const void *const arguments[] = {term, &m->modes, bins, &m->out};
  return triad_gpu_program_launch(gpu_of(self)->sums, TRIAD_TEXT_KERNEL_TRANSFERS, bins->n_bins * THREADS,
                                  bins->n_groups, 1, 0, arguments, m->stream);
}

const triad_gpu_spectral triad_text_gpu_spectral = {
  .source = make_inputs, .update = update, .sums = sums, .densities = densities, .transfers = transfers};
