/* Open, read, write, sync and rename files by POSIX calls, and report every failure with path and operation. */
#include "store/disk.h"

#include "parallel/fibers.h"
#include "store/written.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* Set while a lock is held that other fibers of this thread wait for: then calls block, for a fiber that waits for
 * the lock never comes back. */
static _Thread_local int blocking;

static void run_aside(void (*call)(void *), void *what)
{
  if (blocking) call(what);
  else triad_fibers_aside(call, what);
}

int triad_disk_path(char out[TRIAD_PATH], const char *format, ...)
{
  va_list args;
  va_start(args, format);
  int n = vsnprintf(out, TRIAD_PATH, format, args);
  va_end(args);
  if (n >= 0 && n < TRIAD_PATH) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_IO, "%.60s...: the path is longer than %d bytes", out, TRIAD_PATH - 1);
}

typedef struct creating {
  const char *path;
  int fd, why; /* why: errno where fd is negative */
} creating;

static void create_now(void *self)
{
  creating *c = self;
  c->fd = open(c->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  c->why = errno;
}

/* Creating a file may take as long as a GPU needs for a step of a small flow, so other concurrent runs continue
 * meanwhile. */
int triad_disk_create(const char *path, int *fd)
{
  creating c = {.path = path};
  run_aside(create_now, &c);
  *fd = c.fd;
  return *fd >= 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_IO, "%s: cannot create the file: %s", path, strerror(c.why));
}

int triad_disk_open(const char *path, int writable, int *fd)
{
  /* a file that rank 0 has just made may take a moment to appear to the other hosts of a network file system */
  const struct timespec pause = {0, 20 * 1000 * 1000};
  int tries = writable ? 100 : 1;
  do {
    *fd = open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*fd >= 0 || (errno != ENOENT && errno != ESTALE && errno != EINTR)) break;
    if (--tries > 0) (void)nanosleep(&pause, NULL);
  } while (tries > 0);
  if (*fd < 0)
    return TRIAD_FAIL(errno == ENOENT || errno == ENOTDIR ? TRIAD_ERR_INPUT : TRIAD_ERR_IO, "%s: %s", path,
                      strerror(errno));
  struct stat about;
  if (fstat(*fd, &about) == 0 && S_ISREG(about.st_mode)) return TRIAD_OK;
  (void)close(*fd);
  *fd = -1;
  return TRIAD_FAIL(TRIAD_ERR_IO, "%s: not a regular file", path);
}

int triad_disk_close(int *fd, const char *path)
{
  if (*fd < 0) return TRIAD_OK;
  int bad = close(*fd);
  *fd = -1;
  /* EINTR: the descriptor is closed all the same, and fsync has reported any loss */
  return bad == 0 || errno == EINTR ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_IO, "%s: closing: %s", path, strerror(errno));
}

enum { MUCH = 1 << 20 }; /* bytes: writing them takes longer than a step of a small flow */

/* Let the disk start to write while the next piece is prepared. Only a hint: fsync reports failures, also after this
 * call. */
static void begin_writeback(int fd, int64_t bytes, int64_t offset)
{
#ifdef SYNC_FILE_RANGE_WRITE
  if (bytes >= MUCH) (void)sync_file_range(fd, (off_t)offset, (off_t)bytes, SYNC_FILE_RANGE_WRITE);
#endif
}

typedef struct writing {
  int fd;
  const char *data;
  int64_t bytes, offset, done;
  int why; /* errno where done < bytes; 0: nothing was taken */
} writing;

static void write_now(void *self)
{
  writing *w = self;
  while (w->done < w->bytes) {
    ssize_t n = pwrite(w->fd, w->data + w->done, (size_t)(w->bytes - w->done), (off_t)(w->offset + w->done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      w->why = n < 0 ? errno : 0;
      return;
    }
    w->done += n;
  }
  begin_writeback(w->fd, w->bytes, w->offset);
}

/* Large writes let other runs in this process continue. */
int triad_disk_write(int fd, const char *path, const void *data, int64_t bytes, int64_t offset)
{
  writing w = {.fd = fd, .data = data, .bytes = bytes, .offset = offset};
  if (bytes < MUCH) write_now(&w);
  else run_aside(write_now, &w);
  if (w.done == bytes) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_IO, "%s: writing %lld bytes at %lld: %s", path, (long long)(bytes - w.done),
                    (long long)(offset + w.done), w.why ? strerror(w.why) : "nothing was written");
}

