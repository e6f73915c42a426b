/* Call the function of a force's kind for the force at a given time, if it has one. */
#include "solvers/spectral/force/plain/forcing_at.h"
#include "solvers/spectral/force/force_internal.h"

int triad_forcing_at(triad_forcing *p, const triad_flow *flow, double t, int first)
{
  return p && p->kind->at ? p->kind->at(p, flow, t, first) : TRIAD_OK;
}
