/* Build the sources of kernels for lengths that are not built in, compile or load them, and launch them with the
 * arguments of the built-in ones. */
#include "fft/gpu/gpu_compiled.h"
#include "base/text.h"
#include "fft/lines/radices.h"
#include "parallel/gpu_program.h"
#include "parallel/kernel_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 96, TEXT = 4096, PASSES = 8 };

struct triad_gpu_compiled {
  int axis, n, every, wide;          /* every mode is kept; modes of up to half the points may be, for phase shifts */
  int pieces;                        /* rows lie in the pieces that travel */
  triad_gpu_program *lines, *chains; /* chains: of lines along y forward; NULL where nobody has any */
  struct {
    char name[NAME];
    triad_gpu_program *program;
  } pass[PASSES];
  int n_passes;
};

/* A source with storage for the strings that it points to. */
typedef struct source {
  triad_gpu_source s;
  char label[NAME], text[TEXT], names[TRIAD_GPU_KERNELS][NAME];
} source;

static void begin(source *o, int every, const char *lengths)
{
  (void)snprintf(o->text, TEXT, "%s%s#define TRIAD_COMPILED_LENGTHS %s\n#include \"fft/gpu/device_compiled.h\"\n",
                 sizeof(triad_real) == 4 ? "#define TRIAD_SINGLE\n" : "", every ? "#define TRIAD_KEEP_ALL\n" : "",
                 lengths);
}

static void add(source *o, const char *text)
{
  const size_t at = strlen(o->text);
  (void)snprintf(o->text + at, TEXT - at, "%s", text);
}

static void end(source *o, int n_names)
{
  o->s = (triad_gpu_source){.label = o->label, .text = o->text, .n_names = n_names};
  for (int i = 0; i < n_names; i++) o->s.names[i] = o->names[i];
}

static void label_of(source *o, const char *what, int n, int every, int wide)
{
  (void)snprintf(o->label, NAME, "%s-%d-%s%s%s", what, n, TRIAD_PRECISION_NAME, every ? "-all" : "",
                 wide ? "-wide" : "");
}

/* Lines along an axis: backward and forward; along y of one rank and of many. */
static int lines_source(source *o, int axis, int n, int every, int wide)
{
  char lengths[TEXT / 2], launch[TEXT / 4];
  const char *const what[] = {"x", "y", "z"};
  triad_radices r;
  if (!triad_radices_strided(n, &r)) return TRIAD_FAIL(TRIAD_ERR_FEATURE, "there are no radices for %d points", n);
  (void)triad_radices_tell_strided(&r, lengths, sizeof lengths);
  label_of(o, what[axis], n, every, wide && axis != 0);
  begin(o, every, lengths);
  const char *shape = axis == 0 ? "factored" : "strided", *lanes = axis == 0 ? "row_pairs_of" : "lanes_of";
  (void)snprintf(
    launch, sizeof launch,
    "#include \"cuda/fft/lines_%s.cu\"\n"
    "enum { triad_lanes = %s<%d>::value };\n"
    "extern \"C\" __constant__ int triad_launch[] = {triad_lanes, %s<%d>::G, %d * triad_lanes * (int)sizeof(dcplx), "
    "%s triad_lanes};\n",
    what[axis], lanes, n, shape, n, n, axis == 0 ? "2 *" : "");
  add(o, launch);
  const int ways = axis == 1 ? 2 : 1;
  for (int i = 0; i < 2 * ways; i++) {
    /* kinds: 1 if the kernel distinguishes modes from zero padding when it loads or stores */
    const int to_points = i < ways, kinds = axis == 2 || (axis == 1 && to_points);
    (void)snprintf(o->names[i], NAME, "%s<%d, triad_lanes%s%s>", to_points ? "backward" : "forward", n,
                   axis != 1 ? ""
                   : i % 2   ? ", true"
                             : ", false",
                   !kinds ? ""
                   : wide ? ", true"
                          : ", false");
  }
  end(o, 2 * ways);
  return TRIAD_OK;
}

/* Chains of lines along y (cuda/fft/lines_y.cu), of one rank and of many: they have lanes of their own. */
static int chains_source(source *o, int n, int every, int wide)
{
  char lengths[TEXT / 2], launch[TEXT / 4];
  const char *kind = wide ? "true" : "false";
  triad_radices r;
  if (!triad_radices_strided(n, &r)) return TRIAD_FAIL(TRIAD_ERR_FEATURE, "there are no radices for %d points", n);
  (void)triad_radices_tell_strided(&r, lengths, sizeof lengths);
  label_of(o, "y-chains", n, every, wide);
  begin(o, every, lengths);
  (void)snprintf(
    launch, sizeof launch,
    "#include \"cuda/fft/lines_y.cu\"\n"
    "typedef chains_of<%d, %s> triad_room;\n"
    "enum { triad_lanes = triad_room::lanes };\n"
    "extern \"C\" __constant__ int triad_launch[] = {triad_lanes, strided<%d>::G, triad_room::shared, triad_lanes};\n",
    n, kind, n);
  add(o, launch);
  for (int many = 0; many < 2; many++)
    (void)snprintf(o->names[many], NAME, "forward_chains<%d, triad_lanes, %s, %s>", n, many ? "true" : "false", kind);
  end(o, 2);
  return TRIAD_OK;
}

