/* Send planes to the rank that packs their chunk, and pack chunks with zfp. */
#include "store/fields/fieldpack.h"

#include "grid/layout.h"
#include "store/hdf5/h5chunks.h"
#include "store/hdf5/zfp.h"
#include "base/minmax.h"
#include "parallel/wait.h"

#include <stdlib.h>
#include <string.h>

struct triad_field_pack {
  const triad_context *context;
  int64_t dims[3], chunk[3], plane; /* plane: reals of one */
  int element, exponent;
  int64_t first, end, begin, stop; /* this rank's planes; those that it packs */
  triad_real *planes;              /* [stop - begin] as they come and go      */
  void *values;                    /* of a chunk, as it is packed             */
  unsigned char *one, *bytes;      /* a packed chunk; all of this rank's      */
  size_t room, used, held;         /* bytes: capacity for a chunk; in use; allocated */
  int64_t n_chunks, *sizes;        /* this rank's                             */
  MPI_Request *requests;           /* [2 * size]                              */
};

/* Planes begin .. end - 1 that a rank packs: of the chunks whose first plane it has. */
static void packed_by(const triad_field_pack *p, int rank, int64_t *begin, int64_t *end)
{
  const int64_t c = p->chunk[0], first = triad_deal(p->dims[0], rank, p->context->comm.size);
  const int64_t next = triad_deal(p->dims[0], rank + 1, p->context->comm.size);
  *begin = (first + c - 1) / c * c;
  *end = (next + c - 1) / c * c;
  if (*begin > p->dims[0]) *begin = p->dims[0];
  if (*end > p->dims[0]) *end = p->dims[0];
}

int64_t triad_field_pack_memory(const int64_t dims[3], int size)
{
  const int64_t planes = (dims[0] + size - 1) / size + 2 * TRIAD_PACK_PLANES;
  return planes * dims[1] * dims[2] * (int64_t)(sizeof(triad_real) + 8) + 2 * TRIAD_PACK_PLANES * dims[1] * dims[2] * 8;
}

static int create_buffers(triad_field_pack *p, const int64_t dims[3])
{
  const triad_comm *comm = &p->context->comm;
  triad_memory *m = p->context->memory;
  memcpy(p->dims, dims, sizeof p->dims);
  p->chunk[0] = dims[0] < TRIAD_PACK_PLANES ? dims[0] : TRIAD_PACK_PLANES;
  p->chunk[1] = dims[1];
  p->chunk[2] = dims[2];
  p->plane = dims[1] * dims[2];
  p->first = triad_deal(dims[0], comm->rank, comm->size);
  p->end = triad_deal(dims[0], comm->rank + 1, comm->size);
  packed_by(p, comm->rank, &p->begin, &p->stop);
  p->n_chunks = (p->stop - p->begin + p->chunk[0] - 1) / p->chunk[0];
  p->room = triad_zfp_room(p->element, p->chunk);
  if (p->room == 0) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "zfp's streams");
  p->sizes = calloc((size_t)p->n_chunks + 1, sizeof *p->sizes);
  p->requests = calloc(2 * (size_t)comm->size, sizeof *p->requests);
  if (!p->sizes || !p->requests)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "sizes of %lld packed chunks", (long long)p->n_chunks);
  TRIAD_TRY(TRIAD_ALLOC(m, "packed fields", (p->stop - p->begin) * p->plane, &p->planes));
  TRIAD_TRY(triad_memory_alloc(m, "packed fields", p->chunk[0] * p->plane, (size_t)p->element, &p->values));
  return TRIAD_ALLOC(m, "packed fields", (int64_t)p->room, &p->one);
}

int triad_field_pack_create(triad_field_pack **out, const triad_context *context, const int64_t dims[3], int single)
{
  triad_field_pack *p = *out = calloc(1, sizeof *p);
  int st = triad_zfp_need("output.fields_error");
  if (st == TRIAD_OK && !p) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "a field that is packed");
  if (p) p->context = context, p->element = single ? 4 : 8;
  if (st == TRIAD_OK) st = create_buffers(p, dims);
  st = triad_agree(&context->comm, st);
  if (st != TRIAD_OK) triad_field_pack_destroy(out);
  return st;
}

