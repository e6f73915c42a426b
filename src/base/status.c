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

void triad_note(const char *file, int line, const char *format, ...)
{
  pthread_mutex_lock(&message.lock);
  if (!message.now.kept) {
    int at = snprintf(message.now.text, sizeof message.now.text, "%s:%d: ", file, line);
    va_list args;
    va_start(args, format);
    if (at > 0 && (size_t)at < sizeof message.now.text)
      (void)vsnprintf(message.now.text + at, sizeof message.now.text - (size_t)at, format, args);
    va_end(args);
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
  const char *text = triad_message(), *behind_place = strstr(text, ".c:");
  if (behind_place) behind_place = strstr(behind_place, ": ");
  (void)snprintf(why, size, "%s", behind_place ? behind_place + 2 : text);
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
    if (rank >= 0)
      (void)fprintf(stderr, "triad: rank %d: %s\n", rank, safe);
    else
      (void)fprintf(stderr, "triad: %s\n", safe);
    (void)fflush(stderr);
    message.now.printed = 1;
  }
  pthread_mutex_unlock(&message.lock);
}
