/* Read the bytes of a case file, and reject directories, special files, files that are too long, and binary files. */
#include "case/case_load.h"

#include "base/status.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* `shown` is the path as messages show it. */
static int open_regular(const char *path, const char *shown, int *file)
{
  struct stat is;
  *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a named pipe must not block us */
  if (*file < 0) {
    int missing = errno == ENOENT || errno == ENOTDIR;
    return TRIAD_FAIL(missing ? TRIAD_ERR_INPUT : TRIAD_ERR_IO, "case file %s: %s", shown, strerror(errno));
  }
  if (fstat(*file, &is) != 0) return TRIAD_FAIL(TRIAD_ERR_IO, "case file %s: %s", shown, strerror(errno));
  if (S_ISDIR(is.st_mode))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "case file %s: is a directory: give the path of a case file", shown);
  if (!S_ISREG(is.st_mode))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "case file %s: not a regular file: give the path of a case file", shown);
  return TRIAD_OK;
}

/* The size from fstat is not trusted: the file may grow meanwhile, and on some systems it is 0. */
static int read_all(const char *shown, int file, char *text, size_t *length)
{
  *length = 0;
  while (*length <= TRIAD_CASE_MOST_BYTES) {
    ssize_t got = read(file, text + *length, TRIAD_CASE_MOST_BYTES + 1 - *length);
    if (got == 0) return TRIAD_OK;
    if (got < 0 && errno != EINTR) return TRIAD_FAIL(TRIAD_ERR_IO, "case file %s: %s", shown, strerror(errno));
    if (got > 0) *length += (size_t)got;
  }
  return TRIAD_FAIL(TRIAD_ERR_CASE, "case file %s: longer than the maximum of %d bytes: give the path of a case file",
                    shown, TRIAD_CASE_MOST_BYTES);
}

int triad_case_load_text(const char *path, char **text, size_t *length)
{
  int file = -1;
  char shown[512];
  (void)triad_escape(shown, sizeof shown, path, strlen(path), TRIAD_ESCAPE_PLAIN);
  *length = 0;
  *text = malloc(TRIAD_CASE_MOST_BYTES + 2);
  int status = *text ? open_regular(path, shown, &file) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "case file %s", shown);
  if (status == TRIAD_OK) status = read_all(shown, file, *text, length);
  if (status == TRIAD_OK && memchr(*text, '\0', *length))
    status =
      TRIAD_FAIL(TRIAD_ERR_CASE, "case file %s: not a text file, it contains NUL bytes: save it as UTF-8", shown);
  if (file >= 0) (void)close(file);
  if (status != TRIAD_OK) {
    free(*text);
    *text = NULL;
    *length = 0;
    return status;
  }
  (*text)[*length] = '\0';
  char *fitted = realloc(*text, *length + 1);
  if (fitted) *text = fitted;
  return TRIAD_OK;
}
