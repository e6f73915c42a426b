/* Read and write files of compiled kernels, checked by key and checksum. */
#include "parallel/kernel_cache.h"

#include "base/users_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#define FIRST_LINE "triad kernels 1\n"

enum { LINE_MOST = 64 << 10, CODE_MOST = 256 << 20 };

void triad_kernel_cache_folder(char path[TRIAD_KERNEL_PATH])
{
  const char *named = getenv("TRIAD_KERNELS"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int n = 0;
  *path = '\0';
  if (named && *named) n = snprintf(path, TRIAD_KERNEL_PATH, "%s", named);
  else if (cache && *cache) n = snprintf(path, TRIAD_KERNEL_PATH, "%s/triad/kernels", cache);
  else if (home && *home) n = snprintf(path, TRIAD_KERNEL_PATH, "%s/.cache/triad/kernels", home);
  if (n < 0 || n >= TRIAD_KERNEL_PATH) *path = '\0';
}

void triad_kernel_image_clear(triad_kernel_image *image)
{
  free(image->names);
  free(image->code);
  *image = (triad_kernel_image){0};
}

/* FOLDER/LABEL-<hash of the key>ENDING */
static int file_of(const char *label, const char *key, const char *ending, char *path)
{
  char folder[TRIAD_KERNEL_PATH];
  triad_kernel_cache_folder(folder);
  if (!*folder) return 0;
  int n = snprintf(path, TRIAD_KERNEL_PATH, "%s/%s-%016llx%s", folder, label,
                   (unsigned long long)XXH3_64bits(key, strlen(key)), ending);
  return n > 0 && n < TRIAD_KERNEL_PATH;
}

/* ---- the file: its first line, the key, the names, the code's bytes and its checksum, the code ---- */

static char *line_of(FILE *f)
{
  size_t room = 0;
  char *line = NULL;
  ssize_t n = getline(&line, &room, f);
  if (n > 0 && n <= LINE_MOST && line[n - 1] == '\n') {
    line[n - 1] = '\0';
    return line;
  }
  free(line);
  return NULL;
}

static int is_line(FILE *f, const char *wanted)
{
  char *line = line_of(f);
  int is = line && strcmp(line, wanted) == 0;
  free(line);
  return is;
}

static unsigned long long sum_of(const triad_kernel_image *image)
{
  return XXH3_64bits_withSeed(image->code, image->bytes, XXH3_64bits(image->names, strlen(image->names)));
}

static int read_image(FILE *f, const char *key, triad_kernel_image *image)
{
  unsigned long long sum = 0, more;
  if (!is_line(f, "triad kernels 1") || !is_line(f, key)) return 0;
  image->names = line_of(f);
  char *sizes = image->names ? line_of(f) : NULL;
  const int got = sizes ? sscanf(sizes, "%llu %llx", &more, &sum) : 0;
  free(sizes);
  if (got != 2 || more == 0 || more > CODE_MOST) return 0;
  image->bytes = (size_t)more;
  image->code = malloc(image->bytes);
  return image->code && fread(image->code, 1, image->bytes, f) == image->bytes && fgetc(f) == EOF &&
         sum_of(image) == sum;
}

int triad_kernel_cache_read(const char *label, const char *key, triad_kernel_image *image)
{
  char path[TRIAD_KERNEL_PATH];
  *image = (triad_kernel_image){0};
  FILE *f = file_of(label, key, "", path) ? fopen(path, "rbe") : NULL;
  if (!f) return 0;
  const int sound = read_image(f, key, image);
  (void)fclose(f);
  if (!sound) triad_kernel_image_clear(image);
  return sound;
}

int triad_kernel_cache_write(const char *label, const char *key, const triad_kernel_image *image)
{
  char path[TRIAD_KERNEL_PATH], temporary[TRIAD_KERNEL_PATH + 32];
  if (!file_of(label, key, "", path)) return 0;
  triad_users_folders(path);
  (void)snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
  FILE *f = fopen(temporary, "wbe");
  if (!f) return 0;
  int good = fprintf(f, FIRST_LINE "%s\n%s\n%zu %016llx\n", key, image->names, image->bytes, sum_of(image)) > 0 &&
             fwrite(image->code, 1, image->bytes, f) == image->bytes && fflush(f) == 0 && fsync(fileno(f)) == 0;
  good = fclose(f) == 0 && good;
  if (good && rename(temporary, path) == 0) return 1;
  (void)unlink(temporary);
  return 0;
}

int triad_kernel_cache_lock(const char *label, const char *key)
{
  char path[TRIAD_KERNEL_PATH];
  return file_of(label, key, ".lock", path) ? triad_users_lock(path) : -1;
}

void triad_kernel_cache_unlock(int lock) { triad_users_unlock(lock); }
