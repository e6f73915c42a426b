/* The space of an unstructured mesh (mesh_space.h). */
#include "grid/mesh_space.h"

static void run_of_mesh(const triad_space *s, int64_t i, triad_space_run *run)
{
  const triad_mesh_entries *e = s->own;
  *run = (triad_space_run){.global = e->global[i], .at = i, .step = 1, .count = 1, .weight = 1};
}

static const triad_space_kind mesh = {.name = "mesh", .run = run_of_mesh};

void triad_space_mesh(triad_space *s, const triad_mesh_entries *e)
{
  *s = (triad_space){.kind = &mesh,
                     .n_dims = 1,
                     .parts = 1,
                     .dims = {e->all},
                     .all = e->all,
                     .here = e->here,
                     .memory = e->memory,
                     .n_runs = e->here,
                     .own = e};
}
