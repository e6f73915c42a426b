/* The one object that a new commit compiles again: the Makefile defines the macros for it alone. */
#include "base/version.h"

#ifndef TRIAD_COMMIT
#define TRIAD_COMMIT ""
#endif
#ifndef TRIAD_DATE
#define TRIAD_DATE ""
#endif
#ifndef TRIAD_BUILD_FLAGS
#define TRIAD_BUILD_FLAGS ""
#endif

const char *triad_version(void) { return TRIAD_VERSION; }
const char *triad_commit(void) { return TRIAD_COMMIT; }
const char *triad_date(void) { return TRIAD_DATE; }
const char *triad_build_flags(void) { return TRIAD_BUILD_FLAGS; }

const char *triad_compiler(void)
{
#if defined(__clang__)
  return __VERSION__; /* names itself */
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "";
#endif
}

const char *triad_version_text(void)
{
  return sizeof TRIAD_COMMIT > 1 ? "triad " TRIAD_VERSION " (commit " TRIAD_COMMIT ")" : "triad " TRIAD_VERSION;
}
