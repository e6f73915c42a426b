/* Record the calls of a run on its disk, by LD_PRELOAD: tests/help/torture.py builds and uses it. It is no part of the
 * product.
 *
 *   TORTURE_DIR=PATH    record calls on files below this folder
 *   TORTURE_TRACE=FILE  append the records here, each by one write
 *
 * A record is a line "KIND ID OFFSET BYTES PATH\n" with BYTES bytes of data behind it. ID is the inode of a file, by
 * which writes through any name and after any rename are told. KIND:
 *   create  a file under this name    write   at OFFSET    size    becomes OFFSET bytes long (truncated, or taken)
 *   sync    of a file                 folder  sync of a folder
 *   mkdir, unlink, rmdir, and with the second path as data: rename, exchange, link */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int trace = -1;
static char below[65536], appends[65536], streams[65536]; /* by descriptor */
static size_t prefix;

__attribute__((constructor)) static void prepare(void)
{
  const char *path = getenv("TORTURE_TRACE"), *dir = getenv("TORTURE_DIR");
  if (!path || !dir) return;
  prefix = strlen(dir);
  trace = (int)syscall(SYS_open, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* Is it below the folder, or the folder itself? */
static int is_below(const char *path)
{
  const char *dir = getenv("TORTURE_DIR");
  return trace >= 0 && path && dir && strncmp(path, dir, prefix) == 0 && (path[prefix] == '/' || !path[prefix]);
}

static void put(const char *kind, unsigned long long id, long long offset, const char *path, const void *data,
                size_t bytes)
{
  char head[PATH_MAX + 128];
  int saved = errno, n = snprintf(head, sizeof head, "%s %llu %lld %zu %s\n", kind, id, offset, bytes, path);
  struct iovec parts[2] = {{head, (size_t)n}, {(void *)data, bytes}};
  if (writev(trace, parts, bytes ? 2 : 1) < 0) abort();
  errno = saved;
}

static unsigned long long id_of(int fd, long long *size)
{
  struct stat about;
  if (fstat(fd, &about) != 0) return 0;
  if (size) *size = (long long)about.st_size;
  return about.st_ino;
}

static void put_two(const char *kind, const char *from, const char *to) { put(kind, 0, 0, from, to, strlen(to)); }

#define REAL(type, name, parameters) \
  static type(*real) parameters; \
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name)

int open(const char *path, int flags, ...)
{
  va_list args;
  va_start(args, flags);
  mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
  va_end(args);
  REAL(int, open, (const char *, int, ...));
  struct stat about;
  int known = is_below(path), new = known &&flags &O_CREAT &&stat(path, &about) != 0;
  int fd = real(path, flags, mode);
  if (fd < 0 || fd >= (int)sizeof below) return fd;
  below[fd] = (char)(known ? (flags & O_DIRECTORY ? 2 : 1) : 0);
  appends[fd] = (flags & O_APPEND) != 0;
  if (new) put("create", id_of(fd, NULL), 0, path, NULL, 0);
  else if (known && flags & O_TRUNC) put("size", id_of(fd, NULL), 0, path, NULL, 0);
  if (known && flags & O_DIRECTORY) put("opened", id_of(fd, NULL), fd, path, NULL, 0);
  return fd;
}
int open64(const char *path, int flags, ...) __attribute__((alias("open")));

/* Opened inside of libc, so that its writes are not seen: closing puts down all that is in the file. */
FILE *fopen(const char *path, const char *mode)
{
  REAL(FILE *, fopen, (const char *, const char *));
  struct stat about;
  const int known = is_below(path) && mode[0] == 'w', new = known &&stat(path, &about) != 0;
  FILE *f = real(path, mode);
  if (!f || !known || fileno(f) >= (int)sizeof below) return f;
  below[fileno(f)] = 1;
  put(new ? "create" : "size", id_of(fileno(f), NULL), 0, path, NULL, 0);
  streams[fileno(f)] = 1;
  return f;
}
FILE *fopen64(const char *, const char *) __attribute__((alias("fopen")));

int fclose(FILE *f)
{
  REAL(int, fclose, (FILE *));
  const int fd = f ? fileno(f) : -1;
  if (fd >= 0 && fd < (int)sizeof below && below[fd] && streams[fd]) {
    char piece[65536], self[64];
    long long at = 0;
    ssize_t n;
    (void)fflush(f);
    (void)snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    int in = (int)syscall(SYS_open, self, O_RDONLY);
    while (in >= 0 && (n = pread(in, piece, sizeof piece, at)) > 0) {
      put("write", id_of(fd, NULL), at, "", piece, (size_t)n);
      at += n;
    }
    if (in >= 0) (void)syscall(SYS_close, in);
    below[fd] = streams[fd] = 0;
  }
  return real(f);
}

int close(int fd)
{
  REAL(int, close, (int));
  if (fd >= 0 && fd < (int)sizeof below) below[fd] = 0;
  return real(fd);
}

static int known(int fd) { return trace >= 0 && fd >= 0 && fd < (int)sizeof below && below[fd]; }

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
  REAL(ssize_t, pwrite, (int, const void *, size_t, off_t));
  ssize_t done = real(fd, p, n, at);
  if (done > 0 && known(fd)) put("write", id_of(fd, NULL), (long long)at, "", p, (size_t)done);
  return done;
}
ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));

