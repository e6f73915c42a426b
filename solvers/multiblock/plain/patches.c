/* Parse the texts of boundaries.patches, match them with the patches of the grid, and check which parameters each
 * kind of boundary requires. */
#include "solvers/multiblock/plain/patches.h"
#include "blocks/nearmiss.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME(kind, word) [kind] = word,
static const char *const name_of[TRIAD_MULTIBLOCK_BOUNDARIES] = {TRIAD_MULTIBLOCK_BOUNDARY_ROWS(NAME)};
#undef NAME

/* What may stand behind a kind; the kinds that want it and those that may have it, as bits. */
#define KIND(k) (1u << TRIAD_MULTIBLOCK_##k)
#define STREAM (KIND(FARFIELD) | KIND(SUPERSONIC_IN) | KIND(SUBSONIC_IN))
enum { MACH, PRESSURE, TEMPERATURE, ALPHA, BETA, SPEED_X, SPEED_Y, SPEED_Z, PARAMETERS };
static const struct {
  const char *name;
  unsigned wanted, allowed;
} parameter[PARAMETERS] = {
  [MACH] = {"mach", STREAM, STREAM},
  [PRESSURE] = {"pressure", STREAM | KIND(TOTAL) | KIND(SUBSONIC_OUT), STREAM | KIND(TOTAL) | KIND(SUBSONIC_OUT)},
  [TEMPERATURE] = {"temperature", STREAM | KIND(TOTAL), STREAM | KIND(TOTAL) | KIND(WALL)},
  [ALPHA] = {"alpha", 0, STREAM | KIND(TOTAL)},
  [BETA] = {"beta", 0, STREAM | KIND(TOTAL)},
  [SPEED_X] = {"u", 0, KIND(WALL)},
  [SPEED_Y] = {"v", 0, KIND(WALL)},
  [SPEED_Z] = {"w", 0, KIND(WALL)}};

/* The piece of text up to one of `ends`, blanks around it cut off. Returns where it ended. */
static const char *piece_of(const char *at, const char *ends, char *out, size_t size)
{
  size_t n;
  at += strspn(at, " \t");
  n = strcspn(at, ends);
  const char *end = at + n;
  while (n > 0 && (at[n - 1] == ' ' || at[n - 1] == '\t')) n--;
  (void)snprintf(out, size, "%.*s", (int)(n < size ? n : size - 1), at);
  return end;
}

/* ", mach=0.8, .." into values. */
static void read_parameters(const char *at, triad_multiblock_boundary kind, double value[PARAMETERS], unsigned *seen,
                            triad_faults *f)
{
  char word[64], *end;
  while (*at == ',') {
    const char *stop = piece_of(at + 1, ",", word, sizeof word);
    char *equals = strchr(word, '=');
    int found = -1;
    at = stop;
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    while (length > 0 && word[length - 1] == ' ') length--;
    for (int p = 0; p < PARAMETERS; p++)
      if (strlen(parameter[p].name) == length && strncmp(word, parameter[p].name, length) == 0) found = p;
    if (found < 0 || !equals || !(parameter[found].allowed & 1u << kind)) {
      triad_fault(f, "\"%s\" is not a parameter of %s", word, name_of[kind]);
      continue;
    }
    if (*seen & 1u << found) triad_fault(f, "%s is given twice for %s", parameter[found].name, name_of[kind]);
    value[found] = strtod(equals + 1, &end);
    if (*end || end == equals + 1 || !isfinite(value[found]))
      triad_fault(f, "\"%s\" is not of the form key=number", word);
    *seen |= 1u << found;
  }
  for (int p = 0; p < PARAMETERS; p++)
    if (parameter[p].wanted & 1u << kind && !(*seen & 1u << p))
      triad_fault(f, "%s requires %s=", name_of[kind], parameter[p].name);
  if (*seen & 1u << MACH && value[MACH] < 0)
    triad_fault(f, "negative mach for %s: use alpha and beta to turn the flow", name_of[kind]);
  if (*seen & 1u << MACH && kind == TRIAD_MULTIBLOCK_SUPERSONIC_IN && value[MACH] >= 0 && value[MACH] < 1)
    triad_fault(f, "supersonic-inflow: mach=%g is subsonic, but mach must be above 1: use subsonic-inflow, or farfield",
                value[MACH]);
  if (*seen & 1u << MACH && kind == TRIAD_MULTIBLOCK_SUBSONIC_IN && value[MACH] >= 1)
    triad_fault(
      f, "subsonic-inflow: mach=%g is not subsonic, but mach must be below 1: use supersonic-inflow, or farfield",
      value[MACH]);
  if (*seen & 1u << MACH && kind == TRIAD_MULTIBLOCK_SUBSONIC_IN && value[MACH] >= 0 && !(value[MACH] > 0))
    triad_fault(f, "subsonic-inflow: nothing enters with mach=0: set mach above 0, or use farfield");
  for (int p = PRESSURE; p <= TEMPERATURE; p++)
    if (*seen & 1u << p && !(value[p] > 0))
      triad_fault(f, "%s of %s must be above 0", parameter[p].name, name_of[kind]);
}

