/* Text from others made safe to show: on a terminal, in a log, inside a JSON string. */
#ifndef TRIAD_BASE_ESCAPE_H
#define TRIAD_BASE_ESCAPE_H

#include <stddef.h>

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

/* The leading bytes of escaped text that fill no more than `columns` of a terminal; never part of a character. */
size_t triad_escape_fit(const char *text, size_t length, int columns);

#endif
