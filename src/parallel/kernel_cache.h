/* Cache of kernels compiled at run time, in a folder of the user, next to FFTW's plans. A file holds one program for
 * one kind of GPU, with its complete key (everything that it depends on) and a checksum. A damaged file, or one of
 * another program, is ignored and replaced. Files are renamed into place, so that two concurrent processes leave one
 * complete file. If the folder cannot be read or written, kernels are compiled again; no error is returned. Nothing
 * here needs a GPU, and nothing is collective. */
#ifndef TRIAD_PARALLEL_KERNEL_CACHE_H
#define TRIAD_PARALLEL_KERNEL_CACHE_H

#include <stddef.h>

/* The folder: $TRIAD_KERNELS, else triad/kernels in $XDG_CACHE_HOME or ~/.cache; "" if none of these is set. */
enum { TRIAD_KERNEL_PATH = 4096 };
void triad_kernel_cache_folder(char path[TRIAD_KERNEL_PATH]);

/* code: the binary for the driver; names: mangled names of its kernels, separated by blanks. */
typedef struct triad_kernel_image {
  char *names;
  void *code;
  size_t bytes;
} triad_kernel_image;
void triad_kernel_image_clear(triad_kernel_image *image);

/* label: first part of the file name, valid in file names; key: one line of text. read returns 1 if a valid file was
 * found; write returns 1 if it was written. */
int triad_kernel_cache_read(const char *label, const char *key, triad_kernel_image *image);
int triad_kernel_cache_write(const char *label, const char *key, const triad_kernel_image *image);

/* Lock the file while it is compiled: a process that waited then finds the result. Waits at most a minute, and
 * continues without a lock if locks do not work. Returns the argument of unlock. */
int triad_kernel_cache_lock(const char *label, const char *key);
void triad_kernel_cache_unlock(int lock);

#endif
