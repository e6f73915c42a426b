/* Status codes of calls, and the one message that explains a failure.
 *
 * Every function that can fail returns one of the codes below; results are returned through pointers. The function
 * that detects a failure returns TRIAD_FAIL(code, "object, size"); callers pass it on with TRIAD_TRY. The codes are
 * the exit codes of the command; the worst status of all ranks is the largest. */
#ifndef TRIAD_BASE_STATUS_H
#define TRIAD_BASE_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TRIAD_OK = 0,
  TRIAD_ERR_USAGE = 64,    /* wrong command line                                    */
  TRIAD_ERR_CASE = 65,     /* bad case or bad data                                  */
  TRIAD_ERR_INPUT = 66,    /* an input file is missing                              */
  TRIAD_ERR_FEATURE = 69,  /* feature not built in, or device missing */
  TRIAD_ERR_INTERNAL = 70, /* a broken invariant or a failed library call           */
  TRIAD_ERR_MEMORY = 71,   /* not enough memory                                     */
  TRIAD_ERR_IO = 74,       /* reading or writing failed                             */
  TRIAD_STOPPED = 75,      /* stopped early with a good checkpoint: not an error    */
  TRIAD_ERR_BLOWUP = 80    /* the solution stopped being finite                     */
};

/* Store the message of this process's first failure since triad_message_clear(): "what [fft/pass/pass.c:41]". Some
 * codes add a prefix, so that a caller gives only the object: TRIAD_ERR_MEMORY "out of memory: cannot allocate memory
 * for ", TRIAD_ERR_INTERNAL "internal error: ", TRIAD_ERR_IO "I/O error: "; other codes, and 0, add nothing.
 * Thread-safe: the first message is stored. Not collective. */
void triad_note(const char *file, int line, int code, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Store a message from triad_message of another process, which includes its location. */
void triad_note_again(const char *text);

/* The stored message, "" if there is none. Valid until the next triad_note or clear. */
const char *triad_message(void);
void triad_message_clear(void);

/* Copy the stored message without its source location to why[size], and delete it. */
void triad_message_reason(char *why, size_t size);

/* Exchange the stored message with *other: fibers, which share a thread, each have their own message
 * (parallel/fibers.h). An empty one is {0}. */
typedef struct triad_kept_message {
  int kept, printed;
  char text[1024];
} triad_kept_message;
void triad_message_swap(triad_kept_message *other);

/* 1: print no messages from now on, because the caller reads triad_message. 0: print them. */
void triad_message_silence(int silent);

/* Print the stored message once, as "triad: error: rank 3: what [file:line]" (no rank if rank < 0), on stderr. */
void triad_message_print(int rank);

#ifdef __cplusplus
}
#endif

#define TRIAD_FAIL(code, ...) (triad_note(__FILE__, __LINE__, (code), __VA_ARGS__), (code))

/* The same for messages that are complete sentences: nothing is added to them. */
#define TRIAD_FAIL_PLAIN(code, ...) (triad_note(__FILE__, __LINE__, 0, __VA_ARGS__), (code))

/* For calls whose status is the same on every rank, or whose caller agrees on it before the next collective call. */
#define TRIAD_TRY(call) \
  do { \
    int triad_try_ = (call); \
    if (triad_try_ != TRIAD_OK) return triad_try_; \
  } while (0)

#endif
