/* Assign the boundary conditions of the case to the patches of a mesh: patterns, periodic partners, and a report of
 * patches without a condition. */
#include "solvers/unstructured/case/patch_rules.h"
#include "solvers/unstructured/case/setup.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

typedef struct naming {
  const triad_unstructured_setup *setup;
  const triad_mesh *mesh;
  triad_mesh_pairs *pairs;
  triad_faults *faults;
  int8_t joined[TRIAD_MESH_PATCHES]; /* 1 + the patch that this one was joined to, 0: none yet */
  int unknown;
} naming;

static int find(const triad_mesh *m, const char *name)
{
  for (int i = 0; i < m->n_patches; i++)
    if (strcmp(m->patch_name[i], name) == 0) return i;
  return -1;
}

/* With the first name that there is not all that there are. */
static int find_or_complain(naming *w, const char *name)
{
  const char *names[TRIAD_MESH_PATCHES];
  char suggestion[TRIAD_MESH_NAME + 24] = "";
  triad_names all = {0};
  const int p = find(w->mesh, name);
  if (p >= 0) return p;
  for (int i = 0; i < w->mesh->n_inside; i++)
    if (strcmp(w->mesh->inside[i].name, name) == 0) {
      triad_fault(
        w->faults,
        "patch \"%s\" is inside the mesh, its %lld faces are between cells: remove it from boundaries.patches", name,
        (long long)w->mesh->inside[i].faces);
      return -1;
    }
  if (w->mesh->n_patches == 0) {
    if (w->unknown++ == 0) triad_fault(w->faults, "the mesh has no patch \"%s\": its file names no surfaces", name);
    return -1;
  }
  for (int i = 0; i < w->mesh->n_patches; i++) {
    names[i] = w->mesh->patch_name[i];
    triad_names_add(&all, names[i]);
  }
  const int near = triad_nearest(name, names, w->mesh->n_patches);
  if (near >= 0) (void)snprintf(suggestion, sizeof suggestion, ", did you mean \"%s\"?", names[near]);
  if (w->unknown++ == 0)
    triad_fault(w->faults, "the mesh has no patch \"%s\"%s (there are %s)", name, suggestion, triad_names_text(&all));
  else triad_fault(w->faults, "the mesh has no patch \"%s\"%s", name, suggestion);
  return -1;
}

/* "xmax" of "xmin", and the like; what was said where something was. */
static void partner_of(const triad_unstructured_patch *p, char name[TRIAD_MESH_NAME])
{
  (void)snprintf(name, TRIAD_MESH_NAME, "%s", p->with[0] ? p->with : p->name);
  size_t n = strlen(name);
  if (p->with[0] || n < 3) return;
  if (strcmp(name + n - 3, "min") == 0) memcpy(name + n - 3, "max", 3);
  else if (strcmp(name + n - 3, "max") == 0) memcpy(name + n - 3, "min", 3);
}

static int is_periodic(const triad_unstructured_setup *s, const char *name)
{
  for (int i = 0; i < s->n_patches; i++)
    if (strcmp(s->patch[i].name, name) == 0) return s->patch[i].kind == TRIAD_UNSTRUCTURED_PERIODIC;
  return 0;
}

/* The patches back and front of a plane mesh that was extruded are slip walls unless the case names them. */
static int is_layer(const triad_mesh *m, int patch) { return m->changes.plane > 0 && patch >= m->n_patches - 2; }

const triad_unstructured_patch *triad_unstructured_setup_patch(const triad_unstructured_setup *s, const triad_mesh *m,
                                                               int patch)
{
  const triad_unstructured_patch *rest = NULL;
  for (int i = 0; i < s->n_patches; i++) {
    if (strcmp(s->patch[i].name, m->patch_name[patch]) == 0) return &s->patch[i];
    if (strcmp(s->patch[i].name, TRIAD_UNSTRUCTURED_REST) == 0) rest = &s->patch[i];
  }
  return is_layer(m, patch) ? NULL : rest;
}

