/* The machine model of `triad plan`: the speed of a core or a GPU, of messages and of files. One small TOML file,
 * which `triad bench --machine` writes and which can be edited; docs/scaling.md describes its keys. */
#ifndef TRIAD_STORE_FORMATS_MACHINE_H
#define TRIAD_STORE_FORMATS_MACHINE_H

#include "base/status.h"

enum { TRIAD_MACHINE_MAX = 32 /* values of a list */ };

typedef struct triad_machine_list {
  int n;
  double value[TRIAD_MACHINE_MAX];
} triad_machine_list;

/* Of one processor: a core, or a GPU. [2]: in double, in single. */
typedef struct triad_machine_rates {
  double memory;                       /* of the node, of a GPU [bytes]                                               */
  double copies, copies_all;           /* read + write [bytes/s]: of one alone; of all of a node at once, together    */
  triad_machine_list lengths;          /* of lines, rising                                                            */
  triad_machine_list x[2], y[2], z[2]; /* [ns], at each length: a real point along x, a complex one along y, z */
  triad_machine_list sets;             /* bytes of a rank's work columns in double, rising; single's are half */
  /* [ns], at each of sets: a complex number gathered or scattered; a value at a point read or made, with its part of
   * the modes' update; of a GPU none: products are in x, the update goes at the speed of copies */
  triad_machine_list transpose[2], points[2];
  triad_machine_list sizes, rates; /* messages between two of a node: bytes, rising; bytes/s out of one  */
  double overlap;                  /* what part of the shorter of messages and lines hides behind the other, 0 to 1 */
} triad_machine_rates;

typedef struct triad_machine {
  char name[160], gpu_name[160];
  double cores, gpus; /* of a node */
  triad_machine_rates core, gpu;
  struct {
    double latency;   /* of a message [s] */
    double message;   /* that a rank takes to send one more while others are on their way [s] */
    double bandwidth; /* out of a node [bytes/s] */
  } network;
  double write; /* to the disk, by all ranks [bytes/s] */
} triad_machine;

/* Read a machine file. Missing keys are 0, missing lists empty. TRIAD_ERR_INPUT: missing file; TRIAD_ERR_CASE with
 * file, line and column: no TOML, an unknown key (the nearest is suggested), a value of the wrong type or out of
 * range, lists of different lengths, or lists that do not rise. Not collective. */
int triad_machine_read(const char *path, triad_machine *out);

/* Write a machine as text that reads back, each table after a comment line that explains it. Unknown tables are left
 * out, except that of the network, whose keys are written as comments. *text: malloc'd. TRIAD_ERR_MEMORY. Not
 * collective. */
int triad_machine_text(const triad_machine *machine, const char *how, char **text);

/* Require a value: TRIAD_ERR_CASE "PATH: TABLE.KEY is missing: WHY" unless it is given. */
int triad_machine_wants(const char *path, const char *key, int there, const char *why);

/* The value at `where` on the curve through (at, value): linear in log(at), ends beyond them. Not collective. */
double triad_machine_at(const triad_machine_list *at, const triad_machine_list *value, double where);

#endif
