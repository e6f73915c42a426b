/* Choose CPU, GPU or offload for a case from parallel.device, the code of the solver, and the devices of the
 * machine. */
#include "solvers/device_choice.h"

#include "parallel/host/gpus.h"

#include <string.h>

const char *triad_device_refusal(const triad_device_support *support, const triad_case *given)
{
  if (!support || !support->kinds) return "this solver has no GPU support";
  if (!triad_device_built()) return "this build has no CUDA support (build with make CUDA=1)";
  if (triad_device_count() == 0) return "no GPU is available";
  return support->refusal ? support->refusal(given) : NULL;
}

int triad_device_expected(const triad_device_support *support, const triad_case *given)
{
  if (triad_case_is(given, "parallel.device", "cpu") || triad_case_is(given, "parallel.device", "offload")) return 0;
  return triad_device_refusal(support, given) == NULL;
}

/* Why this word of parallel.device cannot be had. */
static int refuse(const triad_device_support *support, const triad_case *given, const char *device)
{
  const char *why = triad_device_refusal(support, given);
  if (strcmp(device, "offload") == 0 && support && support->kinds && !(support->kinds & TRIAD_TAKES_OFFLOAD))
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "parallel.device = \"offload\" is not available in solver %s: use \"cpu\", \"gpu\" or \"auto\"",
                      triad_case_word(given, "equations.solver"));
  if (why) return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.device = \"%s\": %s: use \"cpu\" or \"auto\"", device, why);
  return TRIAD_OK;
}

int triad_device_check(const triad_device_support *support, const triad_case *given)
{
  const char *device = triad_case_word(given, "parallel.device");
  const char *transport = triad_case_word(given, "parallel.transport");
  int on_cpu = strcmp(device, "cpu") == 0, offload = strcmp(device, "offload") == 0;
  if (!on_cpu && strcmp(device, "auto") != 0) TRIAD_TRY(refuse(support, given, device));
  if (strcmp(transport, "auto") == 0 || strcmp(transport, "mpi") == 0) return TRIAD_OK;
  const char *why = on_cpu    ? "parallel.device is \"cpu\""
                    : offload ? "with parallel.device = \"offload\" it is between hosts"
                              : triad_device_refusal(support, given);
  if (why)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "parallel.transport = \"%s\" moves data between GPUs, but %s: use \"mpi\" or \"auto\"", transport,
                      why);
  return TRIAD_OK;
}

int triad_device_choose(triad_device **device, int *offload, const triad_device_support *support,
                        triad_context *context, const triad_case *given)
{
  const triad_comm *comm = &context->comm;
  const char *word = triad_case_word(given, "parallel.device");
  int wanted = strcmp(word, "auto") != 0, can = triad_device_refusal(support, given) == NULL, all_can = 0, sharers;
  *device = NULL;
  *offload = strcmp(word, "offload") == 0;
  if (strcmp(word, "cpu") == 0) return TRIAD_OK;
  TRIAD_TRY(triad_agree(comm, wanted ? refuse(support, given, word) : TRIAD_OK));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&can, &all_can, 1, MPI_INT, MPI_MIN, comm->mpi)));
  if (!wanted && !all_can) return TRIAD_OK;
  if (context->gpu < 0) TRIAD_TRY(triad_gpus_choose(&context->gpu, &sharers, comm, NULL));
  return triad_agree(comm, triad_device_create(device, context->gpu));
}
