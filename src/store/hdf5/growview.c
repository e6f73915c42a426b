/* Write the file that shows the rows of all parts as virtual datasets, and its XDMF description. */
#include "store/hdf5/growview.h"

#include "store/hdf5/h5file.h"
#include "store/hdf5/growsize.h"
#include "store/hdf5/h5scale.h"

#include <stdio.h>
#include <stdlib.h>

int triad_growview_parts(const triad_growfile *f)
{
  int64_t first;
  int n = 0;
  while ((void)triad_growfile_capacity(f, n, &first), first < f->rows) n++;
  return n;
}

static void find_parts(const triad_growfile *f, int n, triad_h5_part *parts)
{
  for (int i = 0; i < n; i++) {
    triad_h5_part *p = &parts[i];
    p->capacity = triad_growfile_capacity(f, i, &p->first);
    p->rows = f->rows - p->first < p->capacity ? f->rows - p->first : p->capacity;
    (void)snprintf(p->file, sizeof p->file, "%s.%04d.h5", f->name, i);
  }
}

static int put_set(const triad_growfile *f, triad_h5 *file, int i, int n, const triad_h5_part *parts)
{
  const char *const scale[4] = {"t", "id", "component", "direction"};
  const triad_growfile_set *s = &f->set[i];
  int64_t dims[4];
  int n_dims = triad_growfile_dims(f, i, f->rows, dims);
  TRIAD_TRY(triad_h5_put_virtual(file, s->name, 0, n_dims, dims, n, parts));
  TRIAD_TRY(triad_h5_text(file, s->name, "units", s->unit));
  TRIAD_TRY(triad_h5_text(file, s->name, "long_name", s->long_name));
  return triad_h5_use_scales(file, s->name, n_dims, scale);
}

static int fill_file(const triad_growfile *f, triad_h5 *file, int n, const triad_h5_part *parts,
                     const triad_notes *notes)
{
  static const char *const axis[2] = {"component", "direction"}, *const time[1] = {"t"};
  static const int32_t axes[3] = {0, 1, 2};
  const int64_t three = 3;
  triad_h5_part ids = parts[0];
  ids.first = 0;
  ids.rows = ids.capacity = f->lines;
  TRIAD_TRY(triad_h5_put_doubles(file, "t", 1, &f->rows, f->t));
  TRIAD_TRY(triad_h5_text(file, "t", "units", "T"));
  TRIAD_TRY(triad_h5_text(file, "t", "long_name", "time"));
  TRIAD_TRY(triad_h5_make_scale(file, "t"));
  TRIAD_TRY(triad_h5_put_longs(file, "step", 1, &f->rows, f->step));
  TRIAD_TRY(triad_h5_use_scales(file, "step", 1, time));
  for (int i = 0; i < 2; i++) {
    TRIAD_TRY(triad_h5_put_integers(file, axis[i], 1, &three, axes));
    TRIAD_TRY(triad_h5_text(file, axis[i], "long_name", "x, y, z"));
    TRIAD_TRY(triad_h5_make_scale(file, axis[i]));
  }
  TRIAD_TRY(triad_h5_put_virtual(file, "id", 1, 1, &f->lines, 1, &ids));
  TRIAD_TRY(triad_h5_make_scale(file, "id"));
  TRIAD_TRY(triad_h5_put_notes(file, "notes", notes));
  for (int i = 0; i < f->n; i++) TRIAD_TRY(put_set(f, file, i, n, parts));
  return TRIAD_OK;
}

int triad_growview_write(const triad_growfile *f, const triad_notes *notes)
{
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_h5 *file;
  const int n = triad_growview_parts(f);
  triad_h5_part *parts = malloc((size_t)n * sizeof *parts);
  int st = parts ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "files of rows");
  if (st == TRIAD_OK) st = triad_disk_path(temporary, "%s/.tmp-%s.h5", f->folder, f->name);
  if (st == TRIAD_OK) st = triad_disk_path(final, "%s/%s.h5", f->folder, f->name);
  if (st == TRIAD_OK) st = triad_disk_remove(temporary);
  if (st == TRIAD_OK) st = triad_h5_create(&file, temporary);
  if (st == TRIAD_OK) {
    find_parts(f, n, parts);
    st = triad_h5_close(&file, fill_file(f, file, n, parts, notes));
    if (st == TRIAD_OK) st = triad_disk_commit(temporary, final);
  }
  free(parts);
  return st;
}

/* Points of row i, their first dataset being positions, and the others of them. */
static void put_grid(FILE *out, const triad_growfile *f, int64_t i)
{
  (void)fprintf(out,
                "   <Grid Name=\"%s\">\n    <Time Value=\"%.17g\"/>\n"
                "    <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%lld\" NodesPerElement=\"1\"/>\n",
                f->name, f->t[i], (long long)f->lines);
  for (int s = 0; s < f->n; s++) {
    int64_t dims[4], w = 1;
    int n = triad_growfile_dims(f, s, f->rows, dims);
    for (int k = 2; k < n; k++) w *= dims[k];
    if (s == 0) (void)fputs("    <Geometry GeometryType=\"XYZ\">\n", out);
    else
      (void)fprintf(out, "    <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">\n", f->set[s].name,
                    w == 9   ? "Tensor"
                    : w == 3 ? "Vector"
                             : "Scalar");
    (void)fprintf(out, "     <DataItem ItemType=\"HyperSlab\" Dimensions=\"%lld", (long long)f->lines);
    for (int k = 2; k < n; k++) (void)fprintf(out, " %lld", (long long)dims[k]);
    (void)fprintf(out, "\">\n      <DataItem Dimensions=\"3 %d\" Format=\"XML\">%lld", n, (long long)i);
    for (int k = 1; k < n; k++) (void)fputs(" 0", out);
    for (int k = 0; k < n; k++) (void)fputs(" 1", out);
    (void)fputs(" 1", out);
    for (int k = 1; k < n; k++) (void)fprintf(out, " %lld", (long long)dims[k]);
    (void)fputs("</DataItem>\n      <DataItem NumberType=\"Float\" Precision=\"8\" Format=\"HDF\" Dimensions=\"", out);
    for (int k = 0; k < n; k++) (void)fprintf(out, "%s%lld", k ? " " : "", (long long)dims[k]);
    (void)fprintf(out, "\">%s.h5:/%s</DataItem>\n     </DataItem>\n    </%s>\n", f->name, f->set[s].name,
                  s == 0 ? "Geometry" : "Attribute");
  }
  (void)fputs("   </Grid>\n", out);
}

int triad_growview_xdmf(const triad_growfile *f)
{
  char name[96], *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s.xmf", f->name);
  (void)fprintf(out,
                "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n <Domain>\n"
                "  <Grid Name=\"%s\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                f->name);
  for (int64_t i = 0; i < f->rows; i++) put_grid(out, f, i);
  (void)fputs("  </Grid>\n </Domain>\n</Xdmf>\n", out);
  int good = !ferror(out);
  good &= fclose(out) == 0;
  (void)snprintf(name, sizeof name, "%s.xmf", f->name);
  int st = good ? triad_disk_replace(f->folder, name, text, (int64_t)size) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", name);
  free(text);
  return st;
}
