/* Write the averages of a run to means.h5. */
#ifndef TRIAD_RUN_MEANS_MEANS_FILE_H
#define TRIAD_RUN_MEANS_MEANS_FILE_H

#include "run/means/means.h"

/* RUN/means.h5, or with windows RUN/means/means-0001.h5 of the first. TRIAD_ERR_IO. Collective. */
int triad_means_write(const triad_means *means, const char *run_dir, const triad_notes *notes);

#endif
