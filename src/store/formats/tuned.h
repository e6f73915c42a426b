/* tune.toml: the fastest settings that `triad tune` found, by machine and problem, one table per entry. */
#ifndef TRIAD_STORE_FORMATS_TUNED_H
#define TRIAD_STORE_FORMATS_TUNED_H

#include <stdint.h>

/* What an entry is for. */
typedef struct triad_tuned_key {
  char node[160]; /* processor and cores of a node            */
  char gpu[80];   /* name of the GPUs, "none" for steps on CPUs */
  char solver[32], precision[16], truncation[16];
  int64_t n[3];
  int ranks, nodes;
} triad_tuned_key;

/* A key of the solver's own and the word that was fastest for it. */
enum { TRIAD_TUNED_MAX = 4 };
typedef struct triad_tuned_own {
  char key[40], word[24];
} triad_tuned_own;

/* What is in it. */
typedef struct triad_tuned {
  int nstreams, threads; /* 0: as without it                     */
  char transport[16];    /* "auto": likewise                     */
  int group;             /* ranks that share planes; 0: likewise */
  int n_own;
  triad_tuned_own own[TRIAD_TUNED_MAX];
  double step_s, default_s; /* medians [s] when it was found, and of the settings without it */
} triad_tuned;

/* The entry for `key` in the file at `path`; *line: of its table, 0 when there is none, nor a file. TRIAD_ERR_CASE for
 * a file that is not such TOML, TRIAD_ERR_IO. Not collective. */
int triad_tuned_find(const char *path, const triad_tuned_key *key, triad_tuned *out, int *line);

/* Put an entry into folder/name, in place of an older one for the same key; other entries stay. TRIAD_ERR_IO,
 * TRIAD_ERR_CASE. Not collective. */
int triad_tuned_write(const char *folder, const char *name, const triad_tuned_key *key, const triad_tuned *entry);

/* The user's own file, for cases whose folder has none: $XDG_CACHE_HOME/triad or ~/.cache/triad. The folder, in
 * out[size]; "" where there is no home. */
void triad_tuned_cache(char *out, int size);

#endif
