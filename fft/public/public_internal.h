/* Internal to the public interface. */
#ifndef TRIAD_FFT_PUBLIC_PUBLIC_INTERNAL_H
#define TRIAD_FFT_PUBLIC_PUBLIC_INTERNAL_H

#include "fft/pass/engine.h"
#include "fft/public/triad.h"

struct triad_plan {
  triad_context *context;
  const triad_engine *engine;
  triad_layout *layout;
  void *pass;
  int most_in, most_out;
  triad_plan_share share;
};

/* Begin a call that can fail: its message is yet to come. */
void triad_public_begin(void);

/* End one: keep the message of a failure for triad_plan_message, and return `status`. Unless `comm` is NULL all ranks
 * of it end with the same status and get the same message, which names the rank that had it. Collective if so. */
int triad_public_end(const triad_comm *comm, int status);

typedef struct triad_public_value {
  const char *what; /* as in "the ranks disagree on .." */
  int64_t value;
} triad_public_value;
enum { TRIAD_PUBLIC_VALUES = 16 };

/* The worst status of all ranks; if that is TRIAD_OK, TRIAD_ERR_USAGE unless each of n values is the same on all.
 * One message. Collective. */
int triad_public_same(const triad_comm *comm, int status, const triad_public_value *values, int n);

/* TRIAD_ERR_USAGE before MPI_Init and after MPI_Finalize. Not collective. */
int triad_public_mpi(void);

#endif
