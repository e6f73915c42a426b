/* Text as programs write it to each other: numbers with a point, whatever language the program around has chosen. Where
 * Triad is a library, the host may have called setlocale, and in German printf then writes 1,5, into CSV files too, and
 * strtod stops at the point of 1.5. `triad` itself never calls it. */
#ifndef TRIAD_BASE_LOCALE_H
#define TRIAD_BASE_LOCALE_H

#include <locale.h>

/* From now on this thread has the locale "C" (uselocale of POSIX.1-2008: no other thread is touched), or that of the
 * host again; what it had before is returned, for triad_locale_back. A thread that begins has the host's. Not
 * collective, does not fail. */
locale_t triad_locale_plain(void);
locale_t triad_locale_host(void);
void triad_locale_back(const locale_t *before);

/* The same up to the end of the block, by whatever way it is left. Blocks may lie within each other. */
#define TRIAD_PLAIN_TEXT \
  const locale_t triad_locale_before_ __attribute__((cleanup(triad_locale_back))) = triad_locale_plain()

/* Around what the host has asked to be called: there its own locale holds. */
#define TRIAD_HOST_TEXT \
  const locale_t triad_locale_before_ __attribute__((cleanup(triad_locale_back))) = triad_locale_host()

#endif