static void set_patch(triad_multiblock_patch *p, triad_multiblock_boundary kind, const double v[PARAMETERS],
                      const triad_multiblock_gas *gas, int up)
{
  *p = (triad_multiblock_patch){.kind = kind,
                                .pressure = v[PRESSURE],
                                .temperature = v[TEMPERATURE],
                                .velocity = {v[SPEED_X], v[SPEED_Y], v[SPEED_Z]},
                                .is_wall = kind == TRIAD_MULTIBLOCK_SLIP || kind == TRIAD_MULTIBLOCK_WALL};
  if ((STREAM | KIND(TOTAL)) & 1u << kind) {
    double one[5];
    triad_multiblock_stream(gas, v[MACH], v[PRESSURE], v[TEMPERATURE], v[ALPHA], v[BETA], up, p->given);
    triad_multiblock_stream(gas, 1, v[PRESSURE], v[TEMPERATURE], v[ALPHA], v[BETA], up, one);
    double length = sqrt(one[1] * one[1] + one[2] * one[2] + one[3] * one[3]);
    for (int a = 0; a < 3; a++) p->along[a] = one[1 + a] / length;
  }
}

static void unknown_patch(triad_faults *f, const char *word, const triad_blocks_grid *g)
{
  const char **names = calloc((size_t)g->n_patches + 1, sizeof *names);
  for (int i = 0; names && i < g->n_patches; i++) names[i] = g->patch[i];
  int best = names ? triad_nearest(word, names, g->n_patches) : -1;
  if (best >= 0) triad_fault(f, "the grid has no patch \"%s\", did you mean \"%s\"?", word, g->patch[best]);
  else triad_fault(f, "the grid has no patch \"%s\"; its first is \"%s\"", word, g->n_patches > 0 ? g->patch[0] : "");
  free(names);
}

/* The name by which the grid has what a case calls so: in small letters, as those of maps are, if the grid has none
 * in these letters. */
static void find_name(const triad_blocks_grid *g, char word[TRIAD_BLOCKS_NAME])
{
  char small[TRIAD_BLOCKS_NAME];
  int found = 0;
  (void)snprintf(small, sizeof small, "%s", word);
  for (char *c = small; *c; c++) *c = (char)tolower((unsigned char)*c);
  for (int i = 0; i < g->n_patches; i++) {
    if (strcmp(word, g->patch[i]) == 0) return;
    found |= strcmp(small, g->patch[i]) == 0;
  }
  if (found) memcpy(word, small, sizeof small);
}

/* "a + b: kind, ..": one text of the case. */
static void read_one(triad_multiblock_patches *out, const char *text, const triad_blocks_grid *g,
                     const triad_multiblock_exact *exact, int up, triad_faults *f)
{
  const char *colon = strchr(text, ':');
  char word[TRIAD_BLOCKS_NAME];
  double value[PARAMETERS] = {0};
  unsigned seen = 0;
  int kind = -1;
  if (!colon) {
    triad_fault(f, "boundaries.patches: \"%.60s\" is not of the form \"name: kind, ..\"", text);
    return;
  }
  const char *at = piece_of(colon + 1, ",", word, sizeof word);
  for (int k = TRIAD_MULTIBLOCK_SLIP; k < TRIAD_MULTIBLOCK_BOUNDARIES; k++)
    if (strcmp(word, name_of[k]) == 0) kind = k;
  if (kind < 0) {
    const int best =
      triad_nearest(word, name_of + TRIAD_MULTIBLOCK_SLIP, TRIAD_MULTIBLOCK_BOUNDARIES - TRIAD_MULTIBLOCK_SLIP);
    triad_fault(f, "boundaries.patches: unknown kind \"%s\"%s%s%s", word, best < 0 ? "" : ", did you mean \"",
                best < 0 ? "" : name_of[TRIAD_MULTIBLOCK_SLIP + best], best < 0 ? "" : "\"?");
    return;
  }
  if (kind == TRIAD_MULTIBLOCK_EXACT && !exact->kind)
    triad_fault(f, "kind \"exact\" requires an exact solution: set solution.kind");
  if (kind == TRIAD_MULTIBLOCK_WALL && !exact->gas.viscous)
    triad_fault(f, "kind \"wall\" is a no-slip wall, which requires equations.model = \"laminar\"");
  read_parameters(at, (triad_multiblock_boundary)kind, value, &seen, f);
  for (at = text; at < colon;) {
    const char *end = piece_of(at, "+:", word, sizeof word);
    int found = 0;
    find_name(g, word);
    for (int i = 0; i < g->n_patches; i++) {
      if (strcmp(word, g->patch[i]) != 0 && strcmp(word, "*") != 0) continue;
      found++;
      if (out->patch[i].kind != TRIAD_MULTIBLOCK_UNNAMED) {
        if (strcmp(word, "*") != 0 && found == 1)
          triad_fault(f, "boundaries.patches: patch \"%s\" is given twice", word);
        continue;
      }
      set_patch(&out->patch[i], (triad_multiblock_boundary)kind, value, &exact->gas, up);
      out->patch[i].named = strcmp(word, "*") != 0;
      if (out->reference < 0 && STREAM & 1u << kind) out->reference = i;
    }
    if (!found) unknown_patch(f, word, g);
    at = end < colon ? end + 1 : colon;
  }
}

