/* The command `triad new`: write a commented case from a template, for a Reynolds number and a machine. */
#include "command/command.h"
#include "command/new/ask.h"
#include "command/new/choose.h"
#include "command/options.h"

#include "base/output.h"
#include "base/size.h"
#include "base/status.h"
#include "base/text.h"
#include "case/case.h"
#include "parallel/host/host_memory.h"
#include "run/check.h"
#include "store/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Options that give the value of a template; a template names one of them. */
static const char *const value_names[] = {"re", "re-lambda", "re-tau", "points"};
enum { VALUES = sizeof value_names / sizeof *value_names };

typedef struct choices {
  const char *values[VALUES], *mesh, *memory, *minutes, *rate, *out;
  int list, force;
} choices;

typedef struct maker {
  const choices *options;
  triad_template all[TRIAD_TEMPLATES];
  int count;
  const triad_template *t;
  triad_new_wish wish;
  triad_new_size size;
  char mesh[PATH_MAX], out[1024], command[512];
} maker;

static void list_templates(const maker *m)
{
  const char *flow = "";
  for (int i = 0; i < m->count; i++) {
    const triad_template *t = &m->all[i];
    if (strcmp(flow, t->flow) != 0) (void)printf("%s\n", t->flow);
    flow = t->flow;
    (void)printf("  %-24s %-13s --%-10s %s\n", t->name, t->solver, t->asks, t->computes);
  }
}

static int find_template(maker *m, const char *name)
{
  const char *names[TRIAD_TEMPLATES];
  for (int i = 0; i < m->count; i++) {
    names[i] = m->all[i].name;
    if (strcmp(name, names[i]) == 0) m->t = &m->all[i];
  }
  if (m->t) return TRIAD_OK;
  int nearest = triad_nearest(name, names, m->count);
  if (nearest >= 0)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "unknown template %.80s, did you mean %s?", name, names[nearest]);
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "unknown template %.80s: triad new --list prints all", name);
}

/* ---- options ---- */

static int read_positive(const char *name, const char *text, double *value)
{
  if (!text) return TRIAD_OK;
  *value = triad_positive_of(text);
  return *value > 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_USAGE, "%s %.40s: must be a number above 0", name, text);
}

static int check_value(const triad_template *t, double value)
{
  if (value >= t->least && value <= t->most) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "--%s %g: template %s is made for %g to %g", t->asks, value, t->name, t->least,
                    t->most);
}

/* The value that this template asks for; another one is an error, except the number of points, which any accepts. */
static int read_value(maker *m)
{
  const triad_template *t = m->t;
  for (int i = 0; i < VALUES; i++) {
    int is_points = strcmp(value_names[i], "points") == 0;
    char name[32];
    double value = 0;
    (void)snprintf(name, sizeof name, "--%s", value_names[i]);
    if (!m->options->values[i]) continue;
    TRIAD_TRY(read_positive(name, m->options->values[i], &value));
    if (strcmp(t->asks, value_names[i]) == 0) {
      TRIAD_TRY(check_value(t, value));
      m->wish.value = value;
    } else if (is_points && !triad_template_asks_mesh(t)) {
      m->wish.points = value <= TRIAD_TEMPLATE_POINTS ? (int64_t)value : 0;
      if ((double)m->wish.points != value || m->wish.points % t->multiple != 0 || m->wish.points < t->least_n)
        return TRIAD_FAIL(TRIAD_ERR_USAGE, "--points %.40s: must be a multiple of %d, from %d to %d",
                          m->options->values[i], t->multiple, t->least_n, TRIAD_TEMPLATE_POINTS);
    } else
      return TRIAD_FAIL(TRIAD_ERR_USAGE, "%s does not apply to template %s, which is specified by --%s", name, t->name,
                        t->asks);
  }
  return TRIAD_OK;
}

