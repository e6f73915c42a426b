/* Run blocking calls on helper threads while the caller continues. */
#include "parallel/aside.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct triad_aside {
  pthread_mutex_t lock;
  pthread_cond_t given, done;
  triad_aside_call *first, *last; /* given, and not yet begun */
  int64_t count;                  /* done */
  int threads, idle, stop;
  pthread_t thread[TRIAD_ASIDE_THREADS];
};

static void *make_calls(void *self)
{
  triad_aside *a = self;
  (void)pthread_mutex_lock(&a->lock);
  for (;;) {
    a->idle++;
    while (!a->first && !a->stop) (void)pthread_cond_wait(&a->given, &a->lock);
    a->idle--;
    triad_aside_call *c = a->first;
    if (!c) break;
    a->first = c->next;
    (void)pthread_mutex_unlock(&a->lock);
    c->call(c->self);
    (void)pthread_mutex_lock(&a->lock);
    __atomic_store_n(&c->done, 1, __ATOMIC_RELEASE); /* from here on it may be gone */
    a->count++;
    (void)pthread_cond_signal(&a->done);
  }
  (void)pthread_mutex_unlock(&a->lock);
  return NULL;
}

triad_aside *triad_aside_create(void)
{
  triad_aside *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  (void)pthread_mutex_init(&a->lock, NULL);
  (void)pthread_cond_init(&a->given, NULL);
  (void)pthread_cond_init(&a->done, NULL);
  return a;
}

void triad_aside_destroy(triad_aside **aside)
{
  triad_aside *a = *aside;
  if (!a) return;
  (void)pthread_mutex_lock(&a->lock);
  a->stop = 1;
  (void)pthread_cond_broadcast(&a->given);
  (void)pthread_mutex_unlock(&a->lock);
  for (int i = 0; i < a->threads; i++) (void)pthread_join(a->thread[i], NULL);
  (void)pthread_cond_destroy(&a->given);
  (void)pthread_cond_destroy(&a->done);
  (void)pthread_mutex_destroy(&a->lock);
  free(a);
  *aside = NULL;
}

/* Block all signals in the I/O thread: the main thread handles them. */
static void start_thread(triad_aside *a)
{
  sigset_t all, before;
  (void)sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return;
  if (pthread_create(&a->thread[a->threads], NULL, make_calls, a) == 0) a->threads++;
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void triad_aside_give(triad_aside *a, triad_aside_call *c)
{
  c->done = 0;
  c->next = NULL;
  (void)pthread_mutex_lock(&a->lock);
  if ((a->first || a->idle == 0) && a->threads < TRIAD_ASIDE_THREADS) start_thread(a);
  const int here = a->threads == 0;
  if (!here) {
    if (a->first) a->last->next = c;
    else a->first = c;
    a->last = c;
    (void)pthread_cond_signal(&a->given);
  }
  (void)pthread_mutex_unlock(&a->lock);
  if (!here) return;
  c->call(c->self);
  c->done = 1;
}

int triad_aside_done(const triad_aside_call *c) { return __atomic_load_n(&c->done, __ATOMIC_ACQUIRE); }

int64_t triad_aside_count(triad_aside *a)
{
  (void)pthread_mutex_lock(&a->lock);
  const int64_t count = a->count;
  (void)pthread_mutex_unlock(&a->lock);
  return count;
}

void triad_aside_sleep(triad_aside *a, int64_t seen)
{
  (void)pthread_mutex_lock(&a->lock);
  while (a->count == seen) (void)pthread_cond_wait(&a->done, &a->lock);
  (void)pthread_mutex_unlock(&a->lock);
}
