/* Write the XDMF file that lists a folder's VTKHDF files with their times (vtkhdf.h). */
#include "mesh/write/xdmf.h"
#include "mesh/write/vtkhdf.h"

#include "base/status.h"
#include "store/disk.h"
#include "store/formats/moments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void write_attribute(FILE *to, const triad_field_info *field, const char *name, int64_t cells, int element)
{
  (void)fprintf(
    to,
    "        <Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Cell\"><DataItem Dimensions=\"%" PRId64
    "\" NumberType=\"Float\" Precision=\"%d\" Format=\"HDF\">%s:/VTKHDF/CellData/%s</DataItem></Attribute>\n",
    field->name, cells, element, name, field->name);
}

static void write_time(FILE *to, const triad_vtkhdf_size *size, const triad_field_info *fields, int n_fields,
                       int element, int64_t step, double t)
{
  char name[64];
  (void)snprintf(name, sizeof name, "fields-%08" PRId64 ".vtkhdf", step);
  (void)fprintf(to, "      <Grid Name=\"%" PRId64 "\" GridType=\"Uniform\">\n        <Time Value=\"%.17g\"/>\n", step,
                t);
  (void)fprintf(to,
                "        <Topology TopologyType=\"Mixed\" NumberOfElements=\"%" PRId64
                "\"><DataItem Dimensions=\"%" PRId64
                "\" NumberType=\"Int\" Precision=\"8\" Format=\"HDF\">%s:/Xdmf</DataItem></Topology>\n",
                size->cells, size->corners + size->cells, name);
  (void)fprintf(to,
                "        <Geometry GeometryType=\"XYZ\"><DataItem Dimensions=\"%" PRId64 " 3\" NumberType=\"Float\" "
                "Precision=\"8\" Format=\"HDF\">%s:/VTKHDF/Points</DataItem></Geometry>\n",
                size->points, name);
  for (int f = 0; f < n_fields; f++) write_attribute(to, &fields[f], name, size->cells, element);
  (void)fprintf(to, "      </Grid>\n");
}

static int put_text_file(const char *folder, const char *name, char *text, size_t size, int good)
{
  int st = good ? triad_disk_replace(folder, name, text, (int64_t)size) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", name);
  free(text);
  return st;
}

int triad_vtkhdf_collect(const char *folder, const triad_vtkhdf_size *size, const triad_field_info *fields,
                         int n_fields, int element, int64_t step, double t)
{
  triad_moment *list = NULL;
  int64_t n = 0;
  char *times = NULL, *xmf = NULL;
  size_t times_size = 0, xmf_size = 0;
  TRIAD_TRY(triad_moments_read(folder, "times.txt", step, t, &list, &n));
  FILE *first = open_memstream(&times, &times_size), *second = open_memstream(&xmf, &xmf_size);
  for (int64_t i = 0; first && i < n; i++) (void)fprintf(first, "%" PRId64 " %.17g\n", list[i].step, list[i].t);
  if (second) {
    (void)fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n"
                "    <Grid Name=\"fields\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                second);
    for (int64_t i = 0; i < n; i++) write_time(second, size, fields, n_fields, element, list[i].step, list[i].t);
    (void)fputs("    </Grid>\n  </Domain>\n</Xdmf>\n", second);
  }
  free(list);
  int good[2] = {first && fclose(first) == 0, second && fclose(second) == 0};
  int st = put_text_file(folder, "times.txt", times, times_size, good[0]);
  int other = put_text_file(folder, "fields.xmf", xmf, xmf_size, good[1]);
  return st == TRIAD_OK ? other : st;
}
