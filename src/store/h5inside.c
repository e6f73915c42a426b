#include "store/h5inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void triad_h5_quiet(void) { (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

static herr_t take_innermost(unsigned n, const H5E_error2_t *error, void *out)
{
  if (n == 0 && error->desc) (void)snprintf(out, 256, "%s", error->desc);
  return 0;
}

const char *triad_h5_words(void)
{
  static _Thread_local char words[256];
  words[0] = '\0';
  (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, words);
  return words;
}

int triad_h5_note(int code, const char *source, int line, const char *path, const char *format, ...)
{
  char what[512];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(what, sizeof what, format, args);
  va_end(args);
  const char *words = triad_h5_words();
  triad_note(source, line, "%s: %s%s%s", path, what, words[0] ? ": " : "", words);
  return code;
}

int triad_h5_wrap(struct triad_h5 **out, hid_t id, const char *path, triad_h5_pages *pages)
{
  *out = calloc(1, sizeof **out);
  char *copy = strdup(path);
  if (*out && copy) {
    **out = (struct triad_h5){id, copy, pages};
    return TRIAD_OK;
  }
  free(*out);
  free(copy);
  *out = NULL;
  (void)H5Fclose(id);
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: the handle of an HDF5 file", path);
}
