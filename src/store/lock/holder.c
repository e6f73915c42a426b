/* Write and parse the text of run.lock, and find out whether the process that it names is alive. */
#include "store/lock/holder.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void first_line(const char *path, char *out, size_t size)
{
  FILE *f = fopen(path, "r");
  out[0] = '\0';
  if (!f) return;
  if (!fgets(out, (int)size, f)) out[0] = '\0';
  (void)fclose(f);
  out[strcspn(out, "\n")] = '\0';
}

static void first_line_or_dash(const char *path, char *out, size_t size)
{
  first_line(path, out, size);
  if (!out[0]) (void)snprintf(out, size, "-");
}

/* Field 22 of /proc/PID/stat, counted behind the name, which may hold anything; -1 when there is no such process or
 * its state says that it has ended. */
static int64_t start_of(int64_t pid)
{
  char path[64], line[1024];
  (void)snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
  first_line(path, line, sizeof line);
  char *at = strrchr(line, ')'), state = 0;
  long long start = -1;
  if (!at || sscanf(at + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %lld", &state,
                    &start) != 2)
    return -1;
  return state == 'Z' || state == 'X' ? -1 : start;
}

/* The batch system's number of this job. */
static const char *job_number(void)
{
  static const char *const variables[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "COBALT_JOBID"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *job = getenv(variables[i]);
    if (job && *job && strlen(job) < sizeof((triad_holder *)0)->job && !strpbrk(job, "\n\r")) return job;
  }
  return "-";
}

int triad_holder_same_job(const triad_holder *h)
{
  return strcmp(h->job, "-") != 0 && strcmp(h->job, job_number()) == 0;
}

void triad_lock_self(triad_lock_rank *me)
{
  memset(me, 0, sizeof *me);
  if (gethostname(me->host, sizeof me->host - 1) != 0 || !me->host[0])
    (void)snprintf(me->host, sizeof me->host, "unknown");
  me->pid = getpid();
  me->start = start_of(me->pid);
}

static void describe_machine(triad_holder *h)
{
  memset(h, 0, sizeof *h);
  if (gethostname(h->host, sizeof h->host - 1) != 0 || !h->host[0]) (void)snprintf(h->host, sizeof h->host, "unknown");
  first_line_or_dash("/etc/machine-id", h->machine, sizeof h->machine);
  first_line_or_dash("/proc/sys/kernel/random/boot_id", h->boot, sizeof h->boot);
  ssize_t n = readlink("/proc/self/ns/pid", h->space, sizeof h->space - 1);
  h->space[n > 0 ? n : 0] = '\0';
  if (!h->space[0]) (void)snprintf(h->space, sizeof h->space, "-");
}

int triad_holder_self(triad_holder *h, const triad_lock_request *request)
{
  const triad_lock_rank *all = request->ranks;
  describe_machine(h);
  (void)snprintf(h->job, sizeof h->job, "%s", job_number());
  h->pid = getpid();
  h->start = start_of(h->pid);
  h->watchdog = request->watchdog;
  h->hosts = 1;
  h->ranks = calloc((size_t)request->n_ranks + 1, sizeof *h->ranks);
  if (!h->ranks) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the lock's %d ranks", request->n_ranks);
  for (int i = 0; i < request->n_ranks; i++) {
    int seen = strncmp(all[i].host, h->host, sizeof all[i].host - 1) == 0;
    if (seen && all[i].pid != h->pid) h->ranks[h->n_ranks++] = all[i];
    if (!seen) h->hosts = 2; /* or more: how many does not matter */
  }
  return TRIAD_OK;
}

void triad_holder_free(triad_holder *h)
{
  free(h->ranks);
  h->ranks = NULL;
}

char *triad_holder_text(const triad_holder *h)
{
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  (void)fprintf(f, "triad-lock 2\nhost %s\nmachine %s\nboot %s\nspace %s\npid %lld\nstart %lld\njob %s\n", h->host,
                h->machine, h->boot, h->space, (long long)h->pid, (long long)h->start, h->job);
  (void)fprintf(f, "hosts %d\nwatchdog %g\n", h->hosts, h->watchdog);
  for (int i = 0; i < h->n_ranks; i++)
    (void)fprintf(f, "rank %lld %lld\n", (long long)h->ranks[i].pid, (long long)h->ranks[i].start);
  (void)fprintf(f, "end\n");
  int bad = ferror(f);
  if (fclose(f) == 0 && !bad) return text;
  free(text);
  return NULL;
}

/* The next line of the text, if it is "KEY VALUE\n". */
static int read_value(const char **at, const char *key, char *value, size_t size)
{
  const char *end = strchr(*at, '\n');
  size_t n = strlen(key);
  if (!end || strncmp(*at, key, n) != 0 || (*at)[n] != ' ') return 0;
  size_t length = (size_t)(end - *at) - n - 1;
  if (length == 0 || length >= size) return 0;
  memcpy(value, *at + n + 1, length);
  value[length] = '\0';
  *at = end + 1;
  return 1;
}

static int take_integer(const char **at, const char *key, int64_t *value)
{
  char text[32], *end;
  if (!read_value(at, key, text, sizeof text)) return 0;
  *value = strtoll(text, &end, 10);
  return *end == '\0';
}

static int take_ranks(triad_holder *h, const char **at)
{
  int room = 0;
  char text[64];
  for (const char *c = *at; (c = strstr(c, "rank ")); c++) room++;
  h->ranks = calloc((size_t)room + 1, sizeof *h->ranks);
  if (!h->ranks) return TRIAD_HOLDER_NO_MEMORY;
  while (h->n_ranks < room && read_value(at, "rank", text, sizeof text)) {
    long long pid = 0, start = 0;
    if (sscanf(text, "%lld %lld", &pid, &start) != 2 || pid <= 0) return TRIAD_HOLDER_CUT;
    h->ranks[h->n_ranks].pid = pid;
    h->ranks[h->n_ranks++].start = start;
  }
  return strcmp(*at, "end\n") == 0 ? TRIAD_HOLDER_GOOD : TRIAD_HOLDER_CUT;
}

