/* Compiled kernels that are kept (parallel/kernel_cache.h): what was written is read, and nothing else.   ranks: 1 */
#include "folder.h"

#include "parallel/kernel_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char key[] = "triad 1, sm_90, driver 13000, sources 00, z-480-double";
static char code[5000];

static void use(const char *folder)
{
  for (size_t i = 0; i < sizeof code; i++) code[i] = (char)(7 * i + i / 251);
  (void)setenv("TRIAD_KERNELS", folder, 1);
}

static triad_kernel_image image_of(void) { return (triad_kernel_image){"one two", code, sizeof code}; }

static int is_kept(const char *label, const char *what)
{
  triad_kernel_image i;
  if (!triad_kernel_cache_read(label, what, &i)) return 0;
  int same = i.bytes == sizeof code && memcmp(i.code, code, sizeof code) == 0 && strcmp(i.names, "one two") == 0;
  triad_kernel_image_clear(&i);
  TRIAD_HOLDS(same, "what was read is not what was written");
  return 1;
}

/* The one file in a folder that does not end in .lock. */
static void file_of(const char *folder, char path[TRIAD_KERNEL_PATH])
{
  char command[TRIAD_KERNEL_PATH + 64];
  (void)snprintf(command, sizeof command, "ls -d '%s'/* | grep -v lock", folder);
  FILE *f = popen(command, "r");
  TRIAD_HOLDS(f && fgets(path, TRIAD_KERNEL_PATH, f), "there is no file");
  if (f) (void)pclose(f);
  path[strcspn(path, "\n")] = '\0';
}

TRIAD_TEST(what_was_written_is_read)
{
  char folder[TRIAD_PATH], deep[TRIAD_PATH + 16];
  folder_make(folder);
  (void)snprintf(deep, sizeof deep, "%s/deep/kernels", folder);
  use(deep);
  const triad_kernel_image image = image_of();
  TRIAD_HOLDS(!is_kept("z-480", key), "something is kept before anything was");
  TRIAD_HOLDS(triad_kernel_cache_write("z-480", key, &image), "it was not written");
  TRIAD_HOLDS(is_kept("z-480", key), "it was not read");
  TRIAD_HOLDS(!is_kept("z-480", "triad 1, sm_80, driver 13000, sources 00, z-480-double"), "another GPU reads it");
  TRIAD_HOLDS(!is_kept("y-480", key), "another label reads it");
  folder_delete(folder);
}

/* A byte of each part: the first line, the key, the names, the size, the sum, the code; and a file cut short or
 * longer. */
TRIAD_TEST(a_file_that_is_damaged_is_none)
{
  char path[TRIAD_KERNEL_PATH], folder[TRIAD_PATH];
  folder_make(folder);
  use(folder);
  const triad_kernel_image image = image_of();
  static const long at[] = {0, 20, 75, 80, 86, 95, 200, 5000};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    TRIAD_HOLDS(triad_kernel_cache_write("z", key, &image), "it was not written");
    file_of(folder, path);
    FILE *f = fopen(path, "r+b");
    TRIAD_HOLDS(f && fseek(f, at[i], SEEK_SET) == 0, "no file to damage");
    const int c = fgetc(f);
    (void)fseek(f, at[i], SEEK_SET);
    (void)fputc(c ^ 1, f);
    (void)fclose(f);
    TRIAD_HOLDS(!is_kept("z", key), "byte %ld is wrong, and it was read", at[i]);
  }
  for (int longer = 0; longer < 2; longer++) {
    struct stat s;
    TRIAD_HOLDS(triad_kernel_cache_write("z", key, &image) && stat(path, &s) == 0, "it was not written");
    TRIAD_HOLDS(truncate(path, s.st_size + (longer ? 1 : -1)) == 0, "it cannot be cut");
    TRIAD_HOLDS(!is_kept("z", key), "its length is wrong, and it was read");
  }
  TRIAD_HOLDS(triad_kernel_cache_write("z", key, &image) && is_kept("z", key), "it was not replaced");
  folder_delete(folder);
}

TRIAD_TEST(where_nothing_can_be_written_nothing_is_kept)
{
  const triad_kernel_image image = image_of();
  use("/proc/nowhere");
  hush();
  TRIAD_HOLDS(!triad_kernel_cache_write("z", key, &image) && !is_kept("z", key), "kept in /proc");
  TRIAD_EQUAL(triad_kernel_cache_lock("z", key), -1, "a lock in /proc");
  speak();
}

/* Both write, again and again, while this one reads: never half a file. */
TRIAD_TEST(two_that_write_at_once_leave_a_whole_one)
{
  char folder[TRIAD_PATH];
  folder_make(folder);
  use(folder);
  const triad_kernel_image image = image_of();
  pid_t writer[2];
  int bad = 0, status = 0;
  TRIAD_HOLDS(triad_kernel_cache_write("z", key, &image), "it was not written");
  for (int w = 0; w < 2; w++)
    if ((writer[w] = fork()) == 0) {
      int good = 1;
      for (int i = 0; i < 20; i++) good = triad_kernel_cache_write("z", key, &image) && good;
      _exit(!good);
    }
  for (int i = 0; i < 40; i++) bad += !is_kept("z", key);
  for (int w = 0; w < 2; w++) {
    (void)waitpid(writer[w], &status, 0);
    bad += status != 0;
  }
  TRIAD_EQUAL(bad, 0, "times it was not there, or not written");
  folder_delete(folder);
}

TRIAD_TEST(a_second_one_waits_for_the_first)
{
  char folder[TRIAD_PATH];
  folder_make(folder);
  use(folder);
  const triad_kernel_image image = image_of();
  int first = triad_kernel_cache_lock("z", key), status = 0;
  TRIAD_HOLDS(first >= 0, "no lock");
  pid_t other = fork();
  if (other == 0) {
    triad_kernel_cache_unlock(first); /* a fork has its parent's */
    int lock = triad_kernel_cache_lock("z", key);
    _exit(!(lock >= 0 && triad_kernel_cache_read("z", key, &(triad_kernel_image){0})));
  }
  (void)usleep(150000);
  TRIAD_HOLDS(triad_kernel_cache_write("z", key, &image), "it was not written");
  triad_kernel_cache_unlock(first);
  (void)waitpid(other, &status, 0);
  TRIAD_EQUAL(status, 0, "the second one did not find what the first one made");
  folder_delete(folder);
}

TRIAD_MAIN