void triad_field_pack_destroy(triad_field_pack **pack)
{
  triad_field_pack *p = *pack;
  if (!p) return;
  TRIAD_FREE(p->context->memory, &p->one);
  triad_memory_free(p->context->memory, &p->values);
  TRIAD_FREE(p->context->memory, &p->planes);
  free(p->bytes);
  free(p->sizes);
  free(p->requests);
  free(p);
  *pack = NULL;
}

/* A message of planes from .. to - 1 that lie at `at` from plane `origin` on; none where there are none. */
static void post(const triad_field_pack *p, int sends, int rank, int64_t from, int64_t to, triad_real *at,
                 int64_t origin, int *n)
{
  int count = 0;
  if (from >= to) return;
  triad_real *place = at + (from - origin) * p->plane;
  triad_must(&p->context->comm, triad_narrow((to - from) * p->plane, &count));
  MPI_Request *r = &p->requests[(*n)++];
  triad_must(&p->context->comm,
             sends ? TRIAD_MPI(MPI_Isend(place, count, TRIAD_MPI_REAL, rank, 0, p->context->comm.mpi, r))
                   : TRIAD_MPI(MPI_Irecv(place, count, TRIAD_MPI_REAL, rank, 0, p->context->comm.mpi, r)));
}

/* Planes to those that pack them, or (back) from them to those whose they are. Collective. */
static void exchange(const triad_field_pack *p, triad_real *own, int back)
{
  const triad_comm *comm = &p->context->comm;
  int n = 0;
  for (int rank = 0; rank < comm->size; rank++) {
    int64_t begin, stop;
    const int64_t first = triad_deal(p->dims[0], rank, comm->size), end = triad_deal(p->dims[0], rank + 1, comm->size);
    packed_by(p, rank, &begin, &stop);
    if (rank == comm->rank) continue;
    post(p, !back, rank, triad_max_count(p->first, begin), triad_min_count(p->end, stop), own, p->first, &n);
    post(p, back, rank, triad_max_count(p->begin, first), triad_min_count(p->stop, end), p->planes, p->begin, &n);
  }
  const int64_t from = triad_max_count(p->first, p->begin), to = triad_min_count(p->end, p->stop);
  if (from < to) {
    triad_real *mine = own + (from - p->first) * p->plane, *kept = p->planes + (from - p->begin) * p->plane;
    memcpy(back ? mine : kept, back ? kept : mine, (size_t)((to - from) * p->plane) * sizeof *mine);
  }
  triad_must(comm, TRIAD_MPI(triad_wait_all(n, p->requests)));
}

/* Values of a chunk to what is packed, or back; planes that it has not are copies of the last one. */
static void convert(const triad_field_pack *p, int64_t c, int back)
{
  float *as_float = p->values;
  double *as_double = p->values;
  const int64_t begin = c * p->chunk[0], all = p->stop - p->begin;
  for (int64_t z = 0; z < p->chunk[0]; z++) {
    if (back && begin + z >= all) return;
    triad_real *plane = p->planes + triad_min_count(begin + z, all - 1) * p->plane;
    for (int64_t i = 0; i < p->plane; i++) {
      const int64_t at = z * p->plane + i;
      if (back) plane[i] = (triad_real)(p->element == 4 ? (double)as_float[at] : as_double[at]);
      else if (p->element == 4) as_float[at] = (float)plane[i];
      else as_double[at] = (double)plane[i];
    }
  }
}

