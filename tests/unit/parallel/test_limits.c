/* What a run compares with before it starts, and how long it waits: memory of a control group, sizes that would fit,
 * the watchdog's patience.   ranks: 1 */
#include "test.h"

#include "folder.h"
#include "parallel/host/host_memory.h"
#include "parallel/host/watchdog.h"
#include "run/check.h"
#include "run/resources.h"

#include <stdio.h>
#include <string.h>

static void put(const char *folder, const char *name, const char *text)
{
  char path[TRIAD_PATH];
  TRIAD_CHECK(triad_disk_path(path, "%s/%s", folder, name));
  FILE *f = fopen(path, "w");
  TRIAD_HOLDS(f != NULL, "%s can be made", path);
  (void)fputs(text, f);
  (void)fclose(f);
}

TRIAD_TEST(memory_that_is_free_is_what_the_kernel_calls_available)
{
  char folder[TRIAD_PATH], path[TRIAD_PATH];
  int64_t total = 0;
  folder_make(folder);
  put(folder, "meminfo", "MemTotal:       16000 kB\nMemFree:  1 kB\nMemAvailable:   9000 kB\n");
  TRIAD_CHECK(triad_disk_path(path, "%s/meminfo", folder));
  TRIAD_EQUAL(triad_host_memory_available(path, &total), 9000 * 1024, "available");
  TRIAD_EQUAL(total, 16000 * 1024, "total");
  hush();
  TRIAD_EQUAL(triad_host_memory_available("/nowhere", &total), 0, "not told");
  speak();
  folder_delete(folder);
}

TRIAD_TEST(control_group_leaves_its_limit_less_its_use_and_dropped_files_count_as_free)
{
  char folder[TRIAD_PATH], member[TRIAD_PATH];
  folder_make(folder);
  put(folder, "cgroup", "0::/\n");
  TRIAD_CHECK(triad_disk_path(member, "%s/cgroup", folder));
  TRIAD_EQUAL(triad_host_memory_group_left(member, folder), -1, "no files, no limit");
  put(folder, "memory.max", "max\n");
  put(folder, "memory.current", "700\n");
  TRIAD_EQUAL(triad_host_memory_group_left(member, folder), -1, "\"max\" is no limit");
  put(folder, "memory.max", "1000\n");
  put(folder, "memory.stat", "anon 5\ninactive_file 200\nactive_file 50\n");
  TRIAD_EQUAL(triad_host_memory_group_left(member, folder), 1000 - 700 + 200, "left");
  put(folder, "memory.current", "5000\n");
  TRIAD_EQUAL(triad_host_memory_group_left(member, folder), 0, "nothing is left, not less");
  folder_delete(folder);
}

TRIAD_TEST(size_that_would_fit_is_even_smooth_and_not_too_large)
{
  TRIAD_EQUAL(triad_resources_size(1, 0.3), 1, "a thin axis stays");
  for (int64_t n = 4; n <= 4096; n += 12)
    for (double factor = 0.1; factor < 1; factor += 0.2) {
      int64_t m = triad_resources_size(n, factor), left = m;
      for (int p = 2; p <= 7; p++)
        while (left % p == 0) left /= p;
      int even = (m & 1) == 0;
      TRIAD_HOLDS(m >= 2 && even && left == 1, "%lld of %lld is even and smooth", (long long)m, (long long)n);
      TRIAD_HOLDS(m <= 2 || (double)m <= factor * (double)n, "%lld is at most %g of %lld", (long long)m, factor,
                  (long long)n);
    }
  TRIAD_EQUAL(triad_resources_size(1024, 0.5), 512, "a power of two is found");
}

TRIAD_TEST(watchdog_waits_for_the_limit_or_20_medians)
{
  double none[1] = {0}, quick[5] = {3, 1, 2, 1, 2}, slow[5] = {100, 90, 2000, 95, 80};
  TRIAD_NEAR(triad_watchdog_limit(600, none, 0), 600, 0, "nothing seen yet");
  TRIAD_NEAR(triad_watchdog_limit(600, quick, 5), 600, 0, "20 times 2 s is less");
  TRIAD_NEAR(triad_watchdog_limit(600, slow, 5), 20 * 95, 0, "20 times the median");
}

TRIAD_MAIN
