/* Requests of `triad set`: RUN/set-ID, a file each, so that no request can overwrite another one and none needs a
 * lock. IDs sort by the time of the request. A file "set" that somebody wrote by hand is a request too. Not
 * collective. */
#ifndef TRIAD_RUN_SET_REQUESTS_H
#define TRIAD_RUN_SET_REQUESTS_H

enum { TRIAD_SET_NAME = 96 /* bytes of a request's name */ };

/* Find the oldest request in a run directory: 1 and its name, or 0. Anything but a regular file is passed over. */
int triad_set_requests_oldest(const char *dir, char name[TRIAD_SET_NAME]);

/* Make a name that no other request has, on this host or another one. */
void triad_set_requests_name(char name[TRIAD_SET_NAME]);

#endif
