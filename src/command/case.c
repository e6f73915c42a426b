/* The command `triad case`: check a case and print its values, keys, warnings, memory and disk space. */
#include "case/case.h"
#include "case/case_write.h"
#include "case/case_load.h"

#include "base/log.h"
#include "case/schema.h"
#include "case/schema/schema_reference.h"
#include "case/schema/schema_manual.h"
#include "base/size.h"
#include "base/output.h"
#include "command/command.h"
#include "command/options.h"
#include "command/session/rundir.h"
#include "parallel/host/host_memory.h"
#include "run/check.h"
#include "solvers/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

/* Free bytes where a new run directory would be made, or -1. */
static double free_disk(const char *dir)
{
  struct statvfs info;
  if (statvfs(dir, &info) != 0 && statvfs(".", &info) != 0) return -1;
  return (double)info.f_bavail * (double)info.f_frsize;
}

/* Bytes available to this machine's processes, within the limit of a container or batch job; 0 if unknown. */
static double free_memory(void)
{
  int64_t total, left = triad_host_memory_group_left("/proc/self/cgroup", "/sys/fs/cgroup");
  int64_t available = triad_host_memory_available("/proc/meminfo", &total);
  return (double)(left >= 0 && left < available ? left : available);
}

static void print_size(const char *what, double bytes, const char *remark)
{
  const char *unit = triad_size_unit(&bytes);
  (void)printf("  %-28s %8.3g %-3s%s%s\n", what, bytes, unit, *remark ? "  " : "", remark);
}

static void print_warnings(const triad_needs *n)
{
  for (int i = 0; i < n->warnings.n; i++) (void)fprintf(stderr, "triad: warning: %s\n", n->warnings.text[i]);
}

static int is_strict(const triad_needs *n, int strict)
{
  if (!strict || n->warnings.n == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "--strict: %d warning%s", n->warnings.n, n->warnings.n > 1 ? "s" : "");
}

static int print_check(const triad_case *c, int ranks, int threads, const char *dir, int strict)
{
  triad_needs n = {0};
  char remark[160];
  TRIAD_TRY(triad_check(c, ranks, threads, &n));
  (void)printf("memory per rank (%d rank%s of %d thread%s)\n", ranks, ranks == 1 ? "" : "s", threads,
               threads == 1 ? "" : "s");
  for (int i = 0; i < n.rank.n; i++) print_size(n.rank.row[i].owner, (double)n.rank.row[i].bytes, n.rank.row[i].remark);
  print_size("total", (double)n.rank.total, "");
  double memory = free_memory();
  if (memory > 0) print_size("all ranks", (double)n.rank.total * ranks, "");
  if (memory > 0) print_size("free on this machine", memory, "");
  if (n.idle_ranks > 0)
    (void)printf("  %d of %d ranks will have no plane in physical space: the grid has fewer planes than ranks\n",
                 n.idle_ranks, ranks);
  print_warnings(&n);
  (void)printf("output\n");
  (void)snprintf(remark, sizeof remark, "%.0f written, newest %d retained", n.checkpoints, n.kept);
  print_size("a checkpoint", (double)n.checkpoint_bytes, remark);
  (void)snprintf(remark, sizeof remark, "%.0f planned", n.fields);
  if (n.fields > 0) print_size("a set of fields", (double)n.fields_bytes, remark);
  (void)snprintf(remark, sizeof remark, "%.0f planned", n.slices);
  if (n.slices > 0) print_size("a set of slices", (double)n.slices_bytes, remark);
  (void)snprintf(remark, sizeof remark, "%.0f planned", n.spectra);
  if (n.spectra > 0) print_size("a file of spectra", (double)n.spectra_bytes, remark);
  (void)snprintf(remark, sizeof remark, "%.0f planned", n.particles);
  if (n.particles > 0) print_size("a row of particles", n.particles_bytes, remark);
  print_size("total on disk, at most", n.total_bytes, "");
  double disk = free_disk(dir);
  if (disk >= 0) print_size("free disk", disk, "");
  if (disk >= 0 && n.total_bytes > disk && triad_case_is(c, "output.disk_check", "refuse"))
    return TRIAD_FAIL(
      TRIAD_ERR_IO,
      "the planned output does not fit on the disk: increase the intervals under [output], or use another --dir");
  if (memory > 0 && (double)n.rank.total * ranks > memory)
    (void)printf("note: together these ranks do not fit in the memory of this machine\n");
  return is_strict(&n, strict);
}

