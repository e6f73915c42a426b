/* Face geometry on a GPU. The host's domain has no geometry of faces between tetrahedra (domain_tets.c). If the GPU
 * has enough memory, the geometry is computed once, some faces at a time, and steps are 5 % faster; else kernels
 * compute it from the corners. */
#include "solvers/unstructured/gpu/gpu_faces.h"
#include "solvers/unstructured/gpu/gpu_internal.h"
#include "solvers/unstructured/gpu/gpu_tets.h"

#include "parallel/host/gpus.h"

/* All numbers of all faces. */
static int64_t geometry_pitch(const triad_unstructured_domain *d) { return triad_unstructured_pitch(d->n_slots + 1); }

static int reckon(triad_unstructured_flow *f, triad_real *room, int64_t most)
{
  const triad_unstructured_domain *d = f->domain;
  triad_unstructured_numbers *out = &f->gpu->view.geometry;
  for (int64_t begin = 0; begin <= d->n_slots; begin += most) {
    const int64_t n = d->n_slots + 1 - begin < most ? d->n_slots + 1 - begin : most;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
    for (int64_t i = 0; i < n; i++) {
      triad_real numbers[TRIAD_UNSTRUCTURED_GEOMETRY];
      triad_unstructured_domain_geometry(d, begin + i, numbers);
      for (int k = 0; k < TRIAD_UNSTRUCTURED_GEOMETRY; k++) room[k * most + i] = numbers[k];
    }
    for (int k = 0; k < TRIAD_UNSTRUCTURED_GEOMETRY; k++)
      TRIAD_TRY(
        triad_device_put(f->device, out->at + k * out->pitch + begin, room + k * most, n * (int64_t)sizeof *room));
  }
  return TRIAD_OK;
}

static int keep_all(triad_unstructured_flow *f)
{
  enum { AT_ONCE = 1 << 18 };
  struct triad_unstructured_on_gpu *g = f->gpu;
  triad_real *room = NULL;
  g->view.geometry.pitch = geometry_pitch(f->domain);
  g->view.n_pointed = 0;
  TRIAD_TRY(triad_device_alloc(f->device, "mesh", TRIAD_UNSTRUCTURED_GEOMETRY * g->view.geometry.pitch,
                               sizeof(triad_real), (void **)&g->geometry));
  g->view.geometry.at = g->geometry;
  int st = TRIAD_ALLOC(f->context->memory, "a GPU's mesh", TRIAD_UNSTRUCTURED_GEOMETRY * (int64_t)AT_ONCE, &room);
  if (st == TRIAD_OK) st = reckon(f, room, AT_ONCE);
  TRIAD_FREE(f->context->memory, &room);
  return st;
}

/* Copy the geometry that the domain has, and the corners. */
static int keep_corners(triad_unstructured_flow *f)
{
  const triad_unstructured_numbers *from = &f->domain->geometry;
  struct triad_unstructured_on_gpu *g = f->gpu;
  TRIAD_TRY(triad_device_table(f->device, "mesh", TRIAD_UNSTRUCTURED_GEOMETRY * from->pitch, sizeof(triad_real),
                               from->at, (void **)&g->geometry));
  g->view.geometry = (triad_unstructured_numbers){g->geometry - f->domain->n_pointed, from->pitch};
  return triad_unstructured_gpu_tets_make(f);
}

/* Find whether every rank's GPU has enough free memory for the geometry of all faces of the ranks that share it, with
 * a reserve. Everything else has been allocated; ranks that share a GPU wait for each other first. Concurrent runs do
 * not wait, but each has its share. All ranks get the same answer, since both ranks of a face must use the same
 * numbers. */
static int find_room(const triad_unstructured_flow *f, int *room)
{
  enum { SPARE = 256 << 20 };
  const triad_comm *comm = &f->context->comm;
  const int64_t bytes = TRIAD_UNSTRUCTURED_GEOMETRY * geometry_pitch(f->domain) * (int64_t)sizeof(triad_real);
  const int64_t share = triad_gpus_share();
  int64_t available = 0, total = 0;
  int number, sharers;
  TRIAD_TRY(triad_gpus_choose(&number, &sharers, comm, NULL));
  TRIAD_TRY(triad_agree(comm, triad_device_memory(f->device, &available, &total)));
  const int here = available >= (sharers > 1 ? sharers : 1) * (bytes + SPARE) &&
                   (share == 0 || triad_device_peak(f->device) + bytes <= share);
  return TRIAD_MPI(MPI_Allreduce(&here, room, 1, MPI_INT, MPI_MIN, comm->mpi));
}

int triad_unstructured_gpu_faces_make(triad_unstructured_flow *f)
{
  int room = f->setup.keeps == TRIAD_UNSTRUCTURED_KEEP_FACES;
  if (f->setup.keeps == TRIAD_UNSTRUCTURED_KEEP_WHAT_FITS) TRIAD_TRY(find_room(f, &room));
  f->gpu->by_corners = !room;
  return triad_agree(&f->context->comm, room ? keep_all(f) : keep_corners(f));
}
