/* Numbers of bytes as text. */
#ifndef TRIAD_BASE_SIZE_H
#define TRIAD_BASE_SIZE_H

/* Scale bytes to a value below 1000 (if units suffice) and return its unit: "B", "kB", .., "PB", each 1000 times the
 * one before. */
const char *triad_size_unit(double *bytes);

/* Write text such as "1.42 MB", with three digits, and return it. */
const char *triad_size_text(char text[32], double bytes);

#endif