/* The values, and the warnings that a run would begin with. A file that is missing here, or a device, need not be
 * where the case runs. */
static int print_case(const triad_case *c, int ranks, int threads, int strict)
{
  triad_needs n = {0};
  char why[512];
  TRIAD_TRY(triad_case_write_resolved(c, stdout));
  if (triad_check(c, ranks, threads, &n) != TRIAD_OK) {
    triad_message_reason(why, sizeof why);
    triad_case_warn(&n.warnings, "this case cannot run: %s", why);
  }
  print_warnings(&n);
  return is_strict(&n, strict);
}

static void print_line(void *who, const char *line)
{
  (void)who;
  (void)printf("%s\n", line);
}

/* What was found in equations that are given as text. */
static int print_equations(const triad_case *c)
{
  const triad_solver *solver;
  TRIAD_TRY(triad_solver_find(&solver, c));
  if (solver->text) return solver->text->explain(c, print_line, NULL);
  return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                    "--equations is available for solver text: the equations of solver %s are built in",
                    triad_case_word(c, "equations.solver"));
}

typedef struct choices {
  int check, equations, strict, defaults, reference, manual, quantities, tables;
  const char *ranks, *threads, *dir, *keys, *init;
} choices;

static int read_case(const triad_arguments *a, triad_case **given)
{
  char *text = NULL;
  size_t length = 0;
  TRIAD_TRY(triad_case_load_text(a->words[0], &text, &length));
  int st = triad_case_parse(given, a->words[0], text, length, a->sets, a->n_sets);
  if (st == TRIAD_ERR_CASE && *given) {
    (void)fprintf(stderr, "%s", triad_case_errors(*given));
    triad_message_clear();
  }
  free(text);
  return st;
}

static int inspect(const triad_arguments *a, const choices *o)
{
  triad_case *given = NULL;
  int ranks = 1, threads = 1;
  if (o->ranks) TRIAD_TRY(triad_options_count("-n", o->ranks, &ranks));
  if (o->threads) TRIAD_TRY(triad_options_count("--threads", o->threads, &threads));
  int st = read_case(a, &given);
  char *own = triad_rundir_default(a->words[0]);
  const int given_threads = st == TRIAD_OK ? (int)triad_case_integer(given, "parallel.threads") : 0;
  if (!o->threads && given_threads > 0) threads = given_threads;
  if (st == TRIAD_OK && o->equations) st = print_equations(given);
  else if (st == TRIAD_OK && o->check)
    st = print_check(given, ranks, threads, o->dir ? o->dir : own ? own : ".", o->strict);
  else if (st == TRIAD_OK) st = print_case(given, ranks, threads, o->strict);
  free(own);
  triad_case_destroy(&given);
  return st;
}

/* The tables of all solvers' keys, in their order. */
static int list_tables(void)
{
  triad_schema *all;
  TRIAD_TRY(triad_schema_create(&all, NULL));
  for (int i = 0; i < all->n; i++) {
    const char *name = all->row[i].key->name;
    const size_t length = triad_schema_table_length(all->row[i].key);
    int keys = 1, first = 1;
    for (int j = 0; j < i; j++) first &= strncmp(all->row[j].key->name, name, length + 1) != 0;
    if (length == 0 || !first) continue;
    for (int j = i + 1; j < all->n; j++) {
      int again = strncmp(all->row[j].key->name, name, length + 1) != 0;
      for (int k = i; k < j && !again; k++) again = strcmp(all->row[k].key->name, all->row[j].key->name) == 0;
      keys += !again;
    }
    (void)printf("%-12.*s %4d key%s\n", (int)length, name, keys, keys == 1 ? "" : "s");
  }
  triad_schema_destroy(&all);
  (void)printf("triad case --keys NAME explains the keys of a table, or one key\n");
  return TRIAD_OK;
}

