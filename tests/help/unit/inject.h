/* Calls of the system that fail when a test wants them to: the k-th one of a kind on one rank, from Triad's own
 * sources (the linker's --wrap; the Makefile says which tests are linked with it). Libraries under Triad do not see
 * it. */
#ifndef TRIAD_TESTS_UNIT_INJECT_H
#define TRIAD_TESTS_UNIT_INJECT_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum {
  CALL_MALLOC,
  CALL_CALLOC,
  CALL_REALLOC,
  CALL_ALIGNED_ALLOC,
  CALL_STRDUP,
  CALL_MEMSTREAM,
  CALL_OPEN,
  CALL_PWRITE,
  CALL_SHORT_PWRITE,
  CALL_PREAD,
  CALL_FSYNC,
  CALL_FALLOCATE,
  CALL_FTRUNCATE,
  CALL_CLOSE,
  CALL_MKDIR,
  CALL_RENAME,
  CALL_RENAMEAT2,
  CALL_UNLINK,
  CALL_RMDIR,
  CALL_OPENDIR,
  CALL_FORK,
  CALLS
};
static const char *const call_name[CALLS] = {
  "malloc", "calloc",       "realloc",   "aligned_alloc", "strdup",    "open_memstream", "open",
  "pwrite", "short pwrite", "pread",     "fsync",         "fallocate", "ftruncate",      "close",
  "mkdir",  "rename",       "renameat2", "unlink",        "rmdir",     "opendir",        "fork"};

/* kind -1: nothing fails. The k-th call counts from 1; struck: it came. Shared with processes that are forked. */
static struct inject {
  int kind, k, count, struck;
} * inject;

static void inject_arm(int kind, int k)
{
  if (!inject) inject = mmap(NULL, sizeof *inject, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  *inject = (struct inject){.kind = kind, .k = k};
}

static int inject_struck(void) { return inject && inject->struck; }

static int inject_strikes(int kind)
{
  if (!inject || inject->kind != kind || ++inject->count != inject->k) return 0;
  inject->struck = 1;
  return 1;
}

#define INJECT(type, name, call, parameters, arguments, failure, why) \
  type __real_##name parameters; \
  type __wrap_##name parameters; \
  type __wrap_##name parameters \
  { \
    if (!inject_strikes(call)) return __real_##name arguments; \
    errno = (why); \
    return failure; \
  }

INJECT(void *, malloc, CALL_MALLOC, (size_t n), (n), NULL, ENOMEM)
INJECT(void *, calloc, CALL_CALLOC, (size_t n, size_t size), (n, size), NULL, ENOMEM)
INJECT(void *, realloc, CALL_REALLOC, (void *p, size_t n), (p, n), NULL, ENOMEM)
INJECT(void *, aligned_alloc, CALL_ALIGNED_ALLOC, (size_t a, size_t n), (a, n), NULL, ENOMEM)
INJECT(char *, strdup, CALL_STRDUP, (const char *s), (s), NULL, ENOMEM)
INJECT(FILE *, open_memstream, CALL_MEMSTREAM, (char **p, size_t *n), (p, n), NULL, ENOMEM)
INJECT(ssize_t, pread, CALL_PREAD, (int fd, void *p, size_t n, off_t at), (fd, p, n, at), -1, EIO)
INJECT(int, fsync, CALL_FSYNC, (int fd), (fd), -1, EIO)
INJECT(int, fallocate, CALL_FALLOCATE, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n), -1, ENOSPC)
INJECT(int, ftruncate, CALL_FTRUNCATE, (int fd, off_t n), (fd, n), -1, EIO)
INJECT(int, mkdir, CALL_MKDIR, (const char *path, mode_t mode), (path, mode), -1, EACCES)
INJECT(int, rename, CALL_RENAME, (const char *from, const char *to), (from, to), -1, EIO)
INJECT(int, renameat2, CALL_RENAMEAT2, (int a, const char *from, int b, const char *to, unsigned flags),
       (a, from, b, to, flags), -1, EINVAL)
INJECT(int, unlink, CALL_UNLINK, (const char *path), (path), -1, EIO)
INJECT(int, rmdir, CALL_RMDIR, (const char *path), (path), -1, EIO)
INJECT(DIR *, opendir, CALL_OPENDIR, (const char *path), (path), NULL, EMFILE)
INJECT(pid_t, fork, CALL_FORK, (void), (), -1, EAGAIN)

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
  va_list args;
  va_start(args, flags);
  mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
  va_end(args);
  if (!inject_strikes(CALL_OPEN)) return __real_open(path, flags, mode);
  errno = EMFILE;
  return -1;
}

/* The descriptor is gone even when close tells of a failure. */
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
  int bad = __real_close(fd);
  if (!inject_strikes(CALL_CLOSE)) return bad;
  errno = EIO;
  return -1;
}

/* A full disk, or a write that takes a part only, which is no failure. */
ssize_t __real_pwrite(int fd, const void *p, size_t n, off_t at);
ssize_t __wrap_pwrite(int fd, const void *p, size_t n, off_t at);
ssize_t __wrap_pwrite(int fd, const void *p, size_t n, off_t at)
{
  if (inject_strikes(CALL_SHORT_PWRITE)) return __real_pwrite(fd, p, n > 1 ? n / 2 : n, at);
  if (!inject_strikes(CALL_PWRITE)) return __real_pwrite(fd, p, n, at);
  errno = ENOSPC;
  return -1;
}

#endif
