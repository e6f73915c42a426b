/* The order and colours of a rank's faces, and their geometry. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_FACES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_FACES_H

#include "solvers/unstructured/state/domain_internal.h"

/* domain_faces.c: sort and colour faces; compute their geometry. */
int triad_unstructured_place_faces(triad_unstructured_making *k);

#endif