/* The format of an earlier version: without machine and process space, so only a living process can be recognised. */
static int parse_first(triad_holder *h, const char *at)
{
  (void)snprintf(h->machine, sizeof h->machine, "?");
  (void)snprintf(h->space, sizeof h->space, "?");
  h->hosts = 1;
  int good = read_value(&at, "host", h->host, sizeof h->host) && read_value(&at, "boot", h->boot, sizeof h->boot) &&
             take_integer(&at, "pid", &h->pid) && take_integer(&at, "start", &h->start) &&
             read_value(&at, "job", h->job, sizeof h->job);
  return good && !*at && h->pid > 0 ? TRIAD_HOLDER_GOOD : TRIAD_HOLDER_CUT;
}

int triad_holder_parse(triad_holder *h, const char *text, int64_t bytes)
{
  static const char magic[] = "triad-lock ", first[] = "triad-lock 1\n", second[] = "triad-lock 2\n";
  char watchdog[32];
  int64_t hosts = 0, used = (int64_t)strlen(text), zeros = used;
  memset(h, 0, sizeof *h);
  while (zeros < bytes && text[zeros] == '\0') zeros++;
  size_t common = used < (int64_t)sizeof magic - 1 ? (size_t)used : sizeof magic - 1;
  if (strncmp(text, magic, common) != 0 || (zeros < bytes && used == 0)) return TRIAD_HOLDER_FOREIGN;
  if (used < bytes) return TRIAD_HOLDER_CUT;
  const char *at = text + sizeof second - 1;
  if (strncmp(text, first, sizeof first - 1) == 0) return parse_first(h, at);
  if (strncmp(text, second, sizeof second - 1) != 0) return TRIAD_HOLDER_CUT;
  if (!read_value(&at, "host", h->host, sizeof h->host) || !read_value(&at, "machine", h->machine, sizeof h->machine) ||
      !read_value(&at, "boot", h->boot, sizeof h->boot) || !read_value(&at, "space", h->space, sizeof h->space) ||
      !take_integer(&at, "pid", &h->pid) || !take_integer(&at, "start", &h->start) ||
      !read_value(&at, "job", h->job, sizeof h->job) || !take_integer(&at, "hosts", &hosts) ||
      !read_value(&at, "watchdog", watchdog, sizeof watchdog) || h->pid <= 0 || hosts < 1)
    return TRIAD_HOLDER_CUT;
  h->hosts = hosts > 1 ? 2 : 1; /* how many does not matter */
  h->watchdog = strtod(watchdog, NULL);
  return take_ranks(h, &at);
}

void triad_holder_name(const triad_holder *h, char who[400])
{
  int has_job = strcmp(h->job, "-") != 0;
  (void)snprintf(who, 400, "process %lld on host %s%s%s%s", (long long)h->pid, h->host, has_job ? " (job " : "",
                 has_job ? h->job : "", has_job ? ")" : "");
}

/* A process of this boot and PID namespace. */
static int process_lives(int64_t pid, int64_t start)
{
  int64_t now = start_of(pid);
  if (now >= 0 && start >= 0) return now == start;
  if (now >= 0) return -1;
  /* without /proc, or if it hides other users' processes; a zombie still exists */
  if (kill((pid_t)pid, 0) != 0) return errno == ESRCH ? 0 : -1;
  return start_of(getpid()) >= 0 ? 0 : -1;
}

/* [s] since this machine was started. */
static double uptime(void)
{
  char line[64];
  first_line("/proc/uptime", line, sizeof line);
  return strtod(line, NULL);
}

/* A host name that many machines share identifies nothing without a machine number. */
static int same_host(const triad_holder *a, const triad_holder *b)
{
  static const char *const common[] = {"localhost", "localhost.localdomain", "unknown", "(none)"};
  int known = strcmp(a->machine, "-") != 0;
  for (size_t i = 0; i < sizeof common / sizeof *common; i++)
    if (!known && strcmp(a->host, common[i]) == 0) return 0;
  return strcmp(a->host, b->host) == 0 && strcmp(a->machine, b->machine) == 0;
}

int triad_holder_lives(const triad_holder *h, double *down)
{
  triad_holder self;
  describe_machine(&self);
  *down = 0;
  int boots_known = strcmp(h->boot, "-") != 0 && strcmp(self.boot, "-") != 0;
  int same_boot = boots_known && strcmp(h->boot, self.boot) == 0;
  /* from an earlier version: alive if that very process is; otherwise unknown */
  if (strcmp(h->space, "?") == 0 && same_boot) return process_lives(h->pid, h->start) == 1 ? 1 : -1;
  if (strcmp(h->space, self.space) != 0) return -1;
  if (same_boot) return process_lives(h->pid, h->start);
  if (!same_host(h, &self)) return -1;
  if (!boots_known) return process_lives(h->pid, h->start);
  *down = uptime();
  return 0;
}

int triad_holder_others(const triad_holder *h, int64_t *first)
{
  double down = 0;
  int n = 0;
  for (int i = 0; i < h->n_ranks; i++) {
    triad_holder other = *h;
    other.pid = h->ranks[i].pid;
    other.start = h->ranks[i].start;
    if (triad_holder_lives(&other, &down) == 0) continue;
    if (n++ == 0) *first = other.pid;
  }
  return n;
}
