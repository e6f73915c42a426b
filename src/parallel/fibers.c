/* Switch between several tasks in one thread by ucontext, each on its own stack with a guard page. */
#include "parallel/fibers.h"

#include "base/status.h"
#include "parallel/aside.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

/* Announce a change of stack to the address sanitizer: before it, and after it. */
static void tell_before(void **keep, const void *bottom, size_t size)
{
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(keep, bottom, size);
#endif
  (void)keep;
  (void)bottom;
  (void)size;
}

static void tell_after(void *kept, const void **bottom, size_t *size)
{
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(kept, bottom, size);
#endif
  (void)kept;
  (void)bottom;
  (void)size;
}

/* As a main thread has; pages that are never touched take no memory. */
enum { STACK_BYTES = 8 << 20 };

typedef struct fiber {
  ucontext_t at;
  char *stack; /* its lowest page is a guard page */
  int done, status;
  int (*ready)(void *self); /* NULL: it waits for nothing but its turn */
  void *awaited;
  int aside; /* it waits for other threads of the process */
  void *sanitizer;
  triad_kept_message message;
} fiber;

typedef struct rounds {
  triad_fiber_work *work;
  void *self;
  int n;
  fiber *all, *now; /* now: whose turn it is */
  triad_aside *aside;
  ucontext_t home;
  void *sanitizer;
  const void *home_stack;
  size_t home_size;
} rounds;

/* The rounds of this thread; NULL outside triad_fibers_run. */
static _Thread_local rounds *here;

int triad_fibers_inside(void) { return here != NULL; }

static void leave(rounds *r, fiber *f)
{
  triad_message_swap(&f->message);
  tell_before(f->done ? NULL : &f->sanitizer, r->home_stack, r->home_size);
  (void)swapcontext(&f->at, &r->home);
  tell_after(f->sanitizer, &r->home_stack, &r->home_size);
  triad_message_swap(&f->message);
}

static void enter(rounds *r, fiber *f)
{
  r->now = f;
  tell_before(&r->sanitizer, f->stack, STACK_BYTES);
  (void)swapcontext(&r->home, &f->at);
  tell_after(r->sanitizer, NULL, NULL);
}

void triad_fibers_yield(void)
{
  if (here) leave(here, here->now);
}

void triad_fibers_wait(int (*ready)(void *self), void *self)
{
  if (!here) return;
  fiber *f = here->now;
  f->ready = ready;
  f->awaited = self;
  leave(here, f);
  f->ready = NULL;
}

static int is_done(void *self) { return triad_aside_done(self); }

void triad_fibers_aside(void (*call)(void *self), void *self)
{
  if (!here) {
    call(self);
    return;
  }
  fiber *f = here->now;
  triad_aside_call c = {.call = call, .self = self};
  triad_aside_give(here->aside, &c);
  f->aside = 1;
  if (!triad_aside_done(&c)) triad_fibers_wait(is_done, &c);
  f->aside = 0;
}

/* Where a work begins; it never returns from here. */
static void begin(void)
{
  rounds *r = here;
  fiber *f = r->now;
  tell_after(NULL, &r->home_stack, &r->home_size);
  triad_message_swap(&f->message);
  f->status = r->work(r->self, (int)(f - r->all));
  f->done = 1;
  leave(r, f);
}

static int make_stack(fiber *f)
{
  const size_t guard = (size_t)sysconf(_SC_PAGESIZE);
  void *stack =
    mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the stack of a work");
  f->stack = stack;
  if (mprotect(stack, guard, PROT_NONE) != 0 || getcontext(&f->at) != 0)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a task with its own stack");
  f->at.uc_stack.ss_sp = stack;
  f->at.uc_stack.ss_size = STACK_BYTES;
  f->at.uc_link = NULL;
  makecontext(&f->at, begin, 0);
  return TRIAD_OK;
}

/* One turn of each that waits for nothing. *left: works that have not returned. How many have something to do here,
 * or may have soon. */
static int take_turns(rounds *r, int *left, int *worst)
{
  int busy = 0;
  for (int i = 0; i < r->n; i++) {
    fiber *f = &r->all[i];
    if (f->done) continue;
    const int waits = f->ready && !f->ready(f->awaited);
    busy += !waits || !f->aside;
    if (waits) continue;
    enter(r, f);
    *left -= f->done;
    if (f->done && f->status > *worst) *worst = f->status;
  }
  return busy;
}

static int run_rounds(rounds *r, void (*between)(void *self))
{
  int worst = TRIAD_OK;
  for (int left = r->n; left > 0;) {
    if (between) between(r->self);
    const int64_t seen = triad_aside_count(r->aside);
    if (take_turns(r, &left, &worst) == 0) triad_aside_sleep(r->aside, seen);
  }
  return worst;
}

int triad_fibers_run(int n, triad_fiber_work *work, void (*between)(void *self), void *self)
{
  rounds r = {.work = work, .self = self, .n = n};
  if (here || n < 0 || n > TRIAD_FIBERS_MAX) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%d alternating flows", n);
  r.all = calloc((size_t)n + 1, sizeof *r.all);
  r.aside = triad_aside_create();
  int st = r.all && r.aside ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d alternating flows", n);
  for (int i = 0; i < n && st == TRIAD_OK; i++) st = make_stack(&r.all[i]);
  here = &r;
  if (st == TRIAD_OK) st = run_rounds(&r, between);
  here = NULL;
  triad_aside_destroy(&r.aside);
  for (int i = 0; r.all && i < n; i++)
    if (r.all[i].stack) (void)munmap(r.all[i].stack, STACK_BYTES);
  free(r.all);
  return st;
}
