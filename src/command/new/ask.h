/* Questions on a terminal, and the sizes and durations that answers and options give. */
#ifndef TRIAD_COMMAND_NEW_ASK_H
#define TRIAD_COMMAND_NEW_ASK_H

#include <stddef.h>

/* Print a question with its default and read a line from stdin without the blanks around it; an empty line is the
 * default. TRIAD_ERR_USAGE at the end of the input. */
int triad_ask(const char *question, const char *preset, char *answer, size_t size);

/* Ask until the answer is a number from 1 to n, or the beginning of one of the n words alone. *choice counts from
 * 0. */
int triad_ask_which(const char *question, const char *const *words, int n, int *choice);

/* Bytes from "8GB", "500 MB" or "16GiB": a number with a unit; 0 if the text is none. */
double triad_bytes_of(const char *text);

/* Seconds from "10 minutes", "2 h" or "30 s": a number with a unit; 0 if the text is none. */
double triad_seconds_of(const char *text);

/* A number above 0; 0 if the text is none. */
double triad_positive_of(const char *text);

#endif
