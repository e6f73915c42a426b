/* Status of a call, and the one message that explains a failure.
 *
 * Every function that can fail returns one of the codes below; values come back through pointers.
 * Whoever detects a failure returns TRIAD_FAIL(code, "what, how big"); callers pass it up with TRIAD_TRY.
 * The codes are the exit codes of the command, so that the worst of all ranks is simply the largest. */
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
  TRIAD_ERR_FEATURE = 69,  /* feature not built, or the device is not there         */
  TRIAD_ERR_INTERNAL = 70, /* a broken invariant or a failed library call           */
  TRIAD_ERR_MEMORY = 71,   /* not enough memory                                     */
  TRIAD_ERR_IO = 74,       /* reading or writing failed                             */
  TRIAD_STOPPED = 75,      /* stopped early with a good checkpoint: not an error    */
  TRIAD_ERR_BLOWUP = 80    /* the solution stopped being finite                     */
};

/* Keep the message of this process's first failure since triad_message_clear(): "what [fft/pass.c:41]". Some codes
 * add how `what` is to be read, so that a caller names the object alone: TRIAD_ERR_MEMORY "out of memory: cannot
 * allocate memory for ", TRIAD_ERR_INTERNAL "internal error: ", TRIAD_ERR_IO "I/O error: "; others, and 0, add
 * nothing. Thread-safe: the first wins. Not collective. */
void triad_note(const char *file, int line, int code, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Keep a message that triad_message of another process returned, location included. */
void triad_note_again(const char *text);

/* The kept message ("" when there is none). Valid until the next triad_note or clear. */
const char *triad_message(void);
void triad_message_clear(void);

/* The kept message without its location in the sources, into why[size]; it is then forgotten. */
void triad_message_reason(char *why, size_t size);

/* The message that is kept now and the one in *other change places: of works that take turns in one thread each has its
 * own (parallel/fibers.h). An empty one is {0}. */
typedef struct triad_kept_message {
  int kept, printed;
  char text[1024];
} triad_kept_message;
void triad_message_swap(triad_kept_message *other);

/* From now on nothing is printed here: who calls reads triad_message. 0: as before. */
void triad_message_silence(int silent);

/* Print the kept message once, as "triad: error: rank 3: what [file:line]" (no rank when rank < 0), on stderr. */
void triad_message_print(int rank);

#ifdef __cplusplus
}
#endif

#define TRIAD_FAIL(code, ...) (triad_note(__FILE__, __LINE__, (code), __VA_ARGS__), (code))

/* The same for messages that are whole sentences: nothing is added to them. */
#define TRIAD_FAIL_PLAIN(code, ...) (triad_note(__FILE__, __LINE__, 0, __VA_ARGS__), (code))

/* For calls whose status is the same on every rank, or whose caller agrees on it before the next collective call. */
#define TRIAD_TRY(call) \
  do { \
    int triad_try_ = (call); \
    if (triad_try_ != TRIAD_OK) return triad_try_; \
  } while (0)

#endif
