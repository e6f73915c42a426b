/* Count the results that remain when chains are summed, and divide chains into runs of equal length. */
#include "transpose/plain/chains.h"

#include <stddef.h>

int triad_chains_left(const triad_chains *chains, int n_out)
{
  for (int u = 0; u < TRIAD_CHAIN_UNITS; u++) n_out -= chains->unit[u].count;
  return n_out;
}

/* `count` chains of a length, whose first results are as far apart as a unit is long; or results in none, one behind
 * the other. */
static triad_chain_run run_of(int length, int count, int first, int joined, const triad_chain_unit *unit)
{
  const int step = unit ? unit->length + unit->alone : 1;
  return (triad_chain_run){length, count, first, step, joined, unit ? step - 1 : 1};
}

int triad_chains_runs(const triad_chains *chains, int n_out, triad_chain_run runs[TRIAD_CHAIN_RUNS])
{
  int n = 0, at = 0, joined = 0;
  for (int i = 0; i < TRIAD_CHAIN_UNITS; i++) {
    const triad_chain_unit *u = &chains->unit[i];
    if (u->count == 0) continue;
    runs[n++] = run_of(u->length, u->count, at, joined, u);
    if (u->alone > 0) {
      const triad_chain_unit *apart = u->count > 1 ? u : NULL;
      runs[n++] = run_of(1, apart ? u->count : u->alone, at + u->length, joined + u->length - 1, apart);
    }
    at += u->count * (u->length + u->alone);
    joined += u->count * (u->length - 1 + u->alone);
  }
  if (n_out > at) runs[n++] = run_of(1, n_out - at, at, joined, NULL);
  return n;
}
