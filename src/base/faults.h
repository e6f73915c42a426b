/* What is wrong with something that a user gave, gathered one after another, so that all of it is told in one go. A
 * list is a plain struct, empty when it is zero: it takes no memory, so that a fault cannot fail to be noted, and
 * goes from process to process byte by byte (base/guard.h). Not collective, and one thread at a time. */
#ifndef TRIAD_BASE_FAULTS_H
#define TRIAD_BASE_FAULTS_H

#include "base/status.h"

#include <stdint.h>

enum { TRIAD_FAULT_TEXT = 512, TRIAD_NAMES_TEXT = 300 };

typedef struct triad_faults {
  int64_t n, untold; /* all of them; those that the text has no room for */
  size_t used;
  const char *of; /* what they are faults of, and has it been said; it lives as long as they are noted */
  int said;
  char text[960]; /* one after another; a message (base/status.h) has room for it with its place and its end */
} triad_faults;

/* Faults from here on are those of a file or of keys, "nozzle.msh" or "boundaries.patches": said once, before the
 * first of them, of a long path its end. */
void triad_faults_of(triad_faults *faults, const char *what);

/* Another one. All are counted; from the first one on that there is no room for they are only counted. One of more
 * than TRIAD_FAULT_TEXT letters is cut. */
void triad_fault(triad_faults *faults, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* TRIAD_OK where there is none; else TRIAD_ERR_CASE, and the message has all in the order in which they were noted,
 * "a; b; and 3 more". */
int triad_faults_tell(const triad_faults *faults);

/* The status of a part of the work that the others don't depend on: one that failed with TRIAD_ERR_CASE has left a
 * message, which becomes a fault, and it is TRIAD_OK; another status is as it was. And that of all the work, where
 * it came to its end or could not go on: the same, and all faults are told. */
int triad_faults_take(triad_faults *faults, int status);
int triad_faults_end(triad_faults *faults, int status);

/* Names in a fault, "a, b, c and 3 more": likewise a plain struct, empty when it is zero. */
typedef struct triad_names {
  int64_t n, untold;
  size_t used;
  char text[TRIAD_NAMES_TEXT], whole[TRIAD_NAMES_TEXT + 32];
} triad_names;

void triad_names_add(triad_names *names, const char *name);
const char *triad_names_text(triad_names *names);

#endif
