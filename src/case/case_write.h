/* The resolved case as TOML, the differences between two cases, and the keys that may change during a run. */
#ifndef TRIAD_CASE_CASE_WRITE_H
#define TRIAD_CASE_CASE_WRITE_H

#include "case/case.h"

/* Each key whose value differs between two cases, or that only one of them has, in the order of `is`: its values as
 * TOML, "" where there is none. TRIAD_ERR_MEMORY. Not collective. */
typedef void triad_case_difference(void *who, const char *key, const char *was, const char *is);
int triad_case_compare(const triad_case *was, const triad_case *is, triad_case_difference *call, void *who);

/* The value of a key as TOML, "" where the case has no such key, or where another key makes it void (time.cfl with
 * time.dt). malloc'd; NULL without memory. */
char *triad_case_value(const triad_case *c, const char *key);

/* May the value of a key change during a run? 1 for keys that affect only the arithmetic of steps or the times and
 * format of files: times, intervals and flags of [time] and [output], numbers of [equations], [solver] and [forcing]
 * that determine no size. 0 for rows marked as `lasting`, for other keys, and for unknown ones. */
int triad_case_may_change(const triad_case *c, const char *key);

/* Every key that applies, as a valid TOML file with the origin of each as a comment. Parsing it gives the same values,
 * bit for bit. TRIAD_ERR_IO. */
int triad_case_write_resolved(const triad_case *c, FILE *file);

/* Likewise into memory: *text is malloc'd, NULL on failure. TRIAD_ERR_MEMORY. */
int triad_case_resolved(const triad_case *c, char **text, size_t *length);

#endif
