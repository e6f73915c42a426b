/* The list of kinds of forces. */
#include "solvers/spectral/force/plain/force_list.h"

#include <string.h>

#define TRIAD_FLUIDS "hd boussinesq mhd"
#define WORD(name_, how_, word_, about_, needs_) {word_, TRIAD_FLUIDS, .about = about_, .needs = needs_},
#define PROPERTIES(name_, how_, word_, about_, needs_) how_,

static const triad_word none = {"none", .about = "no force"}, words[] = {TRIAD_FORCES(WORD)};
static const unsigned properties[] = {TRIAD_FORCES(PROPERTIES)};
enum { FORCES = sizeof words / sizeof *words };

const triad_word *triad_force_word(int i)
{
  if (i == 0) return &none;
  return i <= FORCES ? &words[i - 1] : NULL;
}

int triad_force_row(const triad_case *given)
{
  for (int i = 0; i < FORCES; i++)
    if (strcmp(triad_case_word(given, "forcing.kind"), words[i].name) == 0) return i;
  return -1;
}

unsigned triad_force_properties(int row) { return properties[row]; }

int triad_force_is(const triad_case *given, unsigned property)
{
  const int row = triad_force_row(given);
  return row >= 0 && (properties[row] & property) != 0;
}
