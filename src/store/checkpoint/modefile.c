/* Create the large file of a checkpoint with its tables, attributes and empty datasets, and read its bytes with
 * their checksums. */
#include "store/checkpoint/modefile.h"

#include "store/disk.h"
#include "store/hdf5/h5file.h"
#include "store/checkpoint/manifest.h"

#include <stdlib.h>
#include <xxhash.h>

enum { STAGING = 4 << 20, PIECE = 1 << 20 };

typedef struct array {
  int64_t offset, bytes;
} array;

static int by_offset(const void *a, const void *b)
{
  int64_t x = ((const array *)a)->offset, y = ((const array *)b)->offset;
  return (x > y) - (x < y);
}

static int hash_range(int fd, const char *path, XXH3_state_t *state, char *piece, int64_t from, int64_t to)
{
  while (from < to) {
    int64_t n = to - from < PIECE ? to - from : PIECE;
    TRIAD_TRY(triad_disk_read(fd, path, piece, n, from));
    (void)XXH3_64bits_update(state, piece, (size_t)n);
    from += n;
  }
  return TRIAD_OK;
}

int triad_modefile_header(int fd, const char *path, const triad_manifest *m, uint64_t *hash)
{
  array *arrays = malloc((size_t)m->n_fields * sizeof *arrays);
  int64_t at = 0;
  if (!arrays) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: offsets of %d fields", path, m->n_fields);
  for (int f = 0; f < m->n_fields; f++) arrays[f] = (array){m->fields[f].offset, triad_manifest_field_bytes(m, f)};
  qsort(arrays, (size_t)m->n_fields, sizeof *arrays, by_offset);
  XXH3_state_t *state = XXH3_createState();
  char *piece = malloc(PIECE);
  int st = state && piece ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a buffer of %d bytes", path, PIECE);
  if (st == TRIAD_OK) (void)XXH3_64bits_reset(state);
  for (int f = 0; f < m->n_fields && st == TRIAD_OK; f++) {
    st = hash_range(fd, path, state, piece, at, arrays[f].offset);
    at = arrays[f].offset + arrays[f].bytes;
  }
  if (st == TRIAD_OK) st = hash_range(fd, path, state, piece, at, m->file_bytes);
  if (st == TRIAD_OK) *hash = XXH3_64bits_digest(state);
  free(piece);
  free(arrays);
  (void)XXH3_freeState(state);
  return st;
}

int triad_modefile_read(int fd, const char *path, const triad_manifest *m, int field, int64_t first, int64_t count,
                        void *buffer, int64_t lines, uint64_t *sums, triad_modefile_use *use, void *who)
{
  int64_t line_bytes = triad_manifest_line_bytes(m, field);
  for (int64_t at = 0; at < count; at += lines) {
    int64_t n = count - at < lines ? count - at : lines;
    TRIAD_TRY(triad_disk_read(fd, path, buffer, n * line_bytes, m->fields[field].offset + (first + at) * line_bytes));
    triad_lines_sum(first + at, n, line_bytes, buffer, m->fields[field].block, sums);
    if (use) TRIAD_TRY(use(who, at, n, buffer));
  }
  return TRIAD_OK;
}

int triad_modefile_add_sums(const triad_comm *comm, uint64_t *sums, int64_t n)
{
  int count;
  TRIAD_TRY(triad_narrow(n, &count));
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, sums, count, MPI_UINT64_T, MPI_SUM, comm->mpi));
}

int64_t triad_modefile_lines(int64_t line_bytes, int64_t wanted)
{
  int64_t lines = STAGING / line_bytes < wanted ? STAGING / line_bytes : wanted;
  return lines < 1 ? 1 : lines;
}

static const char about_modes[] =
  "Fourier coefficients u(k) of a triply periodic real field, u(x) = sum_k u(k) exp(i k.x), wavenumbers "
  "2 pi kx / length[0] and so on. Each field is [column][kz][2] (real and imaginary part); column c has kx[c] and "
  "ky[c]. Of k and -k only one is held where kx > 0, and of columns (0, ky) and (0, -ky) only the former: "
  "u(-k) = conj u(k).";

static const char about_others[] = "Fields of a state, each in the order of its space (docs/reference/checkpoints.md).";