/* Is * among the names of a text? */
static int takes_rest(const char *text) { return text[strcspn(text, "*:")] == '*'; }

int triad_multiblock_patches_read(triad_multiblock_patches *out, const triad_case *given, const triad_blocks_grid *g,
                                  const triad_multiblock_exact *exact, int up, triad_faults *f)
{
  const char *text[TRIAD_MULTIBLOCK_MOST_PATCHES];
  *out = (triad_multiblock_patches){
    .n = g->n_patches, .reference = -1, .patch = calloc((size_t)g->n_patches + 1, sizeof *out->patch)};
  if (!out->patch) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d patches", g->n_patches);
  int n = triad_case_texts(given, "boundaries.patches", text, TRIAD_MULTIBLOCK_MOST_PATCHES);
  for (int rest = 0; rest < 2; rest++) /* * takes what others leave, wherever it stands */
    for (int i = 0; i < n; i++)
      if (takes_rest(text[i]) == rest) read_one(out, text[i], g, exact, up, f);
  if (triad_case_is(given, "initial.kind", "stream") && out->reference < 0)
    triad_fault(f, "initial.kind = \"stream\" requires a patch with mach=, pressure= and temperature=");
  return TRIAD_OK;
}

int triad_multiblock_same_name(const triad_blocks_grid *g, int patch)
{
  int first = 0;
  while (strcmp(g->patch[first], g->patch[patch]) != 0) first++;
  return first;
}

/* ---- what a check of the grid needs to know of them ---- */

static int make_marks(const triad_multiblock_patches *p, triad_blocks_patch_mark **mark)
{
  *mark = calloc((size_t)p->n + 1, sizeof **mark);
  if (!*mark) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d patches", p->n);
  for (int i = 0; i < p->n; i++)
    (*mark)[i] = (triad_blocks_patch_mark){.named = p->patch[i].kind != TRIAD_MULTIBLOCK_UNNAMED,
                                           .is_wall = p->patch[i].is_wall != 0,
                                           .has_faces = p->patch[i].has_faces != 0};
  return TRIAD_OK;
}

int triad_multiblock_patches_check(triad_multiblock_patches *p, triad_faults *faults, const triad_blocks_grid *g,
                                   const triad_zones *zones)
{
  triad_blocks_patch_mark *mark;
  TRIAD_TRY(make_marks(p, &mark));
  int st = triad_blocks_check_faces(faults, g, zones, mark);
  for (int i = 0; i < p->n; i++) p->patch[i].has_faces = mark[i].has_faces;
  free(mark);
  return st;
}

int triad_multiblock_patches_near_miss(const triad_multiblock_patches *p, char *text, size_t size,
                                       const triad_blocks_grid *g, const triad_zones *zones)
{
  triad_blocks_patch_mark *mark;
  TRIAD_TRY(make_marks(p, &mark));
  int st = triad_blocks_find_near_miss(text, size, g, zones, mark);
  free(mark);
  return st;
}

void triad_multiblock_patches_number(triad_multiblock_patches *p, const triad_blocks_grid *g)
{
  for (int i = 0; i < p->n; i++) {
    if (!p->patch[i].is_wall || !p->patch[i].has_faces) continue;
    p->others |= !p->patch[i].named;
    if (!p->patch[i].named) continue;
    int same = 0;
    for (int j = 0; j < i && !same; j++)
      if (p->patch[j].wall > 0 && strcmp(g->patch[i], g->patch[j]) == 0) same = p->patch[j].wall;
    p->patch[i].wall = same ? same : ++p->n_walls;
  }
}

void triad_multiblock_patches_free(triad_multiblock_patches *p)
{
  free(p->patch);
  p->patch = NULL;
  p->n = 0;
}
