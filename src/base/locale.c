#include "base/locale.h"

#include <pthread.h>

static locale_t plain; /* made once, for all threads, and kept */

static void make(void) { plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

locale_t triad_locale_plain(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, make);
  return uselocale(plain); /* where there is no memory for one: stays as it is */
}

void triad_locale_back(const locale_t *before) { (void)uselocale(*before); }
