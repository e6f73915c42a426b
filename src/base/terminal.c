#include "base/terminal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

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
