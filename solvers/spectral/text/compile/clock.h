/* Functions of time in equations as text. For the files of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_CLOCK_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_CLOCK_H

#include "solvers/spectral/text/compile/expand.h"
#include "solvers/spectral/text/compile/schedule.h"

/* Terms whose profiles are functions of t too become products of a profile and a clock. */
int triad_text_split_times(triad_text_compiler *c, const triad_text_source *s, const triad_text_sum *sum,
                           triad_text_sum *out);

/* The number of a function of time, new if there is none of the same program; NULL: -1; -2: too many. The largest
 * rate of change of all. A function's value. */
int triad_text_find_clock(const triad_text *text, triad_text_schedule *s, const triad_formula *f);
double triad_text_clock_rate(const triad_text_schedule *s);
double triad_text_at_time(const triad_formula *f, double t);

/* The time of the next stage, of a set (equations.h). */
void triad_text_set_time(void *self, double t);

#endif
