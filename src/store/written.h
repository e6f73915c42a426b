/* Files that this process has written into the run directories whose lock it holds: whether they are still present.
 * The functions of disk.h that give a file its final name keep this list; rename and remove keep it up to date. Safe
 * in threads. Not collective. */
#ifndef TRIAD_STORE_WRITTEN_H
#define TRIAD_STORE_WRITTEN_H

/* Begin and end the list of a directory; only paths that begin with `dir` as it is spelled here are of it. */
void triad_written_begin(const char *dir);
void triad_written_end(const char *dir);

/* A file that has been written; a path that is gone for good, by the run's own doing, with all below it. */
void triad_written_add(const char *path);
void triad_written_drop(const char *path);

/* The files of a directory that are missing, deleted or moved by others: how many in all. Each of those that no
 * earlier call has reported is passed to `report`, one call a folder: n of them are new, `name` is the path of one. */
int triad_written_missing(const char *dir, void (*report)(void *who, const char *folder, int n, const char *name),
                          void *who);

/* How many files and directories are not listed, because there was no memory, since the last call: nobody looks after
 * them. */
int triad_written_unlisted(void);

#endif
