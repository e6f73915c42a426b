/* Switch the calling thread to the C locale, in which numbers have a point, and back to the locale of the host
 * program. */
#include "base/locale.h"

#include <pthread.h>

static locale_t plain;              /* made once, for all threads, and kept */
static _Thread_local locale_t host; /* what this thread had when it became plain; (locale_t)0: it never has */

static void make_locale(void) { plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

locale_t triad_locale_plain(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, make_locale);
  const locale_t before = uselocale(plain); /* where there is no memory for one: stays as it is */
  if (before != plain) host = before;
  return before;
}

locale_t triad_locale_host(void) { return uselocale(host); }

void triad_locale_back(const locale_t *before) { (void)uselocale(*before); }
