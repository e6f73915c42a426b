/* Write text to descriptors that may block, fill up or vanish, and find the width and colours of a terminal, also
 * behind the pseudo-terminal of Open MPI's launcher. */
#include "base/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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
static size_t write_bytes(triad_sink *sink, const char *text, size_t length)
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
    if (write_bytes(sink, "\n", 1) < 1) {
      sink->lost++;
      return 0;
    }
    sink->torn = 0;
  }
  size_t done = write_bytes(sink, text, length);
  if (done == length) {
    sink->lost = 0;
    return 1;
  }
  if (done > 0) sink->torn = !take_back(sink, done);
  sink->lost++;
  return 0;
}

/* Columns as the terminal states them; -1 if fd is none. */
static int stated_columns(int fd)
{
  struct winsize size = {0};
  if (!isatty(fd)) return -1;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Descriptor fd of another process, opened here to be asked; -1 if that is no terminal. */
static int borrow(long pid, int fd)
{
  char path[64];
  struct stat about;
  (void)snprintf(path, sizeof path, "/proc/%ld/fd/%d", pid, fd);
  if (stat(path, &about) != 0 || !S_ISCHR(about.st_mode)) return -1;
  return open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

static long parent_of(long pid)
{
  char path[64], line[512];
  long parent = 0;
  (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  FILE *f = fopen(path, "r");
  if (!f) return 0;
  size_t n = fread(line, 1, sizeof line - 1, f);
  line[n] = '\0';
  (void)fclose(f);
  const char *after_name = strrchr(line, ')'); /* a name may hold anything */
  return after_name && sscanf(after_name, ") %*c %ld", &parent) == 1 ? parent : 0;
}

/* Where Open MPI started this process and `out` is the pseudo-terminal it made: the launcher, which is the nearest
 * ancestor with another standard output. 0 otherwise. */
static long launcher_behind(int out)
{
  struct stat mine, other;
  if (!getenv("OMPI_COMM_WORLD_RANK") || !isatty(out) || fstat(out, &mine) != 0) return 0;
  long pid = (long)getppid();
  for (int up = 0; up < 8 && pid > 1; up++, pid = parent_of(pid)) {
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%ld/fd/1", pid);
    if (stat(path, &other) != 0) return 0;
    if (!S_ISCHR(other.st_mode) || other.st_rdev != mine.st_rdev) return pid;
  }
  return 0;
}

/* Columns of the terminal that the launcher's descriptor leads to; -1 if to none. */
static int columns_of(long pid, int fd)
{
  int copy = borrow(pid, fd);
  if (copy < 0) return -1;
  int columns = stated_columns(copy);
  (void)close(copy);
  return columns;
}

int triad_terminal_columns(int fd)
{
  const char *term = getenv("TERM");
  if (!term || !*term || strcmp(term, "dumb") == 0) return 0;
  long launcher = launcher_behind(fd);
  int columns = launcher ? columns_of(launcher, STDOUT_FILENO) : stated_columns(fd);
  return columns > 0 ? columns : 0;
}

int triad_terminal_shared(int out, int err)
{
  long launcher = launcher_behind(out);
  if (launcher) return columns_of(launcher, STDERR_FILENO) >= 0;
  return isatty(out) && isatty(err);
}

int triad_terminal_no_colour(void)
{
  const char *no_color = getenv("NO_COLOR");
  return no_color && *no_color;
}

int triad_terminal_colour(int fd) { return !triad_terminal_no_colour() && triad_terminal_columns(fd) > 0; }
