/* triad bench --machine: the machine file that triad plan reads. */
#include "command/tune/machine.h"

#include "base/version.h"
#include "parallel/device.h"
#include "run/bench/machine.h"
#include "store/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int lengths_of(const char *list, triad_machine_options *o)
{
  for (const char *at = list; at && *at;) {
    char *end = NULL;
    const long length = strtol(at, &end, 10);
    int rises = o->n_lengths == 0 || length > o->length[o->n_lengths - 1];
    if (end == at || (*end && *end != ',') || (*end == ',' && !end[1]) || length < 4 || length > 65536 || !rises ||
        o->n_lengths == TRIAD_MACHINE_LENGTHS)
      return TRIAD_FAIL(TRIAD_ERR_USAGE,
                        "--lengths %.80s: give at most %d increasing numbers of points, at least 4, such as 64,96,128",
                        list, TRIAD_MACHINE_LENGTHS);
    o->length[o->n_lengths++] = length;
    at = *end ? end + 1 : end;
  }
  return list && o->n_lengths == 0 ? TRIAD_FAIL(TRIAD_ERR_USAGE, "--lengths: give numbers of points, such as 64,96,128")
                                   : TRIAD_OK;
}

static int write(const char *out, const triad_machine *m, int ranks)
{
  char how[160], folder[TRIAD_PATH], *text = NULL;
  (void)snprintf(how, sizeof how, "Written by triad %.40s bench --machine on %d rank%s.", triad_version(), ranks,
                 ranks == 1 ? "" : "s");
  const char *name;
  TRIAD_TRY(triad_path_split(out ? out : "", folder, &name));
  TRIAD_TRY(triad_machine_text(m, how, &text));
  int st = TRIAD_OK;
  if (!out || strcmp(out, "-") == 0) (void)fputs(text, stdout);
  else st = triad_disk_replace_shared(folder, name, text, (int64_t)strlen(text));
  free(text);
  return st;
}

int triad_machine_command(triad_session *s, const char *out, const char *lengths)
{
  char folder[TRIAD_PATH], bus[TRIAD_DEVICE_BUS];
  triad_machine *m = calloc(1, sizeof *m);
  triad_machine_options o = {.folder = folder, .log = s->log, .gpu = triad_device_built() && triad_device_count() > 0};
  const char *name;
  int st = m ? triad_path_split(out ? out : "", folder, &name) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a machine");
  if (st == TRIAD_OK) st = lengths_of(lengths, &o);
  if (st == TRIAD_OK && out && strcmp(out, "-") != 0) st = triad_disk_make_folder(folder);
  st = triad_agree(&s->comm, st);
  if (st == TRIAD_OK) st = triad_context_create(&s->context, s->comm.mpi, triad_binding_threads(s->binding));
  if (st == TRIAD_OK) {
    s->context->gpu = o.gpu ? 0 : -1;
    m->cores = triad_binding_place(s->binding)->node_cores;
    triad_binding_node(s->binding, m->name, sizeof m->name);
    if (o.gpu && triad_device_describe(0, m->gpu_name, bus)) m->gpus = triad_device_count();
    st = triad_machine_measure(s->context, &o, m);
  }
  if (st == TRIAD_OK) st = triad_agree(&s->comm, s->comm.rank == 0 ? write(out, m, s->comm.size) : TRIAD_OK);
  free(m);
  return st;
}
