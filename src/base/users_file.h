/* Files that all runs of a user share, such as plans and compiled kernels: made when first wanted, by whoever comes
 * first. */
#ifndef TRIAD_BASE_USERS_FILE_H
#define TRIAD_BASE_USERS_FILE_H

/* Make the folders that `path` lies in, as far as may be; path is as it was afterwards. */
void triad_users_folders(char *path);

/* Be the only one who has `path` locked, a file of its own beside what is worked at; folders are made. Waits up to a
 * minute for another. -1: there is no lock to be had, and what follows goes on without; unlock takes it. Ends with
 * the process too. Not collective. */
int triad_users_lock(char *path);
void triad_users_unlock(int lock);

#endif
