/* The device of a case, from parallel.device, the support of the solver, this build and this machine. A device that the
 * case names is used or refused, never replaced silently. */
#ifndef TRIAD_SOLVERS_DEVICE_CHOICE_H
#define TRIAD_SOLVERS_DEVICE_CHOICE_H

#include "case/case.h"
#include "parallel/context.h"
#include "parallel/device.h"

/* Devices that a solver supports in addition to the CPU: steps with the state on a GPU; with the state on the host,
 * offloaded to a GPU. */
enum { TRIAD_TAKES_GPU = 1, TRIAD_TAKES_OFFLOAD = 2 };

/* The devices of a family; NULL: the CPU alone. refusal: why no GPU, whatever GPU there is, can take the steps of
 * this case, in words; NULL: one can. The member is NULL where any case can. */
typedef struct triad_device_support {
  int kinds; /* TRIAD_TAKES_.. or'ed; 0 for the CPU alone */
  const char *(*refusal)(const triad_case *given);
} triad_device_support;

/* Why no GPU can take the steps of this case here, in words; NULL: one can. Not collective. */
const char *triad_device_refusal(const triad_device_support *support, const triad_case *given);

/* Will the state be on a GPU, as far as this rank knows: "gpu", or "auto" without a refusal. Not collective. */
int triad_device_expected(const triad_device_support *support, const triad_case *given);

/* Are parallel.device and parallel.transport to be had? TRIAD_ERR_FEATURE. Not collective. */
int triad_device_check(const triad_device_support *support, const triad_case *given);

/* The GPU that the case asks for; with "auto" only where every rank has one that can. *device: NULL for the CPU;
 * destroy it. *offload: the state stays on the host, and passes through it. TRIAD_ERR_FEATURE. Collective. */
int triad_device_choose(triad_device **device, int *offload, const triad_device_support *support,
                        triad_context *context, const triad_case *given);

#endif
