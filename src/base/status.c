/* Keep the message of the last failure of each thread, and print it with its prefix, rank and source location. */
#include "base/status.h"

#include "base/text.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Like errno: the one piece of state that a failing call leaves behind for whoever reports it. */
static struct {
  pthread_mutex_t lock;
  int silent;
  triad_kept_message now;
} message = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* How messages of a code begin. */
static const char *prefix_of(int code)
{
  return code == TRIAD_ERR_MEMORY     ? "out of memory: cannot allocate memory for "
         : code == TRIAD_ERR_INTERNAL ? "internal error: "
         : code == TRIAD_ERR_IO       ? "I/O error: "
                                      : "";
}

/* A long text is cut, its location is not. */
static void compose(triad_kept_message *out, const char *prefix, const char *what, const char *file, int line)
{
  char place[256];
  (void)snprintf(place, sizeof place, " [%s:%d]", file, line);
  const size_t tail = strlen(place), head = strlen(prefix), body = strnlen(what, sizeof out->text - 1 - head - tail);
  memcpy(out->text, prefix, head);
  memcpy(out->text + head, what, body);
  memcpy(out->text + head + body, place, tail + 1);
}

void triad_note(const char *file, int line, int code, const char *format, ...)
{
  char what[sizeof message.now.text];
  pthread_mutex_lock(&message.lock);
  if (!message.now.kept) {
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    compose(&message.now, prefix_of(code), what, file, line);
    message.now.kept = 1;
  }
  pthread_mutex_unlock(&message.lock);
}

void triad_note_again(const char *text)
{
  pthread_mutex_lock(&message.lock);
  if (!message.now.kept) (void)snprintf(message.now.text, sizeof message.now.text, "%s", text);
  message.now.kept = 1;
  pthread_mutex_unlock(&message.lock);
}

const char *triad_message(void) { return message.now.kept ? message.now.text : ""; }

void triad_message_clear(void)
{
  pthread_mutex_lock(&message.lock);
  message.now.kept = message.now.printed = 0;
  message.now.text[0] = '\0';
  pthread_mutex_unlock(&message.lock);
}

void triad_message_reason(char *why, size_t size)
{
  const char *text = triad_message(), *place = strrchr(text, '[');
  const int cut = place && place > text && place[-1] == ' ' && strchr(place, ':') && text[strlen(text) - 1] == ']';
  (void)snprintf(why, size, "%.*s", cut ? (int)(place - 1 - text) : (int)strlen(text), text);
  triad_message_clear();
}

void triad_message_swap(triad_kept_message *other)
{
  pthread_mutex_lock(&message.lock);
  if (message.now.kept || other->kept) {
    const triad_kept_message was = message.now;
    message.now = *other;
    *other = was;
  }
  pthread_mutex_unlock(&message.lock);
}

void triad_message_silence(int silent) { message.silent = silent; }

void triad_message_print(int rank)
{
  pthread_mutex_lock(&message.lock);
  if (message.now.kept && !message.now.printed && !message.silent) {
    char safe[2 * sizeof message.now.text]; /* paths and names in it may hold anything */
    (void)triad_escape(safe, sizeof safe, message.now.text, strlen(message.now.text), TRIAD_ESCAPE_PLAIN);
    if (rank >= 0) (void)fprintf(stderr, "triad: error: rank %d: %s\n", rank, safe);
    else (void)fprintf(stderr, "triad: error: %s\n", safe);
    (void)fflush(stderr);
    message.now.printed = 1;
  }
  pthread_mutex_unlock(&message.lock);
}
