/* A neutral locale for text in files: numbers with a decimal point in any language. If Triad is used as a library, the
 * host program may have called setlocale; in a German locale printf then writes 1,5, even into CSV files, and strtod
 * stops at the point of 1.5. The program `triad` never calls setlocale. */
#ifndef TRIAD_BASE_LOCALE_H
#define TRIAD_BASE_LOCALE_H

#include <locale.h>

/* Give this thread the locale "C" (uselocale of POSIX.1-2008: other threads are not affected), or that of the host
 * again. Returns the earlier locale for triad_locale_back. New threads have the host's locale. Not collective, cannot
 * fail. */
locale_t triad_locale_plain(void);
locale_t triad_locale_host(void);
void triad_locale_back(const locale_t *before);

/* The same until the end of the block, however it is left. Blocks may be nested. */
#define TRIAD_PLAIN_TEXT \
  const locale_t triad_locale_before_ __attribute__((cleanup(triad_locale_back), unused)) = triad_locale_plain()

/* For callbacks into the host: restores the host's locale within the block. */
#define TRIAD_HOST_TEXT \
  const locale_t triad_locale_before_ __attribute__((cleanup(triad_locale_back), unused)) = triad_locale_host()

#endif
