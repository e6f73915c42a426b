/* Datasets of one HDF5 file, for `triad info`: find, read, check and print them. */
#ifndef TRIAD_COMMAND_INFO_INFO_VALUES_H
#define TRIAD_COMMAND_INFO_INFO_VALUES_H

#include "command/info/info.h"

/* The shape of a dataset, and whether the file can hold as much, since other programs may claim any size: deflate makes
 * at most 1032 bytes of one. */
int triad_inspection_measure(triad_inspection *k, triad_dataset *d);

/* The dataset of that name, or NULL. */
triad_dataset *triad_inspection_find(const triad_inspection *k, const char *name);

/* Every value of it, a piece at a time, into least, most, sum, squares, bad; and into all[values] unless NULL. */
int triad_inspection_values(triad_inspection *k, triad_dataset *d, double *all);

/* All of its values in *out, which the caller frees. */
int triad_inspection_load(triad_inspection *k, triad_dataset *d, double **out);

/* Lines of the report. */
void triad_inspection_print(const triad_inspection *k, const triad_dataset *d);
void triad_inspection_print_notes(const triad_inspection *k);

/* Check for values that are not finite; for a file name with another step than the attribute. TRIAD_OK, or
 * TRIAD_ERR_CASE, reported. */
int triad_inspection_check_finite(const triad_inspection *k);
int triad_inspection_check_step(const triad_inspection *k, const char *prefix, double step);

#endif
