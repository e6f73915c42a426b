/* Debian's libhdf5.a is compiled for programs, not for shared libraries: it reads stdout and stderr where only a program
 * may. tools/wheel gives these names of their own, which are set here. */
#include <stdio.h>

__attribute__((visibility("hidden"))) FILE *triad_stdout, *triad_stderr;

__attribute__((constructor)) static void set_streams(void)
{
  triad_stdout = stdout;
  triad_stderr = stderr;
}