static int append_chunk(triad_field_pack *p, int64_t c, size_t size)
{
  if (p->used + size > p->held) {
    const size_t more = (p->used + size) * 3 / 2;
    unsigned char *bytes = realloc(p->bytes, more);
    if (!bytes) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%zu bytes of packed planes", more);
    p->bytes = bytes;
    p->held = more;
  }
  memcpy(p->bytes + p->used, p->one, size);
  p->used += size;
  p->sizes[c] = (int64_t)size;
  return TRIAD_OK;
}

int triad_field_pack_encode(triad_field_pack *p, const triad_real *planes, int exponent, triad_real *out)
{
  int st = TRIAD_OK;
  exchange(p, (triad_real *)(uintptr_t)planes, 0);
  p->used = 0;
  p->exponent = exponent;
  for (int64_t c = 0; c < p->n_chunks && st == TRIAD_OK; c++) {
    size_t size = 0;
    convert(p, c, 0);
    st = triad_zfp_encode(p->element, p->chunk, exponent, p->values, p->one, p->room, &size);
    if (st == TRIAD_OK) st = triad_zfp_decode(p->element, p->chunk, exponent, p->one, size, p->values);
    if (st == TRIAD_OK) st = append_chunk(p, c, size);
    if (st == TRIAD_OK) convert(p, c, 1);
  }
  TRIAD_TRY(triad_agree(&p->context->comm, st));
  exchange(p, out, 1);
  return TRIAD_OK;
}

/* On rank 0: the chunks of another rank, one by one; of a file that has failed they are received all the same. */
static int store_of(triad_field_pack *p, triad_h5 *file, const char *name, int rank, int st, int64_t *bytes)
{
  const triad_comm *comm = &p->context->comm;
  int64_t begin, stop;
  packed_by(p, rank, &begin, &stop);
  size_t at = 0;
  for (int64_t z = begin; z < stop; z += p->chunk[0]) {
    int64_t size = rank == 0 ? p->sizes[z / p->chunk[0]] : 0;
    int count = 0;
    if (rank > 0) {
      triad_must(comm, TRIAD_MPI(MPI_Recv(&size, 1, MPI_INT64_T, rank, 1, comm->mpi, MPI_STATUS_IGNORE)));
      triad_must(comm, triad_narrow(size, &count));
      triad_must(comm, TRIAD_MPI(MPI_Recv(p->one, count, MPI_BYTE, rank, 2, comm->mpi, MPI_STATUS_IGNORE)));
    }
    if (st == TRIAD_OK) st = triad_h5_put_chunk(file, name, z, (size_t)size, rank == 0 ? p->bytes + at : p->one);
    at += (size_t)size;
    *bytes += size;
  }
  return st;
}

static void send_all(const triad_field_pack *p)
{
  const triad_comm *comm = &p->context->comm;
  const unsigned char *at = p->bytes;
  for (int64_t c = 0; c < p->n_chunks; at += p->sizes[c++]) {
    int count = 0;
    triad_must(comm, triad_narrow(p->sizes[c], &count));
    triad_must(comm, TRIAD_MPI(MPI_Send(&p->sizes[c], 1, MPI_INT64_T, 0, 1, comm->mpi)));
    triad_must(comm, TRIAD_MPI(MPI_Send(at, count, MPI_BYTE, 0, 2, comm->mpi)));
  }
}

int triad_field_pack_store(triad_field_pack *p, triad_h5 *file, const char *name, int64_t *bytes)
{
  const triad_comm *comm = &p->context->comm;
  unsigned numbers[TRIAD_ZFP_NUMBERS];
  size_t n = 0;
  *bytes = 0;
  if (comm->rank > 0) {
    send_all(p);
    return triad_agree(comm, TRIAD_OK);
  }
  int st = triad_zfp_numbers(p->element, p->chunk, p->exponent, numbers, &n);
  if (st == TRIAD_OK) st = triad_h5_packed(file, name, p->element, p->dims, p->chunk, n, numbers);
  for (int rank = 0; rank < comm->size; rank++) st = store_of(p, file, name, rank, st, bytes);
  return triad_agree(comm, st);
}
