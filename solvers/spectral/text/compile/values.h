/* Values of formulas: scalars and vectors, real or complex, each component a sum of terms. All functions return 0 after
 * they noted what is wrong at a node. For the files of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_VALUES_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_VALUES_H

#include "solvers/spectral/text/compile/expand.h"

/* "a vector" or "a scalar" */
const char *triad_text_kind_of(const triad_text_value *v);

/* a + sign b; a b, of which one is a scalar; a x b. */
int triad_text_add_value(triad_text_compiler *c, const triad_text_source *s, int node, const triad_text_value *a,
                         const triad_text_value *b, double sign, triad_text_value *out);
int triad_text_times_value(triad_text_compiler *c, const triad_text_source *s, int node, const triad_text_value *a,
                           const triad_text_value *b, triad_text_value *out);
int triad_text_cross(triad_text_compiler *c, const triad_text_source *s, int node, const triad_text_value *a,
                     const triad_text_value *b, triad_text_value *out);

/* Component p of out += sign (component i of a) (component k of b). */
int triad_text_add_product(triad_text_compiler *c, const triad_text_source *s, int node, const triad_text_value *a,
                           int i, const triad_text_value *b, int k, double sign, triad_text_value *out, int p);

/* A multiplier on all components; gradient of a scalar; divergence and curl of a vector; dt of what is linear. */
int triad_text_each(triad_text_compiler *c, triad_text_scaled m, const triad_text_value *v, triad_text_value *out);
int triad_text_gradient(triad_text_compiler *c, const triad_text_value *v, triad_text_value *out);
int triad_text_divergence(triad_text_compiler *c, const triad_text_value *v, triad_text_value *out);
int triad_text_curl(triad_text_compiler *c, const triad_text_value *v, triad_text_value *out);
int triad_text_rate(triad_text_compiler *c, const triad_text_source *s, int node, const triad_text_value *v,
                    triad_text_value *out);

#endif
