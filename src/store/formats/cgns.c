/* Open and close CGNS files, and read their base, zones and coordinates by the CGNS library. */
#include "store/formats/cgns_internal.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int triad_cgns_is(const char *path)
{
  static const char hdf5[] = "\211HDF\r\n\032\n", adf[] = "ADF Database";
  char begin[16] = "";
  const char *dot = strrchr(path, '.');
  if (dot && strcmp(dot, ".cgns") == 0) return 1;
  FILE *in = fopen(path, "rb");
  size_t got = in ? fread(begin, 1, sizeof begin, in) : 0;
  if (in) (void)fclose(in);
  return got == sizeof begin && (memcmp(begin, hdf5, 8) == 0 || memcmp(begin + 4, adf, 12) == 0);
}

#ifdef TRIAD_CGNS

int triad_cgns_need(const char *what) { return (void)what, TRIAD_OK; }

int triad_cgns_bad(const triad_cgns *f, const char *zone, const char *what)
{
  const char *why = cg_get_error();
  return TRIAD_FAIL(f->written ? TRIAD_ERR_IO : TRIAD_ERR_CASE, "%s%s%s: %s%s%s", f->path, zone ? ": zone " : "",
                    zone ? zone : "", what, why && *why && strcmp(why, "no CGNS error reported") != 0 ? ": " : "",
                    why && strcmp(why, "no CGNS error reported") != 0 ? why : "");
}

void triad_cgns_clean(char *name)
{
  size_t n = strlen(name);
  while (n > 0 && name[n - 1] == ' ') name[--n] = '\0';
  for (char *c = name; *c; c++)
    if (!((unsigned char)*c > 127 || (*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') ||
          *c == '-' || *c == '.'))
      *c = '_';
}

/* The first base of the highest dimension. */
static int choose_base(triad_cgns *f)
{
  int n = 0, highest = 0;
  TRIAD_CG(cg_nbases(f->file, &n), f, NULL, "its bases");
  for (int b = 1; b <= n; b++) {
    char name[TRIAD_CGNS_NAME];
    int cells, space;
    TRIAD_CG(cg_base_read(f->file, b, name, &cells, &space), f, NULL, "a base");
    if (cells <= highest) continue;
    highest = f->dims = cells;
    f->base = b;
  }
  if (highest < 2) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the file has no base of two or three dimensions", f->path);
  TRIAD_CG(cg_nzones(f->file, f->base, &f->n_zones), f, NULL, "its zones");
  return f->n_zones > 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the file has no zones", f->path);
}

static int create_handle(triad_cgns **out, const char *path, int written)
{
  triad_cgns *f = *out = calloc(1, sizeof *f);
  if (!f) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", path);
  f->path = path;
  f->written = written;
  if (cg_open(path, written ? CG_MODE_WRITE : CG_MODE_READ, &f->file) == 0) return TRIAD_OK;
  int st =
    triad_cgns_bad(f, NULL, written ? "it cannot be written" : "not a complete CGNS file, or of a newer library");
  free(f);
  *out = NULL;
  return st;
}

int triad_cgns_open(triad_cgns **out, const char *path)
{
  *out = NULL;
  if (access(path, R_OK) != 0)
    return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: the file does not exist, or cannot be read", path);
  TRIAD_TRY(create_handle(out, path, 0));
  int st = choose_base(*out);
  return st == TRIAD_OK ? st : triad_cgns_close(out, st);
}

int triad_cgns_create(triad_cgns **out, const char *path)
{
  (void)cg_set_file_type(CG_FILE_HDF5);
  TRIAD_TRY(create_handle(out, path, 1));
  if (cg_base_write((*out)->file, "Base", 3, 3, &(*out)->base) == 0) return TRIAD_OK;
  return triad_cgns_close(out, triad_cgns_bad(*out, NULL, "a base"));
}

int triad_cgns_close(triad_cgns **file, int st)
{
  triad_cgns *f = *file;
  if (!f) return st;
  if (cg_close(f->file) != 0 && st == TRIAD_OK) st = triad_cgns_bad(f, NULL, "closing it");
  free(f->family);
  free(f);
  *file = NULL;
  return st;
}

/* ---- zones ---- */

int triad_cgns_zones(const triad_cgns *f) { return f->n_zones; }
int triad_cgns_dimensions(const triad_cgns *f) { return f->dims; }

int triad_cgns_zone_at(const triad_cgns *f, int zone, triad_cgns_zone *out)
{
  cgsize_t size[9] = {0};
  CGNS_ENUMT(ZoneType_t) type;
  *out = (triad_cgns_zone){.n = {1, 1, 1}};
  TRIAD_CG(cg_zone_read(f->file, f->base, zone + 1, out->name, size), f, NULL, "a zone");
  TRIAD_CG(cg_zone_type(f->file, f->base, zone + 1, &type), f, out->name, "its type");
  TRIAD_CG(cg_index_dim(f->file, f->base, zone + 1, &out->dims), f, out->name, "its indices");
  out->structured = type == CGNS_ENUMV(Structured);
  if (!out->structured && type != CGNS_ENUMV(Unstructured))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s is neither structured nor unstructured", f->path, out->name);
  if (out->dims < 1 || out->dims > 3 || (out->structured && out->dims < 2))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s has %d indices", f->path, out->name, out->dims);
  int64_t all = 1;
  for (int a = 0; a < (out->structured ? out->dims : 2); a++) {
    out->n[a] = size[a];
    if (out->n[a] < (out->structured ? 2 : a == 0) || out->n[a] > INT32_MAX)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s has %lld points or cells along an axis", f->path, out->name,
                        (long long)out->n[a]);
    all *= out->structured || a == 0 ? out->n[a] : 1;
    if (all > (int64_t)1 << 33)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s has too many points", f->path, out->name);
  }
  return TRIAD_OK;
}

