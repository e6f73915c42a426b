/* Creation and destruction of a pass. */
#ifndef TRIAD_FFT_PASS_PASS_CREATE_H
#define TRIAD_FFT_PASS_PASS_CREATE_H

#include "fft/pass/pass.h"

/* Plan for up to most_in and most_out fields. The layout must outlive the pass and have TRIAD_LANES lanes.
 * TRIAD_ERR_MEMORY, TRIAD_ERR_CASE. Collective. */
int triad_pass_create(triad_pass **out, triad_context *context, const triad_layout *layout, int most_in, int most_out,
                      const triad_pass_options *options);
void triad_pass_destroy(triad_pass **pass);

#endif
