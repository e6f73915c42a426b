/* Print where ranks and threads are placed, one line for each group of equal nodes, warn of shared cores, and write
 * the same as JSON. */
#include "parallel/host/cores.h"

#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *pa, const void *pb)
{
  const triad_place *a = pa, *b = pb;
  if (a->node != b->node) return a->node < b->node ? -1 : 1;
  return (a->local_rank > b->local_rank) - (a->local_rank < b->local_rank);
}

void triad_cores_sort(triad_place *p, int n) { qsort(p, (size_t)n, sizeof *p, compare); }

/* Ranks from p[0] on that are on its node. */
static int on_node(const triad_place *p, int n)
{
  int k = 1;
  while (k < n && p[k].node == p[0].node) k++;
  return k;
}

static const char *plural(int64_t n) { return n == 1 ? "" : "s"; }

/* The text of a memory stream that has been written to; NULL if any of it failed. */
static char *finish(FILE *f, char **text)
{
  if (!f) return NULL;
  int failed = ferror(f);
  if (fclose(f) != 0 || failed) {
    free(*text);
    *text = NULL;
  }
  return *text;
}

/* --- nodes that are alike --------------------------------------------------------------------------------------- */

/* Write about the node whose n ranks start at p. */
typedef void describe_node(FILE *f, const triad_place *p, int n);

/* Nodes that are described by the same words. */
typedef struct alike {
  char *words;
  const char *first, *last; /* hosts */
  int nodes;
} alike;

/* Describe every node and fold the equal ones; *count = -1 if memory ran out. */
static alike *fold(const triad_place *p, int n, describe_node *describe, int *count)
{
  alike *list = NULL;
  *count = 0;
  for (int at = 0, k; at < n; at += k) {
    char *words = NULL;
    size_t size;
    k = on_node(p + at, n - at);
    FILE *f = open_memstream(&words, &size);
    if (f) describe(f, p + at, k);
    words = finish(f, &words);
    int i = 0;
    while (words && i < *count && strcmp(list[i].words, words) != 0) i++;
    if (words && i == *count) {
      alike *larger = realloc(list, ((size_t)i + 1) * sizeof *list);
      if (larger) {
        list = larger;
        list[(*count)++] = (alike){words, p[at].host, p[at].host, 1};
        continue;
      }
    } else if (words) {
      list[i].last = p[at].host;
      list[i].nodes++;
      free(words);
      continue;
    }
    free(words);
    for (i = 0; i < *count; i++) free(list[i].words);
    free(list);
    *count = -1;
    return NULL;
  }
  return list;
}

/* "a", "a and b", "a ... z (26 nodes)": a, then the last. */
static void put_hosts(FILE *f, const alike *a)
{
  if (a->nodes == 1) (void)fputs(a->first, f);
  else if (a->nodes == 2) (void)fprintf(f, "%s and %s", a->first, a->last);
  else (void)fprintf(f, "%s ... %s (%d nodes)", a->first, a->last, a->nodes);
}

/* --- the table -------------------------------------------------------------------------------------------------- */

static int sit_alike(const triad_place *a, const triad_place *b)
{
  return a->threads == b->threads && a->cores == b->cores && a->hardware_threads == b->hardware_threads &&
         strcmp(a->numa, b->numa) == 0;
}

static void describe_ranks(FILE *f, const triad_place *p, int n)
{
  for (int at = 0, k; at < n; at += k) {
    int same = 1;
    for (k = 1; at + k < n && sit_alike(p + at, p + at + k); k++) same = same && !strcmp(p[at].cpus, p[at + k].cpus);
    const triad_place *a = p + at, *z = a + k - 1;
    const char *each = k > 1 && !same ? " each" : "";
    (void)fprintf(f, "\n    %d rank%s of %d thread%s on ", k, plural(k), a->threads, plural(a->threads));
    if (k > 1 && same) (void)fputs(a->cores == 1 ? "the same core" : "the same ", f);
    if (k == 1 || !same || a->cores > 1) (void)fprintf(f, "%d core%s%s", a->cores, plural(a->cores), each);
    if (a->hardware_threads != a->cores) (void)fprintf(f, " (%d hardware threads%s)", a->hardware_threads, each);
    (void)fprintf(f, ", CPU %s", a->cpus);
    if (!same) (void)fprintf(f, " ... %s", z->cpus);
    if (a->numa[0]) (void)fprintf(f, ", memory %s", a->numa);
  }
  for (int i = 0; i < n; i++) {
    if (!p[i].gpu[0]) continue;
    int named = i > 0 && strcmp(p[i].gpu, p[i - 1].gpu) == 0;
    if (named) (void)fprintf(f, ", %s", p[i].gpu_bus);
    else (void)fprintf(f, "\n    GPU of each rank: %s at %s", p[i].gpu, p[i].gpu_bus);
  }
  if (p->quota > 0) (void)fprintf(f, "\n    limited to the time of %.3g CPUs", p->quota);
}

char *triad_cores_text(const triad_place *p, int n)
{
  int64_t nodes = 0, threads = 0, cores = 0;
  for (int at = 0, k; at < n; at += k) {
    k = on_node(p + at, n - at);
    nodes++;
    cores += p[at].node_cores;
    for (int i = 0; i < k; i++) threads += p[at + i].threads;
  }
  int count;
  alike *list = fold(p, n, describe_ranks, &count);
  if (count < 0) return NULL;
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (f)
    (void)fprintf(f, "%d rank%s, %lld thread%s, on %lld node%s with %lld core%s", n, plural(n), (long long)threads,
                  plural(threads), (long long)nodes, plural(nodes), (long long)cores, plural(cores));
  for (int i = 0; i < count; i++) {
    if (f) {
      (void)fputs("\n  ", f);
      put_hosts(f, list + i);
      (void)fputs(list[i].words, f);
    }
    free(list[i].words);
  }
  free(list);
  return finish(f, &text);
}

