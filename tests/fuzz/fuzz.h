/* What the fuzzed programs share. */
#ifndef TRIAD_TESTS_FUZZ_FUZZ_H
#define TRIAD_TESTS_FUZZ_FUZZ_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) \
  do { \
    if (!(condition)) { \
      (void)fprintf(stderr, "%s:%d: not so: %s (%s)\n", __FILE__, __LINE__, #condition, triad_message()); \
      abort(); \
    } \
  } while (0)

/* A copy with a NUL behind it, in a block of its own so that the sanitizer sees what is read beyond. */
static inline char *copy_of(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1);
  MUST(text);
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  return text;
}

/* The path of a file in memory with these bytes, which stays the same one. */
static inline const char *file_of(const uint8_t *data, size_t size)
{
  static char path[64];
  static int fd = -1;
  if (fd < 0) {
    fd = memfd_create("fuzz", 0);
    MUST(fd >= 0);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  }
  MUST(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
  return path;
}

#endif