/* Begin a source of rows in a fused x pass that holds so many fields in registers. */
static int rows_source(source *o, const char *what, int held, const triad_gpu_compiled *c)
{
  char lengths[TEXT / 2], word[NAME / 2];
  triad_radices r;
  if (!triad_radices_fused(c->n, held, &r))
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "there are no radices for rows of %d points", c->n);
  (void)triad_radices_tell_fused(&r, lengths, sizeof lengths);
  label_of(o, what, c->n, c->every, c->wide);
  begin(o, c->every, lengths);
  (void)snprintf(word, sizeof word, "#define TRIAD_ONE_BY_ONE %d\n", r.one_by_one);
  add(o, word);
  return TRIAD_OK;
}

/* The position in a pass's source at which extra results are inserted. */
static const char mark[] = "/* beside */\n";

/* set NULL: its text is inserted. The last argument is the first part of a label of what is inserted; NULL: none. */
static int points_source(source *o, const char *set, const char *pass, int held, const triad_gpu_compiled *c,
                         const char *beside)
{
  char what[NAME / 2], kind[NAME / 2], rest[TEXT / 2];
  const int extra = beside && set;
  (void)snprintf(what, sizeof what, "%s-%s-%s%s", beside ? beside : "x", set ? set : "x", pass,
                 c->pieces ? "-pieces" : "");
  (void)snprintf(kind, sizeof kind, "%s%s%spass<%s_numbers>%s%s%s", extra ? "beside<" : "",
                 c->pieces ? "in_pieces<" : "", c->wide ? "wide<" : "", pass, c->wide ? ">" : "", c->pieces ? ">" : "",
                 extra ? ">" : "");
  TRIAD_TRY(rows_source(o, what, held, c));
  (void)snprintf(rest, sizeof rest,
                 "#define TRIAD_SET%s%s\n#include \"cuda/spectral/points.cu\"\n%s"
                 "typedef fused_room<%d, %s> triad_room;\n"
                 "extern \"C\" __constant__ int triad_launch[] = {triad_room::shape::WIDTH, triad_room::shape::LANES, "
                 "(int)triad_room::shared, triad_room::form::ROWS * triad_room::shape::LANES};\n",
                 set ? " " : "_FOLLOWS", set ? set : "", beside ? mark : "", c->n, kind);
  add(o, rest);
  (void)snprintf(o->names[0], NAME, "fused_rows<%d, %s>", c->n, kind);
  end(o, 1);
  return TRIAD_OK;
}

static int extremes_source(source *o, const triad_gpu_compiled *c)
{
  char rest[TEXT / 2];
  const char *wide = c->wide ? "true" : "false";
  /* what a point has found is as much as two fields, in double */
  TRIAD_TRY(rows_source(o, "x-extremes", 2, c));
  (void)snprintf(rest, sizeof rest,
                 "#include \"cuda/spectral/set_extremes.cu\"\n"
                 "typedef extremes_shape<%d, %s> triad_room;\n"
                 "extern \"C\" __constant__ int triad_launch[] = {triad_room::shape::WIDTH, triad_room::shape::LANES, "
                 "(int)triad_room::shared, triad_room::ROWS};\n",
                 c->n, wide);
  add(o, rest);
  (void)snprintf(o->names[0], NAME, "extremes<%d, %s>", c->n, wide);
  end(o, 1);
  return TRIAD_OK;
}

/* ---- which axes ---- */

static int wants_library(void)
{
  const char *word = getenv("TRIAD_GPU_LINES");
  return word && strcmp(word, "library") == 0;
}

int triad_gpu_compiled_serves(const triad_grid *g, int axis)
{
  const char *word = getenv("TRIAD_GPU_LINES");
  const int every = g->truncation == TRIAD_NONE, wanted = word && strcmp(word, "compiled") == 0;
  source o;
  if (g->lines == TRIAD_LINES_LIBRARY || wants_library()) return 0;
  if (g->n[axis] > TRIAD_RADICES_MAX || (triad_gpu_has_size(g->n[axis]) && !every && !wanted)) return 0;
  if (!triad_radices_serve((int)g->n[axis], axis == 0)) return 0;
  if (triad_gpu_program_compiler(NULL, 0)) return 1;
  return lines_source(&o, axis, (int)g->n[axis], every, g->shifted) == TRIAD_OK && triad_gpu_program_kept(&o.s);
}

