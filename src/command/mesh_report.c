/* Print what the mesh of a file is (mesh_report.h). */
#include "command/mesh_report.h"

#include "base/status.h"
#include "base/text.h"
#include "mesh/quality.h"
#include "mesh/read/formats.h"
#include "mesh/read/source.h"
#include "mesh/sizes.h"

#include <inttypes.h>
#include <string.h>

int triad_mesh_report_is(const char *path, int unless_case)
{
  const triad_mesh_format *format;
  const size_t n = strlen(path);
  const int is_case = n > 5 && strcmp(path + n - 5, ".toml") == 0;
  if (is_case || unless_case) return !is_case;
  const int st = triad_mesh_format_find(&format, path);
  if (st != TRIAD_OK) triad_message_clear();
  return st == TRIAD_OK;
}

int triad_mesh_report_read(triad_mesh **mesh, triad_memory *memory, const char *path)
{
  triad_mesh_source source = {.find_pairs = NULL};
  *mesh = NULL;
  TRIAD_TRY(triad_disk_path(source.file, "%s", path));
  int st = triad_mesh_source_mesh(mesh, memory, &source);
  if (st == TRIAD_OK) st = triad_mesh_measure(*mesh);
  return st;
}

static void print_changes(FILE *out, const triad_mesh_changes *c)
{
  if (c->plane > 0)
    (void)fprintf(out,
                  "  plane               %" PRId64
                  " cells, extruded by one layer of thickness %.9g along %c, with patches back and front\n",
                  c->plane, c->layer, "xyz"[c->axis]);
  if (c->curved > 0)
    (void)fprintf(out, "  curved cells        %" PRId64 ", of which only the corners are used\n", c->curved);
  if (c->reversed > 0)
    (void)fprintf(out, "  left-handed cells   %" PRId64 ", whose corners were reordered\n", c->reversed);
  if (c->note[0]) (void)fprintf(out, "  note                %s\n", c->note);
}

static void print_shapes(FILE *out, const triad_mesh_quality *q, const triad_mesh *m)
{
  (void)fprintf(out, "  cells               %" PRId64 ":", m->n_cells);
  for (int s = 0, n = 0; s < TRIAD_MESH_SHAPES; s++)
    if (q->shapes[s] > 0)
      (void)fprintf(out, "%s %" PRId64 " %s", n++ > 0 ? "," : "", q->shapes[s],
                    q->shapes[s] == 1 ? triad_mesh_shapes[s].name : triad_mesh_shapes[s].names);
  (void)fprintf(out,
                "\n  points              %" PRId64 "\n  faces               %" PRId64 ", of them %" PRId64
                " on the boundary\n",
                m->n_points, m->n_faces, m->n_faces - m->n_inner);
}

static void print_measure(FILE *out, const triad_mesh *m, const char *name, const triad_mesh_measured *q,
                          const char *unit)
{
  char text[TRIAD_MESH_CELL_TEXT];
  if (q->cell < 0) return;
  triad_mesh_describe(m, q->cell, text);
  (void)fprintf(out, "  %-19s mean %.4g%s, worst %.4g%s at %s\n", name, q->mean, unit, q->worst, unit, text);
}

static void print_patches(FILE *out, const triad_mesh *m, const triad_mesh_quality *q)
{
  int width = 12;
  for (int p = 0; p < m->n_patches; p++)
    if ((int)strlen(m->patch_name[p]) > width) width = (int)strlen(m->patch_name[p]);
  for (int p = 0; p < m->n_patches; p++)
    (void)fprintf(out, "  patch %-*s  %" PRId64 " faces, area %.9g\n", width, m->patch_name[p], q->faces[p],
                  q->area[p]);
  for (int i = 0; i < m->n_inside; i++)
    (void)fprintf(out, "  inside %s: %" PRId64 " faces between cells, which are no boundary%s\n", m->inside[i].name,
                  m->inside[i].faces, m->inside[i].skipped ? ": no patch" : "");
}

int triad_mesh_report_print(FILE *out, const triad_mesh *m, const char *path)
{
  const triad_mesh_format *format;
  triad_mesh_quality q;
  TRIAD_TRY(triad_mesh_format_find(&format, path));
  triad_mesh_quality_of(m, &q);
  (void)fprintf(out, "%s: a mesh of %s\n", path, format->name);
  print_shapes(out, &q, m);
  print_changes(out, &m->changes);
  (void)fprintf(out, "  extent              %.9g x %.9g x %.9g, from (%.9g, %.9g, %.9g)\n", q.high[0] - q.low[0],
                q.high[1] - q.low[1], q.high[2] - q.low[2], q.low[0], q.low[1], q.low[2]);
  (void)fprintf(out, "  volume              %.12g, of a cell %.6g to %.6g\n", q.volume, q.smallest, q.largest);
  print_patches(out, m, &q);
  print_measure(out, m, "non-orthogonality", &q.non_orthogonality, " degrees");
  print_measure(out, m, "skewness", &q.skewness, "");
  print_measure(out, m, "aspect ratio", &q.aspect, "");
  print_measure(out, m, "volume ratio", &q.growth, "");
  return TRIAD_OK;
}
