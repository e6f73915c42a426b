/* Read the gas, fluxes, limiter and mesh of a case of the unstructured solver, and create its mesh or partition. */
#include "solvers/gas/keys.h"
#include "solvers/unstructured/case/setup.h"
#include "solvers/unstructured/case/patch_rules.h"
#include "mesh/make/bend.h"

#include "base/precision.h"
#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *refusal(const triad_case *given)
{
  if (triad_case_is(given, "forcing.kind", "formula")) return "forcing.kind = \"formula\" is not available on GPUs";
  return NULL;
}

const triad_device_support triad_unstructured_devices = {.kinds = TRIAD_TAKES_GPU, .refusal = refusal};

static const char *const cells_words[] = {
  [TRIAD_MESH_TETS] = "tets",          [TRIAD_MESH_HEXES] = "hexes",   [TRIAD_MESH_PRISMS] = "prisms",
  [TRIAD_MESH_PYRAMIDS] = "pyramids",  [TRIAD_MESH_HYBRID] = "hybrid", [TRIAD_MESH_JET] = "jet",
  [TRIAD_MESH_POLYHEDRA] = "polyhedra"};
static const char *const form_words[] = {
  [TRIAD_MESH_BOX] = "box", [TRIAD_MESH_WEDGE] = "wedge", [TRIAD_MESH_TUBE] = "tube", [TRIAD_MESH_NOZZLE] = "jet"};

static int read_mesh(triad_mesh_generator *g, const triad_case *given)
{
  while (!triad_case_is(given, "grid.kind", cells_words[g->cells])) g->cells++;
  triad_case_integers(given, "grid.n", g->n, 3);
  triad_case_reals(given, "grid.length", g->length, 3);
  g->shake = triad_case_real(given, "grid.shake");
  while (!triad_case_is(given, "grid.shape", form_words[g->form])) g->form++;
  if (g->cells == TRIAD_MESH_JET) g->form = TRIAD_MESH_NOZZLE;
  g->corner = triad_case_real(given, "grid.corner");
  g->angle = triad_case_real(given, "grid.angle") * TRIAD_PI / 180;
  triad_case_reals(given, "grid.cut", g->cut, 6);
  triad_case_reals(given, "grid.nozzle", g->nozzle, 4);
  g->lip = triad_case_real(given, "grid.lip");
  triad_case_integers(given, "grid.across", &g->across, 1);
  g->joint = triad_case_real(given, "grid.joint");
  /* Cells are counted row by row, which of too many takes for ever. */
  if ((double)(g->n[0] + 1) * (double)(g->n[1] + 1) * (double)(g->n[2] + 1) > INT32_MAX)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "grid.n: %" PRId64 " x %" PRId64 " x %" PRId64
                      " cubes have more points than the maximum of %d: use fewer",
                      g->n[0], g->n[1], g->n[2], INT32_MAX);
  const char *fault = triad_mesh_bend_fault(g);
  if (fault) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s", fault);
  return TRIAD_OK;
}

static int read_path(char file[TRIAD_PATH], const triad_case *given)
{
  if (!triad_case_word(given, "grid.file")[0]) return TRIAD_OK;
  char *path = triad_case_path(given, "grid.file");
  if (!path) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a path");
  int st = triad_disk_path(file, "%s", path);
  free(path);
  return st;
}

