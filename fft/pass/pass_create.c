/* Create a pass: sizes, buffers for each thread, plans, exchanges and shifts. */
#include "fft/pass/pass_create.h"
#include "fft/pass/pass_internal.h"
#include "fft/pass/pass_split.h"
#include "base/minmax.h"

#include <stdlib.h>

enum { POINTS_AT_ONCE = 1024 }; /* pairs of rows of about so many points go through x together: they stay in cache */

static int take_space(triad_pass *p)
{
  triad_memory *m = p->context->memory;
  int most = triad_max_int(p->most_in, p->most_left);
  TRIAD_TRY(TRIAD_ALLOC(m, "threads", p->context->threads, &p->space));
  for (int t = 0; t < p->context->threads; t++) {
    triad_thread_space *s = &p->space[t];
    TRIAD_TRY(TRIAD_ALLOC(m, "column blocks", most * p->block_size, &s->blocks));
    TRIAD_TRY(TRIAD_ALLOC(m, "planes", p->most_in * p->plane_size, &s->planes_in));
    TRIAD_TRY(TRIAD_ALLOC(m, "planes", p->most_out * p->plane_size, &s->planes_out));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", p->most_in * p->batch * p->pair_room, &s->rows_in));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", p->most_out * p->batch * p->pair_room, &s->rows_out));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", p->most_in * p->row_room, &s->row_in));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", p->most_out * p->row_room, &s->row_out));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", p->layout->grid.n[0], &s->line));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", p->layout->grid.n[0], &s->beyond));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", 2 * p->row_room, &s->slopes));
  }
  const triad_grid *g = &p->layout->grid;
  TRIAD_TRY(TRIAD_ALLOC(m, "results", p->most_out, &p->divided));
  TRIAD_TRY(TRIAD_ALLOC(m, "rows", g->n[0] / 2 + 1, &p->wave_x));
  for (int64_t i = 0; i <= g->kmax[0]; i++) p->wave_x[i] = (triad_real)triad_grid_derivative_wavenumber(g, 0, i);
  if (!p->layout->grid.shifted) return TRIAD_OK;
  TRIAD_TRY(triad_shift_create(&p->shift, m, p->layout));
  return TRIAD_ALLOC(m, "shifts", p->most_in > 0 ? p->most_left * p->layout->modes : 0, &p->first);
}

static void set_sizes(triad_pass *p)
{
  const triad_grid *g = &p->layout->grid;
  int64_t aligned = 64 / (int64_t)sizeof(triad_real);
  p->plane_size = g->n[1] * triad_columns_stride(p->columns);
  p->block_size = g->n[2] * TRIAD_LANES;
  p->row_room = (g->n[0] + aligned - 1) / aligned * aligned;
  p->pair_room = 2 * p->row_room;
  p->batch = POINTS_AT_ONCE / (2 * g->n[0]);
  if (p->batch < 1) p->batch = 1;
  if (p->batch > (g->n[1] + 1) / 2) p->batch = (g->n[1] + 1) / 2;
  p->scale = (triad_real)(1.0 / (double)triad_grid_points(g));
}

int triad_pass_create(triad_pass **out, triad_context *context, const triad_layout *layout, int most_in, int most_out,
                      const triad_pass_options *options)
{
  *out = NULL;
  triad_pass *p = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pass");
  if (p) {
    p->context = context;
    p->layout = layout;
    p->most_in = most_in;
    p->most_out = most_out;
    p->most_left = options->most_left > 0 ? options->most_left : most_out;
    p->within.mpi = p->across.comm.mpi = MPI_COMM_NULL;
    st = triad_columns_create(&p->columns, layout->split ? layout->split->part : layout);
    if (st == TRIAD_OK) st = triad_chain_waves_create(&p->waves, layout);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) {
    set_sizes(p);
    st = layout->split
           ? triad_pass_split_create(p, options)
           : triad_exchange_create(&p->exchange, context, p->columns, layout, most_in, p->most_left, options->nstreams);
  }
  if (st == TRIAD_OK) st = triad_agree(&context->comm, take_space(p));
  if (st == TRIAD_OK) {
    triad_lines_shape shape = {.n = {layout->grid.n[0], layout->grid.n[1], layout->grid.n[2]},
                               .stride = triad_columns_stride(p->columns),
                               .width = triad_columns_width(p->columns),
                               .kept = layout->grid.kmax[0] + 1,
                               .lanes = TRIAD_LANES,
                               .choice = options->lines};
    st = triad_lines_create(&p->lines, context, &shape, options->planning, options->wisdom);
  }
  if (st != TRIAD_OK) triad_pass_destroy(&p);
  *out = p;
  return st;
}

void triad_pass_destroy(triad_pass **pass)
{
  if (!pass || !*pass) return;
  triad_pass *p = *pass;
  triad_memory *m = p->context->memory;
  for (int t = 0; p->space && t < p->context->threads; t++) {
    triad_thread_space *s = &p->space[t];
    TRIAD_FREE(m, &s->blocks);
    TRIAD_FREE(m, &s->planes_in);
    TRIAD_FREE(m, &s->planes_out);
    TRIAD_FREE(m, &s->rows_in);
    TRIAD_FREE(m, &s->rows_out);
    TRIAD_FREE(m, &s->row_in);
    TRIAD_FREE(m, &s->row_out);
    TRIAD_FREE(m, &s->line);
    TRIAD_FREE(m, &s->beyond);
    TRIAD_FREE(m, &s->slopes);
  }
  TRIAD_FREE(m, &p->space);
  TRIAD_FREE(m, &p->divided);
  TRIAD_FREE(m, &p->wave_x);
  triad_shift_destroy(&p->shift, m);
  TRIAD_FREE(m, &p->first);
  triad_lines_destroy(&p->lines);
  triad_exchange_destroy(&p->exchange);
  triad_pass_split_destroy(p);
  triad_columns_destroy(&p->columns);
  triad_chain_waves_destroy(&p->waves);
  free(p);
  *pass = NULL;
}