int triad_disk_read(int fd, const char *path, void *data, int64_t bytes, int64_t offset)
{
  char *p = data;
  for (int64_t done = 0; done < bytes;) {
    ssize_t n = pread(fd, p + done, (size_t)(bytes - done), (off_t)(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      return TRIAD_FAIL(TRIAD_ERR_IO, "%s: reading %lld bytes at %lld: %s", path, (long long)(bytes - done),
                        (long long)(offset + done), n < 0 ? strerror(errno) : "the file ends there");
    done += n;
  }
  return TRIAD_OK;
}

int triad_disk_size(int fd, const char *path, int64_t *bytes)
{
  struct stat about;
  if (fstat(fd, &about) != 0) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: cannot read its size: %s", path, strerror(errno));
  *bytes = (int64_t)about.st_size;
  return TRIAD_OK;
}

int triad_disk_reserve(int fd, const char *path, int64_t bytes)
{
  if (bytes <= 0) return TRIAD_OK;
  int bad;
  do bad = fallocate(fd, 0, 0, (off_t)bytes);
  while (bad != 0 && errno == EINTR);
  if (bad == 0) return TRIAD_OK;
  if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)
    return TRIAD_FAIL(TRIAD_ERR_IO, "%s: reserving %lld bytes: %s", path, (long long)bytes, strerror(errno));
  /* a file system that cannot reserve: the free space is the next best thing, and each write is checked anyway */
  struct statvfs room;
  if (fstatvfs(fd, &room) == 0 && room.f_blocks > 0 && (double)room.f_bavail * (double)room.f_frsize < (double)bytes)
    return TRIAD_FAIL(TRIAD_ERR_IO, "%s: %lld bytes required, %.0f free: %s", path, (long long)bytes,
                      (double)room.f_bavail * (double)room.f_frsize, strerror(ENOSPC));
  return TRIAD_OK;
}

int triad_disk_resize(int fd, const char *path, int64_t bytes)
{
  int bad;
  do bad = ftruncate(fd, (off_t)bytes);
  while (bad != 0 && errno == EINTR);
  if (bad == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_IO, "%s: cannot set its size to %lld bytes: %s", path, (long long)bytes, strerror(errno));
}

typedef struct syncing {
  int fd, why; /* why: errno, 0 where all is on the disk */
} syncing;

static void sync_now(void *self)
{
  syncing *s = self;
  do s->why = fsync(s->fd) == 0 ? 0 : errno;
  while (s->why == EINTR);
}

/* Sync on an I/O thread, so that other runs in this process continue. Returns errno, or 0. */
static int sync_aside(int fd)
{
  syncing s = {.fd = fd};
  run_aside(sync_now, &s);
  return s.why;
}

int triad_disk_sync(int fd, const char *path)
{
  const int why = sync_aside(fd);
  return why == 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_IO, "%s: fsync: %s", path, strerror(why));
}

int triad_disk_sync_folder(const char *path)
{
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", path, strerror(errno));
  const int why = sync_aside(fd);
  (void)close(fd);
  if (why == 0 || why == EINVAL || why == ENOTSUP) return TRIAD_OK; /* some file systems have no fsync of folders */
  return TRIAD_FAIL(TRIAD_ERR_IO, "%s: fsync: %s", path, strerror(why));
}

/* The folder that holds `path`, of which the text may end in slashes. */
static void folder_of(const char *path, char folder[TRIAD_PATH])
{
  size_t n = strlen(path);
  while (n > 1 && path[n - 1] == '/') n--;
  while (n > 0 && path[n - 1] != '/') n--;
  while (n > 1 && path[n - 1] == '/') n--;
  if (n == 0) path = ".", n = 1;
  if (n >= TRIAD_PATH) n = TRIAD_PATH - 1;
  memcpy(folder, path, n);
  folder[n] = '\0';
}

/* A folder in which the user may write but which he may not read cannot be synced: nothing better can be done there. */
static int sync_folder_of(const char *path)
{
  char folder[TRIAD_PATH];
  folder_of(path, folder);
  if (access(folder, R_OK) != 0 && errno == EACCES) return TRIAD_OK;
  return triad_disk_sync_folder(folder);
}