static int read_mesh(maker *m, const char *path)
{
  if (!triad_template_asks_mesh(m->t))
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--mesh does not apply to template %s", m->t->name);
  if (!realpath(path, m->mesh)) return TRIAD_FAIL(TRIAD_ERR_INPUT, "--mesh %.300s: %s", path, strerror(errno));
  for (const char *c = m->mesh; *c; c++)
    if ((unsigned char)*c < ' ' || strchr("\"\\", *c))
      return TRIAD_FAIL(TRIAD_ERR_USAGE, "--mesh %.300s: the path must not contain quotes or backslashes", path);
  m->wish.mesh = m->mesh;
  return TRIAD_OK;
}

static int read_machine(maker *m)
{
  const choices *o = m->options;
  double minutes = 0;
  if (o->memory && (m->wish.memory = triad_bytes_of(o->memory)) <= 0)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--memory %.40s: must be a size with a unit, such as 8GB", o->memory);
  TRIAD_TRY(read_positive("--minutes", o->minutes, &minutes));
  m->wish.seconds = 60 * minutes;
  if (o->rate && m->t && triad_template_asks_mesh(m->t))
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--rate does not apply to template %s: its steps are measured", m->t->name);
  return read_positive("--rate", o->rate, &m->wish.rate);
}

/* ---- questions ---- */

static int ask_template(maker *m)
{
  const char *flows[TRIAD_TEMPLATES], *names[TRIAD_TEMPLATES];
  int n_flows = 0, n = 0, first = 0, flow, i;
  list_templates(m);
  for (i = 0; i < m->count; i++)
    if (n_flows == 0 || strcmp(flows[n_flows - 1], m->all[i].flow) != 0) flows[n_flows++] = m->all[i].flow;
  TRIAD_TRY(triad_ask_which("Which flow: box, walls, body, gas or mesh?", flows, n_flows, &flow));
  for (i = 0; i < m->count; i++) {
    if (strcmp(m->all[i].flow, flows[flow]) != 0) continue;
    if (n == 0) first = i;
    names[n++] = m->all[i].name;
    (void)printf("  %d %s: %s\n", n, m->all[i].name, m->all[i].computes);
  }
  i = 0;
  if (n > 1) TRIAD_TRY(triad_ask_which("Which case?", names, n, &i));
  m->t = &m->all[first + i];
  return TRIAD_OK;
}

static int ask_mesh(maker *m)
{
  char answer[PATH_MAX];
  TRIAD_TRY(triad_ask("Mesh file (docs/mesh-files.md lists the formats)", "mesh.msh", answer, sizeof answer));
  return read_mesh(m, answer);
}

static int ask_machine(maker *m)
{
  char answer[64], preset[32], size[32];
  int64_t total, left = triad_host_memory_group_left("/proc/self/cgroup", "/sys/fs/cgroup");
  int64_t available = triad_host_memory_available("/proc/meminfo", &total);
  if (left >= 0 && left < available) available = left;
  (void)snprintf(preset, sizeof preset, "%s", triad_size_text(size, available > 0 ? 0.5 * (double)available : 1e9));
  for (;;) {
    TRIAD_TRY(triad_ask("How large may it be: memory, such as 8 GB, or time on this machine, such as 10 minutes",
                        preset, answer, sizeof answer));
    m->wish.memory = triad_bytes_of(answer);
    m->wish.seconds = triad_seconds_of(answer);
    if (m->wish.memory > 0 || m->wish.seconds > 0) return TRIAD_OK;
    (void)printf("  %.40s has no unit: use MB, GB, minutes or hours\n", answer);
  }
}

static int ask_value(maker *m)
{
  const triad_template *t = m->t;
  char question[256], preset[32], answer[64];
  int64_t n;
  double largest = t->most;
  if (m->wish.seconds > 0 && m->wish.rate <= 0) {
    (void)printf("  timing some steps on this machine ..\n");
    (void)fflush(stdout);
  }
  TRIAD_TRY(triad_new_limit(t, &m->wish, &n));
  if (n < INT64_MAX) TRIAD_TRY(triad_template_largest(t, n, &largest));
  (void)snprintf(question, sizeof question, "%s, from %g to %g", t->words, t->least, largest);
  (void)snprintf(preset, sizeof preset, "%g", t->usual < largest ? t->usual : largest);
  for (;;) {
    TRIAD_TRY(triad_ask(question, preset, answer, sizeof answer));
    m->wish.value = triad_positive_of(answer);
    if (m->wish.value >= t->least && m->wish.value <= largest) return TRIAD_OK;
    (void)printf("  %.40s is outside this range\n", answer);
  }
}

