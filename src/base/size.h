/* Numbers of bytes as people read them. */
#ifndef TRIAD_BASE_SIZE_H
#define TRIAD_BASE_SIZE_H

/* Scale bytes to three digits before the point where a unit takes them so far, and return that unit: "B", "kB", ..,
 * "PB", each 1000 of the one before. */
const char *triad_size_unit(double *bytes);

/* "1.42 MB": to three digits, into text, which is returned. */
const char *triad_size_text(char text[32], double bytes);

#endif
