/* Kernels that were compiled when they were wanted, kept in files for the next run: a folder of the user's, beside
 * FFTW's plans. A file holds one program for one kind of GPU with its whole key (all that it depends on) and a
 * checksum: one that is damaged, or another program's, is as good as none, and is replaced. Files are renamed into
 * place, so that two processes at once leave one whole file. A folder that cannot be read or written costs the time
 * to compile, never the answer, so no failure is returned. Nothing here needs a GPU, and nothing is collective. */
#ifndef TRIAD_PARALLEL_KERNEL_CACHE_H
#define TRIAD_PARALLEL_KERNEL_CACHE_H

#include <stddef.h>

/* Where: $TRIAD_KERNELS, else triad/kernels in $XDG_CACHE_HOME or ~/.cache; "" where none of these is set. */
enum { TRIAD_KERNEL_PATH = 4096 };
void triad_kernel_cache_folder(char path[TRIAD_KERNEL_PATH]);

/* code: what the driver loads; names: of its kernels, as the compiler calls them, separated by blanks. */
typedef struct triad_kernel_image {
  char *names;
  void *code;
  size_t bytes;
} triad_kernel_image;
void triad_kernel_image_clear(triad_kernel_image *image);

/* label: begins the file's name, of letters that file names have; key: one line of text. 1 if there was a sound one;
 * 1 if it was written. */
int triad_kernel_cache_read(const char *label, const char *key, triad_kernel_image *image);
int triad_kernel_cache_write(const char *label, const char *key, const triad_kernel_image *image);

/* Compile alone: who waited finds the file of who was first. Waits for at most a minute, and goes without where
 * locks do not work. Returns what unlock takes. */
int triad_kernel_cache_lock(const char *label, const char *key);
void triad_kernel_cache_unlock(int lock);

#endif
