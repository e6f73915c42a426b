/* Manual pages: text in the man(7) language, with everything escaped that troff would take for its own. */
#ifndef TRIAD_BASE_ROFF_H
#define TRIAD_BASE_ROFF_H

#include <stdio.h>

/* .TH of page `name`(section), with version and date of this build. */
void triad_roff_title(FILE *file, const char *name, int section);

/* Text as part of a line; `length` bytes of it. A line that it begins cannot be taken for a request. */
void triad_roff_text(FILE *file, const char *text, size_t length);

/* A whole line of text, and one in bold. */
void triad_roff_line(FILE *file, const char *text);
void triad_roff_bold(FILE *file, const char *text);

#endif
