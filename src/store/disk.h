/* Files and folders by POSIX calls that report every failure: short writes and interrupted calls are continued, and
 * every error is TRIAD_ERR_IO (TRIAD_ERR_INPUT for a missing file) with the path, the operation and the system's text.
 * Nothing here is collective. */
#ifndef TRIAD_STORE_DISK_H
#define TRIAD_STORE_DISK_H

#include "base/status.h"

#include <stdint.h>

enum { TRIAD_PATH = 4096 };

/* Format a path into out[TRIAD_PATH]; TRIAD_ERR_IO when it is too long. */
int triad_disk_path(char out[TRIAD_PATH], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Open a file that must not exist yet, for writing; open a regular file that exists (never a device or a pipe, which
 * could block) for reading or, with writable, for both. *fd is -1 on failure. */
int triad_disk_create(const char *path, int *fd);
int triad_disk_open(const char *path, int writable, int *fd);
int triad_disk_close(int *fd, const char *path); /* *fd becomes -1; -1 is accepted */

/* All of `bytes` at `offset` of the file, or a failure. A file that ends too soon is TRIAD_ERR_IO. */
int triad_disk_write(int fd, const char *path, const void *data, int64_t bytes, int64_t offset);
int triad_disk_read(int fd, const char *path, void *data, int64_t bytes, int64_t offset);
int triad_disk_size(int fd, const char *path, int64_t *bytes);

/* Take disk blocks for the first `bytes` of the file, so that a full disk shows before data move. */
int triad_disk_reserve(int fd, const char *path, int64_t bytes);

/* Set the size of the file. */
int triad_disk_resize(int fd, const char *path, int64_t bytes);

/* Wait until a file's data, or a folder's entries, are on the disk. Other fibers (parallel/fibers.h) run meanwhile,
 * and also while a file is created and while a megabyte or more is written. */
int triad_disk_sync(int fd, const char *path);
int triad_disk_sync_folder(const char *path);

/* Make a folder, and sync the folder that holds it. One that exists already is fine. */
int triad_disk_make_folder(const char *path);

/* Rename, and sync the folders of both names: a power cut after this call loses neither name nor rename. Only disk.c
 * and commit.c call rename() itself for files of a run; tests/tree/test_commits.py checks that. */
int triad_disk_rename(const char *from, const char *to);

/* Give a file that is complete its final name: sync it, rename it, sync its folder. On failure the temporary file is
 * deleted. Every writer of a file that is not appended to ends with this call, or uses triad_disk_replace. */
int triad_disk_commit(const char *temporary, const char *final);

/* The same without letting other fibers of this thread run meanwhile (parallel/fibers.h), for files written under a
 * lock. */
int triad_disk_commit_blocking(const char *temporary, const char *final);

int triad_disk_remove(const char *path); /* a file that is not there is fine */

/* The whole of a small file, in *text (free it; a NUL is put past the end). More than `limit` bytes: TRIAD_ERR_CASE. */
int triad_disk_load(const char *path, int64_t limit, char **text, int64_t *bytes);

/* Replace a small file in one piece: temporary name in the same folder, fsync, rename, fsync of the folder. */
int triad_disk_replace(const char *folder, const char *name, const void *data, int64_t bytes);

/* The same for a file that several processes may replace at once: each has a temporary name of its own; the last one
 * counts. */
int triad_disk_replace_shared(const char *folder, const char *name, const void *data, int64_t bytes);

#endif
