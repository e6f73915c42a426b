/* Lists and groups of fields (field.h). */
#include "grid/field.h"
#include "base/status.h"

#include <string.h>

/* Parts of a whole group that begins with this role. */
static int parts_of(triad_role role) { return role == TRIAD_ROLE_COMPONENT ? 3 : role == TRIAD_ROLE_REAL ? 2 : 1; }

/* Is field b the next part of the group that field a belongs to? */
static int follows(const triad_field_info *a, const triad_field_info *b)
{
  if (!a->of || !b->of || strcmp(a->of, b->of) != 0 || b->number != a->number + 1) return 0;
  if (a->role == TRIAD_ROLE_REAL) return b->role == TRIAD_ROLE_IMAGINARY;
  return a->role == TRIAD_ROLE_COMPONENT && b->role == a->role && b->solenoidal == a->solenoidal;
}

triad_field_group triad_field_group_at(const triad_field_info *list, int n, int f)
{
  const triad_field_info *head = &list[f];
  triad_field_group g = {head->of ? head->of : head->name, head->role, f, 1, head->solenoidal};
  while (f + 1 < n && follows(&list[f], &list[f + 1])) f++;
  g.n = f + 1 - g.first;
  return g;
}

int triad_fields_check(const triad_field_info *list, int n)
{
  for (int f = 0; f < n; f++)
    if (triad_field_find(list, n, list[f].name) != f)
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "two fields have the name %s", list[f].name);
  for (int f = 0; f < n;) {
    triad_field_group g = triad_field_group_at(list, n, f);
    int scalar = g.role == TRIAD_ROLE_SCALAR;
    if (g.role == TRIAD_ROLE_IMAGINARY || list[f].number != 0 || g.n != parts_of(g.role) || scalar != !list[f].of)
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL,
                        "field %s is not where its role puts it: part %d of \"%s\", %d of %d parts follow "
                        "one another",
                        list[f].name, list[f].number, g.name, g.n, parts_of(g.role));
    f += g.n;
  }
  return TRIAD_OK;
}

int triad_field_find(const triad_field_info *list, int n, const char *name)
{
  for (int f = 0; f < n; f++)
    if (strcmp(list[f].name, name) == 0) return f;
  return -1;
}

triad_field_group triad_field_group_find(const triad_field_info *list, int n, const char *name)
{
  for (int f = 0; f < n;) {
    triad_field_group g = triad_field_group_at(list, n, f);
    if (strcmp(g.name, name) == 0) return g;
    f += g.n;
  }
  return (triad_field_group){name, TRIAD_ROLE_SCALAR, -1, 0, 0};
}