int triad_disk_make_folder(const char *path)
{
  struct stat about;
  if (mkdir(path, 0777) == 0) return sync_folder_of(path);
  int why = errno;
  if (why == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_IO, "%s: cannot create the folder: %s", path, strerror(why));
}

int triad_disk_rename(const char *from, const char *to)
{
  char before[TRIAD_PATH], after[TRIAD_PATH];
  if (rename(from, to) != 0) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: renaming to %s: %s", from, to, strerror(errno));
  triad_written_drop(from);
  folder_of(from, before);
  folder_of(to, after);
  TRIAD_TRY(sync_folder_of(to));
  return strcmp(before, after) == 0 ? TRIAD_OK : sync_folder_of(from);
}

int triad_disk_commit(const char *temporary, const char *final)
{
  int fd = -1;
  int st = triad_disk_open(temporary, 0, &fd);  /* enough for fsync, whatever the umask */
  if (st == TRIAD_ERR_INPUT) st = TRIAD_ERR_IO; /* no input of the user's: somebody has deleted it */
  if (st == TRIAD_OK) st = triad_disk_sync(fd, temporary);
  int closed = triad_disk_close(&fd, temporary);
  if (st == TRIAD_OK) st = closed;
  if (st == TRIAD_OK) st = triad_disk_rename(temporary, final);
  if (st == TRIAD_OK) triad_written_add(final);
  else (void)unlink(temporary);
  return st;
}

int triad_disk_remove(const char *path)
{
  if (unlink(path) != 0 && errno != ENOENT) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: deleting: %s", path, strerror(errno));
  triad_written_drop(path);
  return TRIAD_OK;
}

int triad_disk_load(const char *path, int64_t limit, char **text, int64_t *bytes)
{
  *text = NULL;
  *bytes = 0;
  int fd;
  TRIAD_TRY(triad_disk_open(path, 0, &fd));
  int st = triad_disk_size(fd, path, bytes);
  if (st == TRIAD_OK && *bytes > limit)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %lld bytes, but at most %lld are expected", path, (long long)*bytes,
                    (long long)limit);
  if (st == TRIAD_OK) {
    *text = malloc((size_t)*bytes + 1);
    st = *text ? triad_disk_read(fd, path, *text, *bytes, 0)
               : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld bytes", path, (long long)*bytes);
  }
  (void)close(fd);
  if (st == TRIAD_OK) {
    (*text)[*bytes] = '\0';
  } else {
    free(*text);
    *text = NULL;
  }
  return st;
}

static int replace(const char *folder, const char *name, const char *temporary, const void *data, int64_t bytes)
{
  char path[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(path, "%s/%s", folder, name));
  TRIAD_TRY(triad_disk_remove(temporary)); /* left by a run that was killed */
  int fd;
  TRIAD_TRY(triad_disk_create(temporary, &fd));
  int st = triad_disk_write(fd, temporary, data, bytes, 0);
  if (st == TRIAD_OK) st = triad_disk_sync(fd, temporary);
  int closed = triad_disk_close(&fd, temporary);
  if (st == TRIAD_OK) st = closed;
  if (st == TRIAD_OK) st = triad_disk_rename(temporary, path);
  if (st == TRIAD_OK) triad_written_add(path);
  else (void)unlink(temporary);
  return st;
}

int triad_disk_replace(const char *folder, const char *name, const void *data, int64_t bytes)
{
  char temporary[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(temporary, "%s/.tmp-%s", folder, name));
  return replace(folder, name, temporary, data, bytes);
}

int triad_disk_replace_shared(const char *folder, const char *name, const void *data, int64_t bytes)
{
  char temporary[TRIAD_PATH], host[64] = "";
  (void)gethostname(host, sizeof host - 1);
  TRIAD_TRY(triad_disk_path(temporary, "%s/.tmp-%s.%s.%ld", folder, name, host, (long)getpid()));
  return replace(folder, name, temporary, data, bytes);
}

int triad_disk_commit_blocking(const char *temporary, const char *final)
{
  blocking++;
  int st = triad_disk_commit(temporary, final);
  blocking--;
  return st;
}
