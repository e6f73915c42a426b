/* Name the request files of triad set and find the oldest one in a run directory. */
#include "run/set_requests.h"

#include "store/disk.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = "set-";

static int is_request(const char *dir, const char *name)
{
  char path[TRIAD_PATH];
  struct stat about;
  if (strcmp(name, "set") != 0 && strncmp(name, prefix, sizeof prefix - 1) != 0) return 0;
  if (strlen(name) >= TRIAD_SET_NAME || snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path) return 0;
  return lstat(path, &about) == 0 && S_ISREG(about.st_mode);
}

int triad_set_requests_oldest(const char *dir, char name[TRIAD_SET_NAME])
{
  DIR *d = opendir(dir);
  int found = 0;
  if (!d) return 0;
  for (const struct dirent *e = readdir(d); e; e = readdir(d))
    if (is_request(dir, e->d_name) && (!found || strcmp(e->d_name, name) < 0)) {
      (void)memcpy(name, e->d_name, strlen(e->d_name) + 1); /* is_request knows that it fits */
      found = 1;
    }
  (void)closedir(d);
  return found;
}

void triad_set_requests_name(char name[TRIAD_SET_NAME])
{
  struct timespec now = {0, 0};
  char host[32] = "";
  (void)clock_gettime(CLOCK_REALTIME, &now);
  (void)gethostname(host, sizeof host - 1);
  for (char *c = host; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *c)) *c = '_';
  (void)snprintf(name, TRIAD_SET_NAME, "%s%011lld.%09ld-%ld-%s", prefix, (long long)now.tv_sec, now.tv_nsec,
                 (long)getpid(), host);
}
