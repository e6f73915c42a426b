/* Create the folders of a file in the user's cache and lock the file against other runs of the same user. */
#include "base/users_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void triad_users_folders(char *path)
{
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    (void)mkdir(path, 0777);
    *slash = '/';
  }
}

int triad_users_lock(char *path)
{
  enum { TRIES = 600 };
  const struct timespec pause = {.tv_nsec = 100000000};
  triad_users_folders(path);
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return -1;
  for (int i = 0; i < TRIES; i++) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    if (errno != EWOULDBLOCK && errno != EINTR) break;
    (void)nanosleep(&pause, NULL);
  }
  (void)close(fd);
  return -1;
}

void triad_users_unlock(int lock)
{
  if (lock >= 0) (void)close(lock);
}
