/* Text: untrusted text escaped for terminals, logs, JSON strings and manual pages; the known word nearest to a
 * misspelt one. */
#ifndef TRIAD_BASE_TEXT_H
#define TRIAD_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  TRIAD_ESCAPE_PLAIN, /* for terminals: control characters and bytes that are not UTF-8 become \xNN */
  /* for JSON strings: control characters become \n or \u00NN, bytes that are not UTF-8 the four characters \xNN
   * (written \\xNN), so that the result is always valid JSON */
  TRIAD_ESCAPE_JSON
};

/* Length of the UTF-8 character that starts at text (of n > 0 bytes) and its code point; 0 if there is none (RFC 3629:
 * no overlong forms, no surrogates, nothing above U+10FFFF). */
size_t triad_utf8(const char *text, size_t n, uint32_t *code);

/* Escape `length` bytes of text into out[room]: as many complete characters as fit, always terminated by NUL (if room
 * > 0). Valid UTF-8 is not changed. Returns the length of the complete result without the NUL, like snprintf: at most
 * 6 * length. A tab is not changed in plain text; escape sequences of terminals, C1 controls (U+0080 to U+009F),
 * U+2028 and U+2029 are escaped. */
size_t triad_escape(char *out, size_t room, const char *text, size_t length, int kind);

/* Turn a name from a file into one that is valid for columns, HDF5 files and cases: letters, digits, characters of
 * `kept` and valid UTF-8 outside ASCII stay; other bytes, and blanks and controls outside ASCII, become '_'. Returns 1
 * if a letter or digit is left. */
int triad_name_clean(char *name, const char *kept);

/* The number of leading bytes of escaped text that fit in `columns` of a terminal; characters are not split. */
size_t triad_escape_fit(const char *text, size_t length, int columns);

/* Shorten escaped text, whose fields are separated by two spaces, to `columns` by omitting fields: from the third on,
 * the earliest first, so that the first two and the last ones stay. */
void triad_escape_squeeze(char *text, int columns);

/* The number of edits (insert, delete, replace, swap of neighbours) that turn a into b; upper and lower case are
 * equal, and so are '_' and '-'. Words longer than 63 bytes are cut. Optimal string alignment, as in Damerau 1964,
 * CACM 7, 171. */
int triad_edits(const char *a, const char *b);

/* Index in words[0..n-1] of the word nearest to `word`, the first of equals; -1 if none is close enough to be
 * suggested: at most one edit per three characters. Not collective. */
int triad_nearest(const char *word, const char *const *words, int n);

/* Manual pages in the man(7) language, with everything escaped that troff would interpret. The title line .TH of page
 * `name`(section), with version and date of this build. */
void triad_roff_title(FILE *file, const char *name, int section);

/* Write `length` bytes of text as part of a line. At the start of a line they are protected from being read as a
 * request. */
void triad_roff_text(FILE *file, const char *text, size_t length);

/* Write a line of text; write a line in bold. */
void triad_roff_line(FILE *file, const char *text);
void triad_roff_bold(FILE *file, const char *text);

#endif
