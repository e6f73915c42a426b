/* Version and build information. */
#ifndef TRIAD_BASE_VERSION_H
#define TRIAD_BASE_VERSION_H

const char *triad_version(void);      /* "0.1.0"                                      */
const char *triad_commit(void);       /* commit of the sources, "" outside a git checkout */
const char *triad_date(void);         /* date of that commit, else of the file VERSION */
const char *triad_build_flags(void);  /* compiler and flags                           */
const char *triad_compiler(void);     /* "gcc 14.2.0"                                */
const char *triad_version_text(void); /* "triad 0.1.0 (commit 1a2b3c4)"               */

#endif