int triad_unstructured_setup_read(triad_unstructured_setup *s, const triad_case *given)
{
  const char *text[TRIAD_MESH_PATCHES];
  char why[TRIAD_UNSTRUCTURED_WHY];
  *s =
    (triad_unstructured_setup){.gamma = triad_case_real(given, "equations.gamma"),
                               .riemann = triad_gas_flux_named(triad_case_word(given, "equations.low_order")),
                               .linear = triad_case_is(given, "equations.high_order", "linear"),
                               .wide = !triad_case_is(given, "equations.gradients", "near"),
                               .flat = triad_case_is(given, "equations.gradients", "limited"),
                               .source.partitioner = triad_graph_library_of(triad_case_word(given, "grid.partition")),
                               .source.curve = triad_case_is(given, "grid.partition", "curve"),
                               .source.structured = triad_case_is(given, "grid.structured", "auto"),
                               .layers = (int)triad_case_integer(given, "grid.layers")};
  if (triad_case_is(given, "grid.loops", "colours")) s->loops = TRIAD_UNSTRUCTURED_BY_COLOURS;
  if (triad_case_is(given, "grid.loops", "atomics")) s->loops = TRIAD_UNSTRUCTURED_ATOMICS;
  if (triad_case_is(given, "grid.faces", "kept")) s->keeps = TRIAD_UNSTRUCTURED_KEEP_FACES;
  if (triad_case_is(given, "grid.faces", "corners")) s->keeps = TRIAD_UNSTRUCTURED_KEEP_CORNERS;
  s->means = triad_case_flag(given, "output.means");
  s->means_from = triad_case_real(given, "output.means_from");
  s->prelimit = triad_case_flag(given, "equations.prelimit");
  s->viscosity = triad_case_real(given, "equations.viscosity");
  s->prandtl = triad_case_real(given, "equations.prandtl");
  s->slack = triad_case_real(given, "equations.slack");
  if (triad_case_is(given, "equations.transport", "low")) s->transport = TRIAD_UNSTRUCTURED_LOW;
  if (triad_case_is(given, "equations.transport", "high")) s->transport = TRIAD_UNSTRUCTURED_HIGH;
  if (triad_case_is(given, "grid.numbering", "morton")) s->numbering = TRIAD_MESH_MORTON;
  if (triad_case_is(given, "grid.numbering", "coalesced")) s->numbering = TRIAD_MESH_COALESCED;
  int n = triad_case_texts(given, "equations.limited", text, 2);
  for (int i = 0; i < n; i++)
    s->limited |= strcmp(text[i], "pressure") == 0     ? TRIAD_UNSTRUCTURED_LIMIT_PRESSURE
                  : strcmp(text[i], "components") == 0 ? TRIAD_UNSTRUCTURED_LIMIT_COMPONENTS
                                                       : TRIAD_UNSTRUCTURED_LIMIT_DENSITY;
  s->reference = (triad_body_reference){.area = triad_case_real(given, "reference.area"),
                                        .length = triad_case_real(given, "reference.length"),
                                        .density = triad_case_real(given, "reference.density"),
                                        .up = triad_case_is(given, "reference.up", "y") ? 1 : 2};
  triad_case_reals(given, "reference.centre", s->reference.centre, 3);
  triad_case_reals(given, "reference.velocity", s->reference.velocity, 3);
  TRIAD_TRY(read_mesh(&s->source.made, given));
  TRIAD_TRY(read_path(s->source.file, given));
  n = triad_case_texts(given, "boundaries.patches", text, TRIAD_MESH_PATCHES);
  for (int i = 0; i < n; i++) {
    const int more =
      triad_unstructured_patches_read(s->patch + s->n_patches, TRIAD_MESH_PATCHES - s->n_patches, text[i], why);
    if (more == 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "boundaries.patches: %s", why);
    s->n_patches += more;
  }
  for (int i = 0; i < s->n_patches; i++) s->sponges = s->sponges || s->patch[i].sponge > 0;
  return TRIAD_OK;
}

/* ---- the mesh ---- */

/* Argument of the source's find_pairs: sets the conditions of the patches once the mesh has named them. */
typedef struct naming {
  const triad_unstructured_setup *setup;
  triad_unstructured_rule *rules;
} naming;

static void find_pairs(void *who, const triad_mesh *mesh, triad_mesh_pairs *pairs, triad_faults *faults)
{
  const naming *w = who;
  triad_unstructured_setup_rules(w->setup, mesh, w->rules, pairs, faults);
}

int triad_unstructured_setup_mesh(const triad_unstructured_setup *s, triad_memory *memory, triad_mesh **mesh,
                                  triad_unstructured_rule rules[TRIAD_MESH_PATCHES])
{
  naming who = {s, rules};
  triad_mesh_source source = s->source;
  source.find_pairs = find_pairs;
  source.who = &who;
  return triad_mesh_source_mesh(mesh, memory, &source);
}

int triad_unstructured_setup_part(triad_mesh_partition **partition, const triad_context *context,
                                  const triad_unstructured_setup *s, triad_mesh **mesh,
                                  triad_unstructured_rule rules[TRIAD_MESH_PATCHES], uint64_t *checksum,
                                  double *measured_s)
{
  naming who = {s, rules};
  triad_mesh_source source = s->source;
  source.find_pairs = find_pairs;
  source.who = &who;
  return triad_mesh_partition_create(partition, context, &source, mesh, checksum, measured_s);
}

int triad_unstructured_setup_size(const triad_unstructured_setup *s, triad_mesh_size *size, int brief)
{
  triad_unstructured_rule rules[TRIAD_MESH_PATCHES];
  naming who = {s, rules};
  triad_mesh_source source = s->source;
  source.find_pairs = find_pairs;
  source.who = &who;
  return triad_mesh_source_size(&source, size, brief);
}
