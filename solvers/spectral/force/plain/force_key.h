/* The key of the formula of a forced field. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_FORCE_KEY_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_FORCE_KEY_H

enum { TRIAD_FORCE_KEY = 64 };

/* Write the key of a field's formula; return its number in the list of the key. */
int triad_force_key(const char *field, char key[TRIAD_FORCE_KEY]);

#endif