static int describe_keys(const char *prefix)
{
  int written = 0;
  triad_schema *all;
  TRIAD_TRY(triad_schema_write_help(stdout, prefix, &written));
  if (written > 0) return TRIAD_OK;
  TRIAD_TRY(triad_schema_create(&all, NULL));
  char table[128];
  const char *nearest = triad_schema_nearest(all, prefix);
  if (!nearest) nearest = triad_schema_nearest_table(all, prefix, table, sizeof table);
  triad_schema_destroy(&all);
  if (nearest) return TRIAD_FAIL(TRIAD_ERR_USAGE, "unknown key or table %.80s, did you mean %s?", prefix, nearest);
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "unknown key or table %.80s: triad case --defaults lists all", prefix);
}

/* A case for a mesh, by the family that has meshes. */
static int print_start(const char *path)
{
  const triad_solver *family;
  for (int i = 0; (family = triad_solver_family(i)) != NULL; i++)
    if (family->mesh) return family->mesh->print_case(stdout, path);
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "no solver of this build has meshes");
}

static int run_case(int argc, char **argv)
{
  choices o = {0};
  const triad_option table[] = {{"--check", NULL, &o.check},
                                {"--equations", NULL, &o.equations},
                                {"--defaults", NULL, &o.defaults},
                                {"--reference", NULL, &o.reference},
                                {"-n", &o.ranks, NULL},
                                {"--threads", &o.threads, NULL},
                                {"--dir", &o.dir, NULL},
                                {"--keys", &o.keys, &o.tables},
                                {"--init", &o.init, NULL},
                                {"--manual", NULL, &o.manual},
                                {"--quantities", NULL, &o.quantities},
                                {"--strict", NULL, &o.strict},
                                {NULL, NULL, NULL}};
  triad_arguments a;
  int st = triad_options_parse(argc, argv, table, &a);
  if (st == TRIAD_OK && o.defaults) st = triad_schema_write_defaults(stdout);
  else if (st == TRIAD_OK && o.reference) st = triad_schema_write_reference(stdout);
  else if (st == TRIAD_OK && o.manual) st = triad_schema_write_manual(stdout);
  else if (st == TRIAD_OK && o.quantities) st = triad_schema_write_quantities(stdout);
  else if (st == TRIAD_OK && o.tables) st = list_tables();
  else if (st == TRIAD_OK && o.keys) st = describe_keys(o.keys);
  else if (st == TRIAD_OK && o.init) st = print_start(o.init);
  else if (st == TRIAD_OK && (st = triad_options_words(&a, "case", 1, 1, "one case file")) == TRIAD_OK)
    st = inspect(&a, &o);
  st = triad_output_end(stdout, st);
  triad_message_print(-1);
  return st;
}

const triad_command triad_command_case = {
  .name = "case",
  .summary = "check a case, print its values and its resource estimate",
  .help =
    "Usage: triad case CASE.toml [--check [-n RANKS] [--threads T] [--dir DIR]] [--strict] [--set KEY=VALUE]...\n"
    "       triad case CASE.toml --equations [--set KEY=VALUE]...\n"
    "       triad case --init MESH > CASE.toml\n"
    "       triad case --defaults | --keys [NAME] | --quantities | --reference | --manual\n"
    "\n"
    "Checks the case and prints every value with its origin. All errors are reported together, with line and column.\n"
    "Values that would act differently from how they read are warnings.\n"
    "\n"
    "  --check            print the memory per rank, the volume of output and the free disk space instead\n"
    "  -n RANKS           number of MPI ranks for --check (default 1)\n"
    "  --threads T        number of threads per rank for --check (default parallel.threads, else 1)\n"
    "  --dir DIR          run directory for --check\n"
    "  --strict           treat warnings as errors (exit 65)\n"
    "  --equations        print what was found in equations given as text: terms, growth, transforms\n"
    "  --init MESH        print a case for a mesh file, to be completed; every patch is in it\n"
    "  --defaults         print a complete case: every key with its explanation and default\n"
    "  --keys NAME        explain a key, or all keys of a table, for example --keys initial\n"
    "  --keys             list the tables of keys\n"
    "  --quantities       list the quantities that slices can show, with units\n"
    "  --reference        print the reference of all keys as Markdown\n"
    "  --manual           print the reference as the manual page triad-case(5)\n"
    "  --set KEY=VALUE    change a key of the case\n",
  .alone = 1,
  .run = run_case};
