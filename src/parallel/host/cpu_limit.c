/* Read the CPU quota of this process from the files of its control groups, version 1 or 2. The result is a number of
 * cores. */
#include "parallel/host/cpu_limit.h"
#include "parallel/host/bind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096 };

static double smaller(double a, double b) { return a > 0 && (b <= 0 || a < b) ? a : b; }

/* The first two words of a file, as numbers; a word that is none ("max") gives 0. Returns how many words. */
static int two_numbers(const char *path, double *a, double *b)
{
  char first[64] = "", second[64] = "";
  FILE *f = fopen(path, "r");
  if (!f) return 0;
  int n = fscanf(f, "%63s %63s", first, second);
  (void)fclose(f);
  *a = n > 0 ? strtod(first, NULL) : 0;
  *b = n > 1 ? strtod(second, NULL) : 0;
  return n > 0 ? n : 0;
}

/* The limit in the files of one cgroup folder; 0: no limit. */
static double limit_in(const char *folder)
{
  char path[PATH + 64];
  double quota = 0, period = 0, unused;
  (void)snprintf(path, sizeof path, "%s/cpu.max", folder);
  if (two_numbers(path, &quota, &period) < 2) {
    (void)snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (two_numbers(path, &quota, &unused) < 1) return 0;
    (void)snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    if (two_numbers(path, &period, &unused) < 1) return 0;
  }
  return quota > 0 && period > 0 ? quota / period : 0; /* version 1 writes -1 for none */
}

/* From root/path up to root. Inside a container the path may be the host's, and only the root exist. */
static double limit_along(const char *root, const char *path)
{
  char folder[PATH];
  int n = snprintf(folder, sizeof folder, "%s%s", root, path);
  if (n < 0 || (size_t)n >= sizeof folder) return limit_in(root);
  double least = 0;
  size_t stop = strlen(root);
  for (;;) {
    least = smaller(limit_in(folder), least);
    char *slash = strrchr(folder + stop, '/');
    if (!slash) return least;
    *slash = '\0';
  }
}

/* One of the words between commas is "cpu". */
static int names_cpu(const char *controllers)
{
  for (const char *word = controllers; *word;) {
    size_t n = strcspn(word, ",");
    if (n == 3 && strncmp(word, "cpu", 3) == 0) return 1;
    word += n + (word[n] == ',');
  }
  return 0;
}

double triad_cpu_limit_of(const char *membership, const char *root)
{
  double least = 0;
  char line[PATH], folder[PATH + 256];
  FILE *f = fopen(membership, "r");
  if (!f) return 0;
  while (fgets(line, sizeof line, f)) { /* id:controllers:path, no controllers in version 2 */
    line[strcspn(line, "\n")] = '\0';
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path) continue;
    *controllers++ = '\0';
    *path++ = '\0';
    if (!*controllers) {
      least = smaller(limit_along(root, path), least);
      (void)snprintf(folder, sizeof folder, "%s/unified", root);
      least = smaller(limit_along(folder, path), least);
    } else if (names_cpu(controllers)) {
      (void)snprintf(folder, sizeof folder, "%s/%s", root, controllers);
      least = smaller(limit_along(folder, path), least);
      (void)snprintf(folder, sizeof folder, "%s/cpu", root);
      least = smaller(limit_along(folder, path), least);
    }
  }
  (void)fclose(f);
  return least;
}

double triad_cpu_limit(void) { return triad_cpu_limit_of("/proc/self/cgroup", "/sys/fs/cgroup"); }
