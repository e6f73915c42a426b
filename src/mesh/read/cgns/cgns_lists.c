/* Lists that grow while a CGNS file is read: faces and patches. */
#include "mesh/read/cgns/cgns_lists.h"
#include "mesh/read/cgns/cgns_reader.h"

#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_mesh_list_add(triad_mesh_list *l, int64_t value)
{
  if (l->n == l->room) {
    const int64_t room = 2 * l->room + 1024;
    int64_t *more = realloc(l->at, (size_t)room * sizeof *more);
    if (!more) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " numbers of a mesh", room);
    l->at = more;
    l->room = room;
  }
  l->at[l->n++] = value;
  return TRIAD_OK;
}

int triad_mesh_cgns_add_face(triad_mesh_cgns *c, int64_t n, const int64_t *point, int64_t patch)
{
  for (int64_t i = 0; i < n; i++) TRIAD_TRY(triad_mesh_list_add(&c->face, point[i]));
  TRIAD_TRY(triad_mesh_list_add(&c->first_face, c->face.n));
  return triad_mesh_list_add(&c->patch, patch);
}

int triad_mesh_cgns_patch(triad_mesh_cgns *c, const char *name, int64_t *patch)
{
  char wanted[TRIAD_MESH_NAME];
  (void)snprintf(wanted, sizeof wanted, "%s", name);
  for (*patch = 0; *patch < c->n_patches; (*patch)++)
    if (strcmp(c->given[*patch], wanted) == 0) return TRIAD_OK;
  if (c->n_patches == TRIAD_MESH_PATCHES)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: more than %d patches", c->path, TRIAD_MESH_PATCHES);
  memcpy(c->given[c->n_patches], wanted, sizeof wanted);
  if (!triad_name_clean(wanted, "-")) (void)snprintf(wanted, sizeof wanted, "surface-%d", c->n_patches + 1);
  memcpy(c->name[c->n_patches++], wanted, sizeof wanted);
  return TRIAD_OK;
}
