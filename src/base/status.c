#include "base/status.h"

#include "base/text.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Like errno: the one piece of state that a failing call leaves behind for whoever reports it. */
static struct {
  pthread_mutex_t lock;
  int kept, printed, silent;
  char text[1024];
} message = {.lock = PTHREAD_MUTEX_INITIALIZER};

void triad_note(const char *file, int line, const char *format, ...)
{
  pthread_mutex_lock(&message.lock);
  if (!message.kept) {
    int at = snprintf(message.text, sizeof message.text, "%s:%d: ", file, line);
    va_list args;
    va_start(args, format);
    if (at > 0 && (size_t)at < sizeof message.text)
      (void)vsnprintf(message.text + at, sizeof message.text - (size_t)at, format, args);
    va_end(args);
    message.kept = 1;
  }
  pthread_mutex_unlock(&message.lock);
}

void triad_note_again(const char *text)
{
  pthread_mutex_lock(&message.lock);
  if (!message.kept) (void)snprintf(message.text, sizeof message.text, "%s", text);
  message.kept = 1;
  pthread_mutex_unlock(&message.lock);
}

const char *triad_message(void) { return message.kept ? message.text : ""; }

void triad_message_clear(void)
{
  pthread_mutex_lock(&message.lock);
  message.kept = message.printed = 0;
  message.text[0] = '\0';
  pthread_mutex_unlock(&message.lock);
}

void triad_message_reason(char *why, size_t size)
{
  const char *text = triad_message(), *behind_place = strstr(text, ".c:");
  if (behind_place) behind_place = strstr(behind_place, ": ");
  (void)snprintf(why, size, "%s", behind_place ? behind_place + 2 : text);
  triad_message_clear();
}

void triad_message_silence(int silent) { message.silent = silent; }

void triad_message_print(int rank)
{
  pthread_mutex_lock(&message.lock);
  if (message.kept && !message.printed && !message.silent) {
    char safe[2 * sizeof message.text]; /* paths and names in it may hold anything */
    (void)triad_escape(safe, sizeof safe, message.text, strlen(message.text), TRIAD_ESCAPE_PLAIN);
    if (rank >= 0)
      (void)fprintf(stderr, "triad: rank %d: %s\n", rank, safe);
    else
      (void)fprintf(stderr, "triad: %s\n", safe);
    (void)fflush(stderr);
    message.printed = 1;
  }
  pthread_mutex_unlock(&message.lock);
}