/* --- warnings --------------------------------------------------------------------------------------------------- */

/* At most one of: the most specific cause first, so that one mistake is one line. */
static void describe_crowd(FILE *f, const triad_place *p, int n)
{
  int64_t threads = 0;
  int crowded = 0, crowd = 0, narrow = 0, narrow_threads = 0, narrow_cores = 0;
  for (int i = 0; i < n; i++) {
    threads += p[i].threads;
    if (p[i].same_core > 1) {
      crowded++;
      if (p[i].same_core > crowd) crowd = p[i].same_core;
    }
    if (p[i].threads > p[i].cores && !narrow++) {
      narrow_threads = p[i].threads;
      narrow_cores = p[i].cores;
    }
  }
  int64_t allowed = p->node_cores;
  int by_quota = p->quota > 0 && p->quota < (double)allowed;
  if (!by_quota && threads > allowed)
    (void)fprintf(f, "%lld threads on %lld core%s: use fewer ranks, or set OMP_NUM_THREADS", (long long)threads,
                  (long long)allowed, plural(allowed));
  else if (crowded)
    (void)fprintf(f,
                  "%d ranks are bound to a core that another rank uses (%d on one): bind each rank to separate cores, "
                  "or try mpirun --bind-to none",
                  crowded, crowd);
  else if (narrow)
    (void)fprintf(f, "%d rank%s bound to %d core%s for %d threads: try mpirun --map-by slot:PE=%d, or --bind-to none",
                  narrow, narrow == 1 ? " is" : "s are", narrow_cores, plural(narrow_cores), narrow_threads,
                  narrow_threads);
  else if (threads > p->ranks_cores)
    (void)fprintf(
      f, "%lld threads on the %d core%s that these ranks may use, of %d: bind to more cores, or use fewer threads",
      (long long)threads, p->ranks_cores, plural(p->ranks_cores), p->node_cores);
  else if (by_quota && (double)threads > p->quota + 0.5)
    (void)fprintf(f, "%lld threads, but the container or job is limited to the time of %.3g CPUs: use fewer",
                  (long long)threads, p->quota);
}

static void describe_trouble(FILE *f, const triad_place *p, int n)
{
  int sharing = 0, most = 0;
  long before = ftell(f);
  describe_crowd(f, p, n);
  for (int i = 0; i < n; i++) {
    sharing += p[i].gpu_ranks > 1;
    if (p[i].gpu_ranks > most) most = p[i].gpu_ranks;
  }
  if (sharing > 0)
    (void)fprintf(f, "%s%d ranks share GPUs (%d on one): use one rank per GPU", ftell(f) > before ? "; " : "", sharing,
                  most);
}

char *triad_cores_warnings(const triad_place *p, int n)
{
  int count, written = 0;
  alike *list = fold(p, n, describe_trouble, &count);
  if (count < 0) return NULL;
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  for (int i = 0; i < count; i++) {
    if (f && list[i].words[0]) {
      if (written++) (void)fputc('\n', f);
      put_hosts(f, list + i);
      (void)fprintf(f, ": %s", list[i].words);
    }
    free(list[i].words);
  }
  free(list);
  return finish(f, &text);
}

/* --- JSON ------------------------------------------------------------------------------------------------------- */

static void put_rank(triad_json *j, const triad_place *p)
{
  triad_json_object(j, NULL, TRIAD_JSON_COMPACT);
  triad_json_integer(j, "rank", p->rank);
  triad_json_integer(j, "threads", p->threads);
  triad_json_integer(j, "cores", p->cores);
  triad_json_integer(j, "hardware_threads", p->hardware_threads);
  triad_json_text(j, "cpus", p->cpus);
  triad_json_text(j, "numa", p->numa);
  if (p->gpu[0]) {
    triad_json_text(j, "gpu", p->gpu);
    triad_json_text(j, "gpu_bus", p->gpu_bus);
  }
  triad_json_end(j);
}

/* Write a node and its ranks, which are p[0 .. n - 1] up to the first one on another node; returns their number. */
static int put_node(triad_json *j, const triad_place *p, int n)
{
  int i = 0;
  triad_json_object(j, NULL, TRIAD_JSON_COMPACT);
  triad_json_text(j, "host", p->host);
  triad_json_integer(j, "cores", p->node_cores);
  triad_json_number(j, "quota", p->quota > 0 ? p->quota : NAN, TRIAD_JSON_EXACT);
  triad_json_list(j, "ranks", TRIAD_JSON_COMPACT);
  for (; i < n && p[i].node == p[0].node; i++) put_rank(j, p + i);
  triad_json_end(j);
  triad_json_end(j);
  return i;
}

char *triad_cores_json(const triad_place *p, int n)
{
  char *text = NULL;
  size_t size;
  triad_json j = {.out = open_memstream(&text, &size)};
  if (!j.out) return NULL;
  triad_json_object(&j, NULL, TRIAD_JSON_COMPACT);
  triad_json_integer(&j, "ranks", n);
  triad_json_list(&j, "nodes", TRIAD_JSON_COMPACT);
  for (int i = 0; i < n;) i += put_node(&j, p + i, n - i);
  triad_json_end(&j);
  triad_json_end(&j);
  return finish(j.out, &text);
}
