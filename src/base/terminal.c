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

static int launcher_columns(void)
{
  char path[64];
  struct stat about;
  (void)snprintf(path, sizeof path, "/proc/%ld/fd/1", (long)getppid());
  if (stat(path, &about) != 0 || !S_ISCHR(about.st_mode)) return 0;
  int fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return 0;
  int columns = stated_columns(fd);
  (void)close(fd);
  return columns > 0 ? columns : 0;
}

int triad_terminal_columns(int fd)
{
  const char *term = getenv("TERM");
  if (!term || !*term || strcmp(term, "dumb") == 0) return 0;
  int columns = stated_columns(fd);
  return columns == 0 ? launcher_columns() : columns > 0 ? columns : 0;
}

int triad_terminal_no_colour(void)
{
  const char *no_color = getenv("NO_COLOR");
  return no_color && *no_color;
}

int triad_terminal_colour(int fd) { return !triad_terminal_no_colour() && triad_terminal_columns(fd) > 0; }