/* What is missing for a script: nobody can be asked. */
static int check_given(const maker *m)
{
  const triad_template *t = m->t;
  int sized = m->wish.memory > 0 || m->wish.seconds > 0 || m->wish.points > 0 || m->wish.value > 0;
  if (!t)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "missing: a template (triad new --list prints them), and its Reynolds number, "
                                       "--memory or --minutes; standard input is not a terminal, so no question is "
                                       "asked");
  if (triad_template_asks_mesh(t) && !m->wish.mesh) return TRIAD_FAIL(TRIAD_ERR_USAGE, "missing: --mesh FILE");
  if (sized || triad_template_asks_mesh(t)) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_USAGE,
                    "missing: --%s NUMBER (%s), --memory SIZE or --minutes M; standard input is not a terminal, so no "
                    "question is asked",
                    t->asks, t->words);
}

static int ask_rest(maker *m)
{
  int sized = m->wish.memory > 0 || m->wish.seconds > 0;
  int asks_mesh = triad_template_asks_mesh(m->t);
  if (asks_mesh && !m->wish.mesh) TRIAD_TRY(ask_mesh(m));
  if (asks_mesh || m->wish.value > 0 || m->wish.points > 0) return TRIAD_OK;
  if (!sized) TRIAD_TRY(ask_machine(m));
  return ask_value(m);
}

/* ---- the file ---- */

/* It must not exist, except with --force; "-" is the standard output. */
static int check_out(const maker *m)
{
  if (strcmp(m->out, "-") == 0 || m->options->force || access(m->out, F_OK) != 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "%.300s already exists: use --force to replace it, or another --out", m->out);
}

static int choose_out(maker *m, int terminal)
{
  char preset[128];
  (void)snprintf(preset, sizeof preset, "%s.toml", m->t->name);
  (void)snprintf(m->out, sizeof m->out, "%s", m->options->out ? m->options->out : preset);
  if (!terminal || m->options->out) return check_out(m);
  for (;;) {
    TRIAD_TRY(triad_ask("File to write", preset, m->out, sizeof m->out));
    if (check_out(m) == TRIAD_OK) return TRIAD_OK;
    triad_message_clear();
    (void)printf("  %.200s already exists\n", m->out);
  }
}

static int replace_file(const char *path, const char *text)
{
  char folder[TRIAD_PATH];
  const char *name;
  TRIAD_TRY(triad_path_split(path, folder, &name));
  return triad_disk_replace(folder, name, text, (int64_t)strlen(text));
}

/* A file that exists is replaced with --force only, in one piece. */
static int write_file(const maker *m, const char *text)
{
  if (m->options->force) return replace_file(m->out, text);
  int fd = open(m->out, O_WRONLY | O_CREAT | O_CLOEXEC | O_EXCL, 0666);
  if (fd < 0 && errno == EEXIST) return check_out(m);
  FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (!f) {
    int why = errno;
    if (fd >= 0) (void)close(fd);
    return TRIAD_FAIL(TRIAD_ERR_IO, "%.300s: %s", m->out, strerror(why));
  }
  int failed = fputs(text, f) < 0;
  if (fclose(f)) failed = 1;
  return failed ? TRIAD_FAIL(TRIAD_ERR_IO, "%.300s: writing failed", m->out) : TRIAD_OK;
}