int triad_gpu_compiled_create(triad_gpu_compiled *lines[3], const triad_grid *g, int pieces, int chains)
{
  source o;
  for (int axis = 0; axis < 3; axis++) {
    if (!triad_gpu_compiled_serves(g, axis)) continue;
    triad_gpu_compiled *c = lines[axis] = calloc(1, sizeof *c);
    if (!c) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "kernels of lines");
    c->axis = axis;
    c->n = (int)g->n[axis];
    c->every = g->truncation == TRIAD_NONE;
    c->wide = g->shifted;
    c->pieces = pieces;
    TRIAD_TRY(lines_source(&o, axis, c->n, c->every, c->wide));
    TRIAD_TRY(triad_gpu_program_create(&c->lines, &o.s));
    if (axis != 1 || !chains) continue;
    TRIAD_TRY(chains_source(&o, c->n, c->every, c->wide));
    TRIAD_TRY(triad_gpu_program_create(&c->chains, &o.s));
  }
  return TRIAD_OK;
}

void triad_gpu_compiled_destroy(triad_gpu_compiled *lines[3])
{
  for (int axis = 0; axis < 3; axis++) {
    triad_gpu_compiled *c = lines[axis];
    if (!c) continue;
    triad_gpu_program_destroy(&c->lines);
    triad_gpu_program_destroy(&c->chains);
    for (int i = 0; i < c->n_passes; i++) triad_gpu_program_destroy(&c->pass[i].program);
    free(c);
    lines[axis] = NULL;
  }
}

int triad_gpu_compiled_tell(const triad_grid *g, char *text, size_t size)
{
  char axes[8] = "", folder[TRIAD_KERNEL_PATH], done[128] = "";
  const triad_gpu_compiling c = triad_gpu_program_compiling();
  int n = 0;
  for (int i = 0; i < 3; i++)
    if (triad_gpu_compiled_serves(g, i)) axes[n++] = "xyz"[i];
  if (n == 0) return 0;
  triad_kernel_cache_folder(folder);
  if (c.programs > 0)
    (void)snprintf(done, sizeof done, "%d programs compiled in %.1f s%s", c.programs, c.seconds,
                   c.kept == c.programs ? " for this run and later ones"
                                        : ", but they cannot be stored for later runs");
  else (void)snprintf(done, sizeof done, "%d programs", c.read);
  (void)snprintf(text, size, "kernels for lines along %s are not built in: %s (%s)", axes, done,
                 *folder ? folder : "no folder: set TRIAD_KERNELS");
  return n;
}

/* ---- launches ---- */

int triad_gpu_compiled_z_backward(const triad_gpu_shape *g, const triad_gpu_fields *fields, int n, triad_cplx *work,
                                  void *stream)
{
  const void *const arguments[] = {g, fields, &work};
  return triad_gpu_program_launch(g->compiled[2]->lines, 0, g->columns, n, 1, 0, arguments, stream);
}

int triad_gpu_compiled_z_forward(const triad_gpu_shape *g, int n, triad_cplx *work, void *stream)
{
  const void *const arguments[] = {g, &work};
  return triad_gpu_program_launch(g->compiled[2]->lines, 1, g->columns, n, 1, 0, arguments, stream);
}

int triad_gpu_compiled_y_backward(const triad_gpu_shape *g, int n, const triad_gpu_side *from, int count,
                                  triad_cplx *planes, void *stream)
{
  const void *const arguments[] = {g, from, &planes};
  return triad_gpu_program_launch(g->compiled[1]->lines, g->size > 1, g->pitch, count, n, 0, arguments, stream);
}

int triad_gpu_compiled_y_forward(const triad_gpu_shape *g, const triad_chain_run *run, const triad_cplx *planes,
                                 int count, double scale, const triad_gpu_side *to, void *stream)
{
  const triad_gpu_compiled *c = g->compiled[1];
  const triad_real factor = (triad_real)scale;
  const void *const arguments[] = {g, &planes, &factor, to, run};
  const int chains = run->length > 1, many = g->size > 1;
  return triad_gpu_program_launch(chains ? c->chains : c->lines, chains ? many : 2 + many, g->pitch, count, run->count,
                                  0, arguments, stream);
}

int triad_gpu_compiled_x_backward(const triad_gpu_shape *g, int n, const triad_cplx *planes, int count,
                                  triad_real *points, void *stream)
{
  const int64_t rows = (int64_t)count * g->n[1];
  const void *const arguments[] = {g, &planes, &rows, &points};
  return triad_gpu_program_launch(g->compiled[0]->lines, 0, rows, n, 1, 0, arguments, stream);
}

