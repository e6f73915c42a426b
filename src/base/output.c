/* Flush the standard output of a command. */
#include "base/output.h"

#include "base/status.h"

#include <poll.h>

int triad_output_end(FILE *out, int status)
{
  struct pollfd end = {.fd = fileno(out)};
  if ((fflush(out) == 0 && !ferror(out)) || status != TRIAD_OK) return status;
  if (poll(&end, 1, 0) == 1 && end.revents & POLLERR) return status; /* a pipe that nobody reads from */
  return TRIAD_FAIL(TRIAD_ERR_IO, "standard output: writing failed");
}
