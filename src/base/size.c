/* Choose the unit in which a number of bytes is printed. */
#include "base/size.h"

#include <stdio.h>

const char *triad_size_unit(double *bytes)
{
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; *bytes >= 999.5 && unit < 5; unit++) *bytes /= 1000;
  return units[unit];
}

const char *triad_size_text(char text[32], double bytes)
{
  const char *unit = triad_size_unit(&bytes);
  (void)snprintf(text, 32, "%.3g %s", bytes, unit);
  return text;
}
