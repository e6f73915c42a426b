/* A first look at TOML text, which refuses what the parsing library does not stand: dotted keys so deep that tables
 * nested as deep overflow the stack, and characters beyond ASCII where only ASCII can be right, on which its tests for
 * white space have no defined result (toml++ 3.3, 3.4: is_non_ascii_horizontal_whitespace). */
#ifndef TRIAD_CASE_TOML_SCAN_H
#define TRIAD_CASE_TOML_SCAN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NULL, or what is wrong and where (from 1, columns in characters). Says nothing of other errors: it follows the
 * text only as far as that is well formed, and the library stops there too. Not collective. */
const char *triad_toml_scan(const char *text, size_t length, int *line, int *column);

#ifdef __cplusplus
}
#endif

#endif
