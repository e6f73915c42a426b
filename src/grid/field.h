/* Descriptions of fields: name, unit and role. Code asks for a role and never derives it from the position of a field
 * in a list or from its name.
 *
 * The components of a vector, and the parts of a complex field, are adjacent in a list of fields and form a group:
 * "velocity" is the group of u, v, w. A scalar is a group of one field, with the field's name. */
#ifndef TRIAD_GRID_FIELD_H
#define TRIAD_GRID_FIELD_H

#include <stddef.h>

typedef enum triad_role {
  TRIAD_ROLE_SCALAR,
  TRIAD_ROLE_COMPONENT, /* of a vector: `of` is its name, number = 0, 1, 2 for x, y, z */
  TRIAD_ROLE_REAL,      /* real part of the complex field `of`, number = 0 */
  TRIAD_ROLE_IMAGINARY  /* its imaginary part, number = 1                                   */
} triad_role;

/* Rows of a table: {"u", "velocity along x", "U", TRIAD_COMPONENT("velocity", 0, 1)}, {"theta", "buoyancy", "U",
 * TRIAD_SCALAR}. */
typedef struct triad_field_info {
  const char *name, *long_name, *unit;
  triad_role role;
  const char *of; /* name of the vector or complex field that it belongs to; NULL: none */
  int number;     /* index of the component or part */
  int solenoidal; /* 1: the vector is divergence-free */
} triad_field_info;

#define TRIAD_SCALAR TRIAD_ROLE_SCALAR, NULL, 0, 0
#define TRIAD_COMPONENT(vector, axis, without_divergence) TRIAD_ROLE_COMPONENT, (vector), (axis), (without_divergence)
#define TRIAD_REAL_PART(field) TRIAD_ROLE_REAL, (field), 0, 0
#define TRIAD_IMAGINARY_PART(field) TRIAD_ROLE_IMAGINARY, (field), 1, 0

/* A scalar, a vector or a complex field: fields first .. first + n - 1 of a list. role: that of its first field. */
typedef struct triad_field_group {
  const char *name;
  triad_role role;
  int first, n, solenoidal;
} triad_field_group;

/* Check that groups are complete and in order, and names unique. TRIAD_ERR_INTERNAL with the field. Not collective,
 * like all functions here. */
int triad_fields_check(const triad_field_info *list, int n);

/* The index of the field with this name; -1: none. */
int triad_field_find(const triad_field_info *list, int n, const char *name);

/* The group that begins with field f. To visit all groups: for (f = 0; f < n; f += group.n). */
triad_field_group triad_field_group_at(const triad_field_info *list, int n, int f);

/* The group with this name, such as "velocity", "theta" or "psi"; n = 0 and first = -1: none. */
triad_field_group triad_field_group_find(const triad_field_info *list, int n, const char *name);

#endif
