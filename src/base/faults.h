/* Faults of user input, collected so that all can be reported together. A list is a plain struct, empty if it is zero.
 * It allocates nothing, so adding a fault cannot fail, and it can be copied between processes byte by byte
 * (base/guard.h). Not collective; one thread at a time. */
#ifndef TRIAD_BASE_FAULTS_H
#define TRIAD_BASE_FAULTS_H

#include "base/status.h"

#include <stdint.h>

enum { TRIAD_FAULT_TEXT = 512, TRIAD_NAMES_TEXT = 300 };

typedef struct triad_faults {
  int64_t n, untold; /* number of faults; those that did not fit in the text */
  size_t used;
  /* the file or keys that they refer to, and whether the text names it already; the string must outlive the list */
  const char *of;
  int said;
  char text[960]; /* the faults; a message (base/status.h) can hold all of it with its source location */
} triad_faults;

/* Set what the following faults refer to, such as "nozzle.msh" or "boundaries.patches". It is named once, before the
 * first of them; of a long path only the end. */
void triad_faults_of(triad_faults *faults, const char *what);

/* Add a fault. All are counted; once one does not fit, later ones are only counted. A fault longer than
 * TRIAD_FAULT_TEXT characters is cut. */
void triad_fault(triad_faults *faults, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* TRIAD_OK if there are no faults; else TRIAD_ERR_CASE, with all of them in the message in the order of their
 * addition: "a; b; and 3 more". */
int triad_faults_tell(const triad_faults *faults);

/* take: the status of one of several independent parts of the work. If it is TRIAD_ERR_CASE, its message becomes a
 * fault and the result is TRIAD_OK; other statuses are returned unchanged. end: the status of the whole work, finished
 * or not: as take, then report all faults. */
int triad_faults_take(triad_faults *faults, int status);
int triad_faults_end(triad_faults *faults, int status);

/* A list of names in a fault, "a, b, c and 3 more"; a plain struct, empty if it is zero. */
typedef struct triad_names {
  int64_t n, untold;
  size_t used;
  char text[TRIAD_NAMES_TEXT], whole[TRIAD_NAMES_TEXT + 32];
} triad_names;

void triad_names_add(triad_names *names, const char *name);
const char *triad_names_text(triad_names *names);

#endif
