/* Parameters of a case: look one up, evaluate numbers and formulas with them, write and compare them. */
#ifndef TRIAD_CASE_READ_CASE_PARAMETERS_H
#define TRIAD_CASE_READ_CASE_PARAMETERS_H

#include "case/case_internal.h"
#include "case/case_write.h"

/* The parameter of this name, NULL if there is none; names and values of all, or of those that are
 * known, for formulas: name[TRIAD_CASE_PARAMETERS] and value[TRIAD_CASE_PARAMETERS] are filled in. */
triad_case_parameter *triad_case_parameter_find(const triad_case *c, const char *name);
triad_formula_scope triad_case_scope(const triad_case *c, int all, const char **name, double *value);

/* Is a key in the table [parameters], or the table itself? A number that may use parameters, a
 * formula of a key: as in case/formula.h. Write, compare and free them. */
int triad_case_is_parameter(const char *key);
const triad_case_parameter *triad_case_find_parameter(const triad_case *c, const char *key); /* "parameters.U"; NULL */
int triad_case_number(const triad_case *c, const char *text, size_t length, double *value, char why[TRIAD_FORMULA_WHY]);
int triad_case_compile(const triad_case *c, const triad_key *key, const char *text, triad_formula **out,
                       char why[TRIAD_FORMULA_WHY]);
void triad_case_write_parameters(const triad_case *c, FILE *file);
void triad_case_compare_parameters(const triad_case *was, const triad_case *is, triad_case_difference *call, void *who);
void triad_case_free_parameters(triad_case *c);

#endif
