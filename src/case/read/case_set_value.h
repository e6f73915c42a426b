/* Split an argument key=value, parse its value, and find the arguments of one key. */
#ifndef TRIAD_CASE_READ_CASE_SET_VALUE_H
#define TRIAD_CASE_READ_CASE_SET_VALUE_H

#include "case/case_internal.h"

/* An argument "key=value" as key, malloc'd, and value; a value as items for `read`; the arguments of
 * one key only. */
int triad_case_split_set(const char *argument, char **key, const char **value);
int triad_case_read_set(triad_case *c, const char *key, const char *raw, triad_case_place place,
                        triad_case_reader *read);
int triad_case_sets_of(triad_case *c, int n_sets, const char *key, triad_case_reader *read);

/* How many tables of a repeatable kind the arguments define, which then replace those of the file;
 * -1: the arguments define none. */
int triad_case_tables_set(triad_case *c, const char *table);

#endif