int triad_cgns_zone_called(const triad_cgns *f, const char *name)
{
  for (int z = 0; z < f->n_zones; z++) {
    char other[TRIAD_CGNS_NAME];
    cgsize_t size[9];
    if (cg_zone_read(f->file, f->base, z + 1, other, size) == 0 && strcmp(other, name) == 0) return z;
  }
  return -1;
}

int triad_cgns_coordinates(const triad_cgns *f, int zone, double *const x[3])
{
  static const char *const wanted[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  triad_cgns_zone z;
  int n, found[3] = {0, 0, 0};
  TRIAD_TRY(triad_cgns_zone_at(f, zone, &z));
  const cgsize_t first[3] = {1, 1, 1},
                 last[3] = {(cgsize_t)z.n[0], z.structured ? (cgsize_t)z.n[1] : 1, (cgsize_t)z.n[2]};
  TRIAD_CG(cg_ncoords(f->file, f->base, zone + 1, &n), f, z.name, "its coordinates");
  for (int c = 1; c <= n; c++) {
    char name[TRIAD_CGNS_NAME];
    CGNS_ENUMT(DataType_t) type;
    TRIAD_CG(cg_coord_info(f->file, f->base, zone + 1, c, &type, name), f, z.name, "a coordinate");
    for (int a = 0; a < 3; a++) found[a] |= strcmp(name, wanted[a]) == 0;
  }
  if (!found[0] || !found[1])
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s has no %s: Cartesian coordinates are required", f->path, z.name,
                      wanted[found[0] ? 1 : 0]);
  for (int a = 0; a < 3; a++) {
    if (found[a]) {
      TRIAD_CG(cg_coord_read(f->file, f->base, zone + 1, wanted[a], CGNS_ENUMV(RealDouble), first, last, x[a]), f,
               z.name, wanted[a]);
    } else {
      memset(x[a], 0, (size_t)(z.n[0] * (z.structured ? z.n[1] * z.n[2] : 1)) * sizeof **x);
    }
  }
  return TRIAD_OK;
}

#else

int triad_cgns_need(const char *what) { return TRIAD_CGNS_MISSING(what); }
int triad_cgns_open(triad_cgns **out, const char *path) { return *out = NULL, TRIAD_CGNS_MISSING(path); }
int triad_cgns_create(triad_cgns **out, const char *path) { return *out = NULL, TRIAD_CGNS_MISSING(path); }
int triad_cgns_close(triad_cgns **file, int st) { return (void)file, st; }
int triad_cgns_zones(const triad_cgns *f) { return (void)f, 0; }
int triad_cgns_dimensions(const triad_cgns *f) { return (void)f, 3; }
int triad_cgns_zone_at(const triad_cgns *f, int zone, triad_cgns_zone *out)
{
  return (void)f, (void)zone, (void)out, TRIAD_ERR_FEATURE;
}
int triad_cgns_coordinates(const triad_cgns *f, int zone, double *const x[3])
{
  return (void)f, (void)zone, (void)x, TRIAD_ERR_FEATURE;
}

#endif
