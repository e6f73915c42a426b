/* Create and read slices of a mesh (slices.h). */
#include "mesh/parts/slices.h"

static int slice_made(triad_mesh_slices *s)
{
  int64_t corners;
  s->lattice = triad_mesh_generate_lattice(s->made);
  triad_mesh_generate_count(s->made, &s->n_points, &s->n_cells, &corners);
  int st = s->n_points > INT32_MAX || s->n_cells > INT32_MAX / 4
             ? TRIAD_FAIL(TRIAD_ERR_CASE, "a mesh of %lld points and %lld cells: too large", (long long)s->n_points,
                          (long long)s->n_cells)
             : triad_mesh_generate_slice(&s->cells, s->context->memory, s->made, s->context->comm.rank,
                                         s->context->comm.size, &s->first);
  return triad_agree(&s->context->comm, st);
}

int triad_mesh_slices_create(triad_mesh_slices *s, const triad_context *context, const triad_mesh_source *source)
{
  *s = (triad_mesh_slices){
    .context = context, .source = source, .path = source->file, .made = source->file[0] ? NULL : &source->made};
  return s->made ? slice_made(s) : triad_mesh_slices_of_file(s);
}

void triad_mesh_slices_drop_cells(triad_mesh_slices *s) { triad_mesh_destroy(&s->cells); }

void triad_mesh_slices_free(triad_mesh_slices *s)
{
  if (!s->context) return;
  triad_mesh_slices_drop_cells(s);
  TRIAD_FREE(s->context->memory, &s->x);
  TRIAD_FREE(s->context->memory, &s->side);
}

/* ---- the checksum: from rank to rank, all cells and then all points ---- */

static int from_last(const triad_comm *comm, uint64_t *sum, int whom)
{
  return whom < 0 ? TRIAD_OK : TRIAD_MPI(MPI_Recv(sum, 1, MPI_UINT64_T, whom, 1, comm->mpi, MPI_STATUS_IGNORE));
}

static int to_next(const triad_comm *comm, uint64_t sum, int whom)
{
  return whom >= comm->size ? TRIAD_OK : TRIAD_MPI(MPI_Send(&sum, 1, MPI_UINT64_T, whom, 1, comm->mpi));
}

static uint64_t add_points(const triad_mesh_slices *s, uint64_t sum)
{
  const triad_comm *comm = &s->context->comm;
  const int64_t first = triad_mesh_share_begin(s->n_points, comm->rank, comm->size);
  const int64_t n = triad_mesh_share_begin(s->n_points, comm->rank + 1, comm->size) - first;
  if (!s->made) return triad_mesh_checksum_points(sum, (const double(*)[3])s->x, n);
  for (int64_t i = 0; i < n; i++) {
    double x[1][3];
    triad_mesh_generate_point(&s->lattice, first + i, x[0]);
    sum = triad_mesh_checksum_points(sum, (const double(*)[3])x, 1);
  }
  return sum;
}

int triad_mesh_slices_checksum(const triad_mesh_slices *s, uint64_t *sum)
{
  const triad_comm *comm = &s->context->comm;
  *sum = triad_mesh_checksum_begin(s->n_cells, s->n_points);
  TRIAD_TRY(from_last(comm, sum, comm->rank - 1));
  *sum = triad_mesh_checksum_cells(*sum, s->cells);
  TRIAD_TRY(to_next(comm, *sum, comm->rank + 1));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(sum, 1, MPI_UINT64_T, comm->size - 1, comm->mpi)));
  TRIAD_TRY(from_last(comm, sum, comm->rank - 1));
  *sum = triad_mesh_checksum_sides(*sum, s->cells);
  TRIAD_TRY(to_next(comm, *sum, comm->rank + 1));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(sum, 1, MPI_UINT64_T, comm->size - 1, comm->mpi)));
  TRIAD_TRY(from_last(comm, sum, comm->rank - 1));
  *sum = add_points(s, *sum);
  TRIAD_TRY(to_next(comm, *sum, comm->rank + 1));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(sum, 1, MPI_UINT64_T, comm->size - 1, comm->mpi)));
  *sum = triad_mesh_checksum_end(*sum);
  return TRIAD_OK;
}