static int put_tables(triad_h5 *file, const triad_layout *l)
{
  int32_t *kx = calloc((size_t)l->all_columns, sizeof *kx), *ky = calloc((size_t)l->all_columns, sizeof *ky);
  int st = kx && ky ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "tables of %lld columns", (long long)l->all_columns);
  for (int64_t r = 0; r < l->n_rows && st == TRIAD_OK; r++)
    for (int64_t i = 0; i < l->rows[r].count; i++) {
      kx[l->rows[r].column + i] = (int32_t)(l->rows[r].kx_first + i);
      ky[l->rows[r].column + i] = (int32_t)l->rows[r].ky;
    }
  if (st == TRIAD_OK) st = triad_h5_put_integers(file, "kx", 1, &l->all_columns, kx);
  if (st == TRIAD_OK) st = triad_h5_put_integers(file, "ky", 1, &l->all_columns, ky);
  if (st == TRIAD_OK) st = triad_h5_put_integers(file, "kz", 1, &l->nkz, l->kz);
  free(kx);
  free(ky);
  return st;
}

static int put_attributes(triad_h5 *file, const triad_manifest *m, const char *about)
{
  double radius;
  TRIAD_TRY(triad_h5_text(file, "/", "about", about ? about : m->points ? about_others : about_modes));
  TRIAD_TRY(triad_h5_text(file, "/", "writer", m->writer));
  TRIAD_TRY(triad_h5_text(file, "/", "solver", m->solver));
  TRIAD_TRY(triad_h5_integers(file, "/", "step", 0, &m->step));
  TRIAD_TRY(triad_h5_reals(file, "/", "t", 0, &m->t));
  TRIAD_TRY(triad_h5_reals(file, "/", "dt", 0, &m->dt));
  TRIAD_TRY(triad_h5_integers(file, "/", "n", 3, m->grid.n));
  TRIAD_TRY(triad_h5_reals(file, "/", "length", 3, m->grid.length));
  if (!m->points) TRIAD_TRY(triad_h5_text(file, "/", "truncation", triad_truncation_name[m->grid.truncation]));
  if (!m->points && triad_grid_has_sphere(&m->grid, &radius)) {
    TRIAD_TRY(triad_h5_reals(file, "/", "radius", 3, m->grid.radius));
    TRIAD_TRY(triad_h5_text(file, "/", "dealiasing", triad_dealiasing_name[m->grid.shifted]));
  }
  return triad_h5_put_notes(file, "notes", m->notes);
}

static int put_field(triad_h5 *file, const triad_manifest *m, int f, const triad_space *space)
{
  int64_t dims[TRIAD_SPACE_DIMS + 1];
  int n = space->n_dims;
  for (int i = 0; i < n; i++) dims[i] = space->dims[i];
  if (space->parts > 1) dims[n++] = space->parts;
  return triad_h5_slab(file, m->fields[f].name, m->element, n, dims);
}

static int fill_file(triad_h5 *file, const triad_space *const *spaces, triad_manifest *m, const char *about)
{
  TRIAD_TRY(put_attributes(file, m, about));
  if (!m->points) TRIAD_TRY(put_tables(file, spaces[0]->layout));
  for (int f = 0; f < m->n_fields; f++) TRIAD_TRY(put_field(file, m, f, spaces[f]));
  for (int f = 0; f < m->n_fields; f++) TRIAD_TRY(triad_h5_slab_offset(file, m->fields[f].name, &m->fields[f].offset));
  return TRIAD_OK;
}

/* Once the file is on the disk: get its size, and the checksum of all that the library wrote. */
static int seal(const char *path, triad_manifest *m)
{
  int fd;
  TRIAD_TRY(triad_disk_open(path, 0, &fd));
  int st = triad_disk_size(fd, path, &m->file_bytes);
  for (int f = 0; f < m->n_fields && st == TRIAD_OK; f++)
    if (m->fields[f].offset + triad_manifest_field_bytes(m, f) > m->file_bytes)
      st = TRIAD_FAIL(TRIAD_ERR_IO, "%s: HDF5 returned %lld bytes, too few for field %s", path,
                      (long long)m->file_bytes, m->fields[f].name);
  if (st == TRIAD_OK) st = triad_modefile_header(fd, path, m, &m->header);
  (void)triad_disk_close(&fd, path);
  return st;
}

int triad_modefile_create(const char *path, const triad_space *const *spaces, triad_manifest *manifest,
                          const char *about)
{
  triad_h5 *file;
  TRIAD_TRY(triad_h5_create(&file, path));
  TRIAD_TRY(triad_h5_close(&file, fill_file(file, spaces, manifest, about)));
  return seal(path, manifest);
}
