/* Files shared by all runs of a user, such as FFT plans and compiled kernels; the first run that needs one makes it. */
#ifndef TRIAD_BASE_USERS_FILE_H
#define TRIAD_BASE_USERS_FILE_H

/* Make the folders of `path` as far as possible; path is unchanged afterwards. */
void triad_users_folders(char *path);

/* Lock `path`, a lock file next to the shared file; folders are made. Waits up to a minute for another process. -1:
 * locking failed, and the caller continues without a lock; unlock accepts -1. The lock also ends with the process. Not
 * collective. */
int triad_users_lock(char *path);
void triad_users_unlock(int lock);

#endif
