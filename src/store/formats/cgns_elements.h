/* Element sections of unstructured zones of a CGNS file. */
#ifndef TRIAD_STORE_FORMATS_CGNS_ELEMENTS_H
#define TRIAD_STORE_FORMATS_CGNS_ELEMENTS_H

#include "store/formats/cgns.h"

/* Sections of elements of an unstructured zone: their number; the name of one, clean as that of a patch; call each with
 * every element, until it returns something else than TRIAD_OK. */
int triad_cgns_sections(const triad_cgns *file, int zone, int *n);
int triad_cgns_elements(const triad_cgns *file, int zone, int section, char name[TRIAD_CGNS_NAME],
                        triad_cgns_each *each, void *who);

#endif