/* Patch a, which is periodic. */
static void join_pair(naming *w, const triad_unstructured_patch *patch, int a)
{
  char name[TRIAD_MESH_NAME];
  partner_of(patch, name);
  const int b = find_or_complain(w, name);
  if (b < 0 || w->joined[a] == b + 1) return;
  if (a == b) {
    triad_fault(w->faults, "%s: periodic requires with=PATCH", patch->name);
  } else if (w->joined[a] || w->joined[b]) {
    triad_fault(w->faults, "%s: with=%s is not mutual: %s is already connected to %s", w->mesh->patch_name[a], name,
                w->mesh->patch_name[w->joined[a] ? a : b],
                w->mesh->patch_name[(w->joined[a] ? w->joined[a] : w->joined[b]) - 1]);
  } else if (!is_periodic(w->setup, name)) {
    triad_fault(w->faults, "%s is periodic, but %s is not", patch->name, name);
  } else {
    w->joined[a] = (int8_t)(b + 1);
    w->joined[b] = (int8_t)(a + 1);
    w->pairs->patch[w->pairs->n][0] = a;
    w->pairs->patch[w->pairs->n++][1] = b;
  }
}

static void set_rule(triad_unstructured_rule *rule, const triad_unstructured_patch *patch)
{
  rule->kind = patch->kind;
  for (int k = 0; k < 5; k++) rule->given[k] = (triad_real)patch->state[k];
}

/* The condition of "*" for all patches without a condition of their own. */
static void set_rest(naming *w, const int8_t *said, triad_unstructured_rule rules[TRIAD_MESH_PATCHES])
{
  for (int p = 0; p < w->mesh->n_patches; p++) {
    const triad_unstructured_patch *patch = said[p] ? NULL : triad_unstructured_setup_patch(w->setup, w->mesh, p);
    if (patch) set_rule(&rules[p], patch);
  }
}

/* In a mesh from a file every patch needs a condition, since its name does not determine one. */
static void find_unsaid(naming *w, const int8_t *said)
{
  triad_names names = {0};
  for (int p = 0; w->setup->source.file[0] && p < w->mesh->n_patches; p++)
    if (!said[p] && !is_layer(w->mesh, p) && !triad_unstructured_setup_patch(w->setup, w->mesh, p))
      triad_names_add(&names, w->mesh->patch_name[p]);
  if (names.n > 0)
    triad_fault(w->faults, "boundaries.patches does not name patch %s of %s: give it a kind, or all others by \"*\"",
                triad_names_text(&names), w->setup->source.file);
}

void triad_unstructured_setup_rules(const triad_unstructured_setup *s, const triad_mesh *m,
                                    triad_unstructured_rule rules[TRIAD_MESH_PATCHES], triad_mesh_pairs *pairs,
                                    triad_faults *faults)
{
  naming w = {.setup = s, .mesh = m, .pairs = pairs, .faults = faults};
  int8_t said[TRIAD_MESH_PATCHES] = {0};
  int rest = 0;
  pairs->n = 0;
  triad_faults_of(faults, "boundaries.patches");
  for (int i = 0; i < TRIAD_MESH_PATCHES; i++) rules[i] = (triad_unstructured_rule){.kind = TRIAD_UNSTRUCTURED_SLIP};
  for (int i = 0; i < s->n_patches; i++) {
    const triad_unstructured_patch *patch = &s->patch[i];
    if (strcmp(patch->name, TRIAD_UNSTRUCTURED_REST) == 0) {
      if (rest++) triad_fault(faults, "patch * is given twice");
      continue;
    }
    const int p = find_or_complain(&w, patch->name);
    if (p < 0) continue;
    if (said[p]++) {
      triad_fault(faults, "patch %s is given twice", patch->name);
      continue;
    }
    set_rule(&rules[p], patch);
    if (patch->kind == TRIAD_UNSTRUCTURED_PERIODIC) join_pair(&w, patch, p);
  }
  set_rest(&w, said, rules);
  find_unsaid(&w, said);
}