int triad_gpu_compiled_x_forward(const triad_gpu_shape *g, int n, const triad_real *points, int count,
                                 triad_cplx *planes, void *stream)
{
  const int64_t rows = (int64_t)count * g->n[1];
  const void *const arguments[] = {g, &points, &rows, &planes};
  return triad_gpu_program_launch(g->compiled[0]->lines, 1, rows, n, 1, 0, arguments, stream);
}

/* Find the program of a pass; if it does not exist, reserve an entry under that name. */
static int pass_of(triad_gpu_compiled *c, const char *name, triad_gpu_program ***out)
{
  for (int i = 0; i < c->n_passes; i++)
    if (strcmp(c->pass[i].name, name) == 0) {
      *out = &c->pass[i].program;
      return TRIAD_OK;
    }
  if (c->n_passes == PASSES) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "more than %d x passes", PASSES);
  *out = &c->pass[c->n_passes].program;
  (void)snprintf(c->pass[c->n_passes++].name, NAME, "%s", name);
  return TRIAD_OK;
}

int triad_gpu_compiled_points(triad_gpu_compiled *c, const char *set, const char *pass, int held, int64_t rows,
                              const void *const *arguments, void *stream)
{
  source o;
  char name[NAME];
  triad_gpu_program **program;
  (void)snprintf(name, NAME, "%s %s", set, pass);
  TRIAD_TRY(pass_of(c, name, &program));
  if (!*program) {
    TRIAD_TRY(points_source(&o, set, pass, held, c, NULL));
    TRIAD_TRY(triad_gpu_program_create(program, &o.s));
  }
  return triad_gpu_program_launch(*program, 0, rows, 1, 1, 1, arguments, stream);
}

/* The source with the text of extra results inserted; the caller frees *text. */
static int beside_source(source *o, char **text, const triad_gpu_beside *b, int n, const char *set, const char *pass,
                         int held)
{
  const triad_gpu_compiled c = {.n = n, .every = b->every, .pieces = b->pieces};
  TRIAD_TRY(points_source(o, set, pass, held, &c, b->label));
  const char *place = strstr(o->text, mark);
  const size_t size = strlen(o->text) + strlen(b->text) + 1;
  *text = malloc(size);
  if (!*text) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the source of %s", o->label);
  (void)snprintf(*text, size, "%.*s%s%s", (int)(place - o->text), o->text, b->text, place + strlen(mark));
  o->s.text = *text;
  return TRIAD_OK;
}

int triad_gpu_compiled_given_kept(const triad_gpu_beside *b, int n, const char *pass, int held)
{
  source o;
  char *text = NULL;
  if (!triad_radices_serve(n, 1)) return 0;
  const int kept = beside_source(&o, &text, b, n, NULL, pass, held) == TRIAD_OK && triad_gpu_program_kept(&o.s);
  free(text);
  return kept;
}

int triad_gpu_compiled_given(const triad_gpu_beside *b, int n, const char *pass, int held, int64_t rows,
                             const void *const *arguments, void *stream)
{
  source o;
  char *text = NULL;
  if (*b->program) return triad_gpu_program_launch(*b->program, 0, rows, 1, 1, 1, arguments, stream);
  if (!triad_radices_serve(n, 1))
    return rows == 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "there are no radices for rows of %d points", n);
  int st = beside_source(&o, &text, b, n, NULL, pass, held);
  if (st == TRIAD_OK) st = triad_gpu_program_create(b->program, &o.s);
  free(text);
  return st == TRIAD_OK ? triad_gpu_program_launch(*b->program, 0, rows, 1, 1, 1, arguments, stream) : st;
}

int triad_gpu_compiled_beside(const triad_gpu_beside *b, int n, const char *set, const char *pass, int held,
                              int64_t rows, const void *const *arguments, void *stream)
{
  source o;
  char *text = NULL;
  if (*b->program) return triad_gpu_program_launch(*b->program, 0, rows, 1, 1, 1, arguments, stream);
  if (wants_library() || !triad_radices_serve(n, 1)) return TRIAD_OK;
  int st = beside_source(&o, &text, b, n, set, pass, held);
  if (st == TRIAD_OK && (triad_gpu_program_compiler(NULL, 0) || triad_gpu_program_kept(&o.s)))
    st = triad_gpu_program_create(b->program, &o.s);
  free(text);
  return st;
}

int triad_gpu_compiled_extremes(triad_gpu_compiled *c, int64_t rows, const void *const *arguments, void *stream)
{
  source o;
  triad_gpu_program **program;
  TRIAD_TRY(pass_of(c, "extremes", &program));
  if (!*program) {
    TRIAD_TRY(extremes_source(&o, c));
    TRIAD_TRY(triad_gpu_program_create(program, &o.s));
  }
  return triad_gpu_program_launch(*program, 0, rows, 1, 1, 0, arguments, stream);
}