/* As a comment: the time, and where it comes from. */
static void describe_time(const maker *m, char *text, size_t size)
{
  char duration[32];
  const triad_new_wish *w = &m->wish;
  const triad_template_numbers *o = &m->size.numbers;
  if (m->size.seconds <= 0) {
    (void)snprintf(text, size, "unknown: %s", *w->why ? w->why : "not measured");
    return;
  }
  int n = snprintf(text, size, "about %s: %.0f steps of %.2g s", triad_new_duration(duration, m->size.seconds),
                   o->steps, m->size.seconds / o->steps);
  if (triad_template_asks_mesh(m->t)) return;
  if (w->threads > 0)
    (void)snprintf(text + n, size - (size_t)n, ", measured here: %.3g million cell steps per second on %d thread%s",
                   1e-6 * w->rate, w->threads, w->threads == 1 ? "" : "s");
  else (void)snprintf(text + n, size - (size_t)n, ", at %.3g million cell steps per second", 1e-6 * w->rate);
}

/* What twice the points along an edge would allow and cost. */
static int describe_grown(maker *m, char *text, size_t size)
{
  triad_new_size twice = {.value = 0};
  char bytes[32], duration[32];
  const triad_template *t = m->t;
  *text = '\0';
  if (triad_template_asks_mesh(t)) return TRIAD_OK;
  int64_t n = triad_template_round_up(t, 2 * (double)m->size.numbers.n);
  TRIAD_TRY(triad_template_largest(t, n, &twice.value));
  TRIAD_TRY(triad_template_compute(t, twice.value, n, &twice.numbers));
  TRIAD_TRY(triad_new_cost(t, &m->wish, &twice));
  (void)snprintf(text, size, "--%s %g, %lld points along an edge: %s%s%s", t->asks, twice.value, (long long)n,
                 triad_size_text(bytes, twice.bytes), twice.seconds > 0 ? ", about " : "",
                 twice.seconds > 0 ? triad_new_duration(duration, twice.seconds) : "");
  return TRIAD_OK;
}

/* The options that give this case again. */
static void describe_command(maker *m)
{
  int n = snprintf(m->command, sizeof m->command, "triad new %s", m->t->name);
  if (triad_template_asks_mesh(m->t)) (void)snprintf(m->command + n, sizeof m->command - (size_t)n, " --mesh FILE");
  else n += snprintf(m->command + n, sizeof m->command - (size_t)n, " --%s %g", m->t->asks, m->size.value);
  if (m->wish.points > 0)
    (void)snprintf(m->command + n, sizeof m->command - (size_t)n, " --points %lld", (long long)m->wish.points);
}

/* The path of the mesh in a case at m->out: as given if both are relative to this folder. */
static const char *mesh_in_case(const maker *m)
{
  const char *given = m->options->mesh;
  return given && given[0] != '/' && !strchr(m->out, '/') && strcmp(m->out, "-") != 0 ? given : m->wish.mesh;
}

static void summarise(const maker *m, const char *memory, const char *time)
{
  FILE *to = strcmp(m->out, "-") == 0 ? stderr : stdout;
  const triad_template_numbers *o = &m->size.numbers;
  (void)fprintf(to, "%s: %s\n", m->out, m->t->computes);
  if (!triad_template_asks_mesh(m->t)) {
    (void)fprintf(to, "  %-10s %g (%s)\n", m->t->asks, m->size.value, m->t->words);
    (void)fprintf(to, "  %-10s %lld along an edge, %.3g in all\n", "points", (long long)o->n, o->cells);
  }
  (void)fprintf(to, "  %-10s %s\n  %-10s %s\n", "memory", memory, "time", time);
  if (o->required > (double)o->n && !triad_template_asks_mesh(m->t))
    (void)fprintf(to, "  note: --%s %g requires %.0f points along an edge\n", m->t->asks, m->size.value, o->required);
  if (to == stdout) (void)fprintf(to, "  next       triad case %s --check; triad run %s\n", m->out, m->out);
}

