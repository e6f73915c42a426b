/* The size of a new case: what a machine allows, and the numbers for a Reynolds number. */
#ifndef TRIAD_COMMAND_NEW_CHOOSE_H
#define TRIAD_COMMAND_NEW_CHOOSE_H

#include "command/new/template.h"

/* Answers and options; 0: not given. */
typedef struct triad_new_wish {
  double value;   /* Reynolds number, or what the template asks for */
  double memory;  /* bytes of all ranks */
  double seconds; /* of the whole run */
  double rate;    /* cell steps per second of the machine; 0: measured when it is needed */
  int64_t points; /* along an edge */
  const char *mesh;
  int threads;   /* with which the rate was measured; 0: it was given */
  int measured;  /* 1: a measurement was tried */
  char why[320]; /* why there is no rate; "": there is one, or no measurement was tried */
} triad_new_wish;

/* A case of the chosen size. */
typedef struct triad_new_size {
  triad_template_numbers numbers;
  double value, bytes, seconds; /* seconds 0: not known */
} triad_new_size;

/* The largest number of points along an edge that memory and time allow; INT64_MAX without limits. TRIAD_ERR_USAGE if
 * the smallest case is too large. */
int triad_new_limit(const triad_template *t, triad_new_wish *wish, int64_t *n);

/* Choose: the value's points, or else the largest value that the machine allows. TRIAD_ERR_USAGE if a given value does
 * not fit, with the largest one that does. */
int triad_new_choose(const triad_template *t, triad_new_wish *wish, triad_new_size *out);

/* Bytes and seconds of a case with these numbers. */
int triad_new_cost(const triad_template *t, triad_new_wish *wish, triad_new_size *out);

/* "3.2 hours", "12 minutes", "5 s": a duration, two digits. */
const char *triad_new_duration(char text[32], double seconds);

#endif
