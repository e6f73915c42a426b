/* Words and texts: those from others made safe to show on a terminal, in a log, inside a JSON string and on a manual
 * page; and the known word that is nearest to a misspelt one. */
#ifndef TRIAD_BASE_TEXT_H
#define TRIAD_BASE_TEXT_H

#include <stddef.h>
#include <stdio.h>

enum {
  TRIAD_ESCAPE_PLAIN, /* for people: control characters and bytes that are not UTF-8 become \xNN                 */
  TRIAD_ESCAPE_JSON   /* inside the quotes of a JSON string: control characters \n or \u00NN, bytes that are not
                       * UTF-8 the four characters \xNN (written \\xNN), so that the result is always valid JSON */
};

/* Escape `length` bytes of text into out[room]: as much as fits whole, always ended by NUL (if room > 0). Valid UTF-8
 * is kept. Returns the bytes that the whole result takes without the NUL, as snprintf does: at most 6 * length.
 * A tab is kept in plain text; escape sequences of terminals, C1 controls (U+0080 to U+009F), U+2028 and U+2029 are
 * not. */
size_t triad_escape(char *out, size_t room, const char *text, size_t length, int kind);

/* Make a name from a file one that columns, HDF5 files and cases can have: letters and digits, characters of `kept`
 * and valid UTF-8 outside ASCII stay; other bytes, and blanks and controls outside ASCII, become '_'. Returns
 * whether a letter or digit is left. */
int triad_name_clean(char *name, const char *kept);

/* The leading bytes of escaped text that fill no more than `columns` of a terminal; never part of a character. */
size_t triad_escape_fit(const char *text, size_t length, int columns);

/* Make escaped text, whose fields are parted by two spaces, fit `columns` of a terminal as well as leaving fields
 * out can: those behind the second go, the earliest first, so that the first two and the last ones stay. */
void triad_escape_squeeze(char *text, int columns);

/* Edits (insert, delete, replace, swap of neighbours) that turn a into b; upper and lower case count as equal, and
 * so do '_', '-'. Words longer than 63 bytes are cut. Optimal string alignment, as in Damerau 1964, CACM 7, 171. */
int triad_edits(const char *a, const char *b);

/* Place in words[0..n-1] of the word nearest to `word`, the first of equals; -1 when none is near enough to be
 * worth suggesting: at most one edit in three characters. Not collective. */
int triad_nearest(const char *word, const char *const *words, int n);

/* The end of what a command prints: `status`, or TRIAD_ERR_IO where `out` (standard output) could not take it all. That
 * its reader has left, as head does when it has seen enough, is no failure. Not collective. */
int triad_output_end(FILE *out, int status);

/* Manual pages, in the man(7) language, with everything escaped that troff would take for its own.
 * .TH of page `name`(section), with version and date of this build. */
void triad_roff_title(FILE *file, const char *name, int section);

/* Text as part of a line; `length` bytes of it. A line that it begins cannot be taken for a request. */
void triad_roff_text(FILE *file, const char *text, size_t length);

/* A whole line of text, and one in bold. */
void triad_roff_line(FILE *file, const char *text);
void triad_roff_bold(FILE *file, const char *text);

#endif
