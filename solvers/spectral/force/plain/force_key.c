/* Name the key of a field's formula: scalars share one key, whose value is a list. */
#include "solvers/spectral/force/plain/force_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_force_key(const char *field, char key[TRIAD_FORCE_KEY])
{
  const int scalar = strncmp(field, "scalar", 6) == 0;
  (void)snprintf(key, TRIAD_FORCE_KEY, "forcing.%s", scalar ? "scalars" : field);
  return scalar ? (int)strtol(field + 6, NULL, 10) - 1 : 0;
}