ssize_t write(int fd, const void *p, size_t n)
{
  REAL(ssize_t, write, (int, const void *, size_t));
  long long size = 0, at = 0;
  if (known(fd)) {
    (void)id_of(fd, &size);
    at = appends[fd] ? size : (long long)lseek(fd, 0, SEEK_CUR);
  }
  ssize_t done = real(fd, p, n);
  if (done > 0 && known(fd)) put("write", id_of(fd, NULL), at, "", p, (size_t)done);
  return done;
}

int fsync(int fd)
{
  REAL(int, fsync, (int));
  int bad = real(fd);
  if (!bad && known(fd)) put(below[fd] == 2 ? "folder" : "sync", id_of(fd, NULL), fd, "", NULL, 0);
  return bad;
}

int ftruncate(int fd, off_t n)
{
  REAL(int, ftruncate, (int, off_t));
  int bad = real(fd, n);
  if (!bad && known(fd)) put("size", id_of(fd, NULL), (long long)n, "", NULL, 0);
  return bad;
}
int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));

int fallocate(int fd, int mode, off_t at, off_t n)
{
  REAL(int, fallocate, (int, int, off_t, off_t));
  long long size = 0;
  int bad = real(fd, mode, at, n);
  if (!bad && known(fd)) {
    unsigned long long id = id_of(fd, &size);
    put("size", id, size, "", NULL, 0);
  }
  return bad;
}
int fallocate64(int, int, off_t, off_t) __attribute__((alias("fallocate")));

int mkdir(const char *path, mode_t mode)
{
  REAL(int, mkdir, (const char *, mode_t));
  int bad = real(path, mode);
  if (!bad && is_below(path)) put("mkdir", 0, 0, path, NULL, 0);
  return bad;
}

int rename(const char *from, const char *to)
{
  REAL(int, rename, (const char *, const char *));
  int bad = real(from, to);
  if (!bad && is_below(to)) put_two("rename", from, to);
  return bad;
}

int renameat2(int a, const char *from, int b, const char *to, unsigned flags)
{
  REAL(int, renameat2, (int, const char *, int, const char *, unsigned));
  int bad = real(a, from, b, to, flags);
  if (!bad && is_below(to)) put_two(flags ? "exchange" : "rename", from, to);
  return bad;
}

int link(const char *from, const char *to)
{
  REAL(int, link, (const char *, const char *));
  int bad = real(from, to);
  if (!bad && is_below(to)) put_two("link", from, to);
  return bad;
}

#define GOES(name) \
  int name(const char *path) \
  { \
    REAL(int, name, (const char *)); \
    int bad = real(path); \
    if (!bad && is_below(path)) put(#name, 0, 0, path, NULL, 0); \
    return bad; \
  }
GOES(unlink)
GOES(rmdir)
