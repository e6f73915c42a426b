#include "base/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 1000 };

const char *triad_sink_open(triad_sink *sink, const char *path)
{
  *sink = (triad_sink){.fd = -1};
  /* O_NONBLOCK: opening a pipe that nobody reads must fail instead of waiting */
  int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CREAT;
  int fd = open(path, flags, 0666);
  if (fd < 0) return errno == ELOOP ? "it is a symbolic link" : strerror(errno);
  struct stat about;
  if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
    (void)close(fd);
    return "it is not a regular file";
  }
  sink->fd = fd;
  sink->owned = 1;
  return NULL;
}

void triad_sink_close(triad_sink *sink)
{
  if (sink->fd >= 0 && sink->owned) (void)close(sink->fd);
  *sink = (triad_sink){.fd = -1};
}

/* Bytes written; fewer than length means that sink->error says why. */
static size_t put(triad_sink *sink, const char *text, size_t length)
{
  size_t done = 0;
  int waited = sink->lost ? PATIENCE_MS : 0; /* a stalled reader delays the run once, not at every line */
  while (done < length) {
    ssize_t n = write(sink->fd, text + done, length - done);
    if (n > 0) {
      done += (size_t)n;
      continue;
    }
    if (n == 0) errno = EIO;
    if (errno == EINTR) continue;
    if ((errno == EAGAIN || errno == EWOULDBLOCK) && waited < PATIENCE_MS) {
      struct pollfd until = {.fd = sink->fd, .events = POLLOUT};
      (void)poll(&until, 1, 100);
      waited += 100;
      continue;
    }
    sink->error = errno;
    if (errno == EPIPE || errno == EBADF) sink->gone = 1;
    break;
  }
  return done;
}

/* Take back the part of a line that a full disk let through; 1 if the file is whole again. */
static int take_back(const triad_sink *sink, size_t written)
{
  struct stat about;
  if (fstat(sink->fd, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
  off_t end = lseek(sink->fd, 0, SEEK_CUR);
  return end >= (off_t)written && end == about.st_size && ftruncate(sink->fd, end - (off_t)written) == 0;
}

int triad_sink_write(triad_sink *sink, const char *text, size_t length)
{
  if (sink->fd < 0 || sink->gone) return 0;
  if (sink->torn) {
    if (put(sink, "\n", 1) < 1) {
      sink->lost++;
      return 0;
    }
    sink->torn = 0;
  }
  size_t done = put(sink, text, length);
  if (done == length) {
    sink->lost = 0;
    return 1;
  }
  if (done > 0) sink->torn = !take_back(sink, done);
  sink->lost++;
  return 0;
}