static int write_case(maker *m)
{
  char memory[32], time[512], grown[256], *text = NULL;
  TRIAD_TRY(describe_grown(m, grown, sizeof grown));
  describe_command(m);
  describe_time(m, time, sizeof time);
  (void)triad_size_text(memory, m->size.bytes);
  triad_template_texts texts = {
    .memory = memory, .time = time, .grown = grown, .command = m->command, .mesh = mesh_in_case(m)};
  TRIAD_TRY(triad_template_write(m->t, &m->size.numbers, &texts, &text));
  int st = TRIAD_OK;
  if (strcmp(m->out, "-") == 0) (void)fputs(text, stdout);
  else st = write_file(m, text);
  if (st == TRIAD_OK) summarise(m, memory, time);
  free(text);
  return st;
}

static int make_case(maker *m, const triad_arguments *a)
{
  int terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  if (a->n_sets > 0)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "triad new does not accept --set: edit the case, or use --set with triad run");
  TRIAD_TRY(triad_templates_read(m->all, &m->count));
  if (m->options->list) {
    list_templates(m);
    return TRIAD_OK;
  }
  TRIAD_TRY(triad_options_words(a, "new", 0, 1, "one template"));
  if (a->n_words == 1) TRIAD_TRY(find_template(m, a->words[0]));
  if (!m->t) TRIAD_TRY(terminal ? ask_template(m) : check_given(m));
  TRIAD_TRY(read_value(m));
  TRIAD_TRY(read_machine(m));
  if (m->options->mesh) TRIAD_TRY(read_mesh(m, m->options->mesh));
  TRIAD_TRY(terminal ? ask_rest(m) : check_given(m));
  TRIAD_TRY(choose_out(m, terminal));
  TRIAD_TRY(triad_new_choose(m->t, &m->wish, &m->size));
  return write_case(m);
}

static int run_new(int argc, char **argv)
{
  choices o = {0};
  const triad_option table[] = {
    {"--re", &o.values[0], NULL},     {"--re-lambda", &o.values[1], NULL}, {"--re-tau", &o.values[2], NULL},
    {"--points", &o.values[3], NULL}, {"--mesh", &o.mesh, NULL},           {"--memory", &o.memory, NULL},
    {"--minutes", &o.minutes, NULL},  {"--rate", &o.rate, NULL},           {"--out", &o.out, NULL},
    {"--force", NULL, &o.force},      {"--list", NULL, &o.list},           {NULL, NULL, NULL}};
  triad_arguments a;
  maker *m = calloc(1, sizeof *m);
  int st = m ? triad_options_parse(argc, argv, table, &a) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "templates");
  if (st == TRIAD_OK) {
    m->options = &o;
    st = make_case(m, &a);
  }
  free(m);
  st = triad_output_end(stdout, st);
  triad_message_print(-1);
  return st;
}

const triad_command triad_command_new = {
  .name = "new",
  .summary = "write a commented case from a template",
  .help =
    "Usage: triad new [TEMPLATE] [--re R | --re-lambda R | --re-tau R | --points N] [--memory SIZE] [--minutes M]\n"
    "                 [--out FILE] [--force]\n"
    "       triad new --list\n"
    "\n"
    "Writes a commented case for a Reynolds number and a machine, and prints its memory and the time of its run. "
    "On a\n"
    "terminal, missing answers are asked for. Without a Reynolds number, the largest one is chosen that memory "
    "and time\n"
    "allow. Times are estimates: the number of steps is a formula, and the time of a step is scaled from a few "
    "steps on\n"
    "a small grid.\n"
    "\n"
    "  --list           print the templates: name, solver, option of the Reynolds number, what is computed\n"
    "  --re R           Reynolds number, for templates that are specified by it\n"
    "  --re-lambda R    Taylor-scale Reynolds number, likewise\n"
    "  --re-tau R       friction Reynolds number, likewise\n"
    "  --points N       points along an edge, in place of those that the Reynolds number requires\n"
    "  --mesh FILE      mesh file of template mesh-file\n"
    "  --memory SIZE    memory of all ranks, such as 8GB\n"
    "  --minutes M      time of the run on this machine\n"
    "  --rate R         speed of the machine in cell steps per second (default: measured in a few seconds)\n"
    "  --out FILE       file to write (default: TEMPLATE.toml); - is the standard output\n"
    "  --force          replace an existing file\n",
  .alone = 1,
  .run = run_new};
