/* Print escaped lines of the report, and read text files of any size line by line. */
#include "command/info/info_lines.h"
#include "command/info/info.h"

#include "base/size.h"
#include "base/text.h"
#include "store/disk.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void say(FILE *to, const char *before, const char *format, va_list args)
{
  char *text = NULL, *safe = NULL;
  int length = vasprintf(&text, format, args);
  if (length < 0) text = NULL;
  size_t room = text ? 6 * (size_t)length + 1 : 0;
  safe = text ? malloc(room) : NULL;
  if (safe) (void)triad_escape(safe, room, text, (size_t)length, TRIAD_ESCAPE_PLAIN);
  (void)fprintf(to, "%s%s\n", before, safe ? safe : "(no memory for this line)");
  free(safe);
  free(text);
}

void triad_info_line(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say(stdout, "", format, args);
  va_end(args);
}

int triad_info_wrong(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say(stdout, "  WRONG: ", format, args);
  va_end(args);
  return TRIAD_ERR_CASE;
}

int triad_info_blame(int status)
{
  char why[1024];
  if (status != TRIAD_ERR_CASE && status != TRIAD_ERR_INPUT) return status;
  triad_message_reason(why, sizeof why);
  if (why[0]) return triad_info_wrong("%s", why);
  return TRIAD_ERR_CASE; /* reported already */
}

const char *triad_info_size(char buffer[32], double bytes)
{
  const char *unit = triad_size_unit(&bytes);
  (void)snprintf(buffer, 32, "%.3g %s", bytes, strcmp(unit, "B") == 0 ? "bytes" : unit);
  return buffer;
}

/* ---- lines of a file ---- */

int triad_info_lines_open(triad_info_lines **out, const char *path)
{
  int fd = -1;
  *out = NULL;
  TRIAD_TRY(triad_disk_open(path, 0, &fd));
  FILE *file = fdopen(fd, "r");
  triad_info_lines *l = file ? calloc(1, sizeof *l) : NULL;
  if (l) {
    l->path = path;
    l->file = file;
    *out = l;
    return TRIAD_OK;
  }
  if (file) (void)fclose(file);
  else (void)triad_disk_close(&fd, path);
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a buffer for a line", path);
}

int triad_info_lines_next(triad_info_lines *l)
{
  int c, cut = 0;
  l->length = 0;
  while ((c = getc_unlocked(l->file)) != EOF && c != '\n') {
    if (l->length + 1 < TRIAD_INFO_LINE) l->text[l->length++] = (char)c;
    else cut = 1;
  }
  l->text[l->length] = '\0';
  l->whole = c == '\n' && !cut;
  if (c == EOF && l->length == 0) return 0;
  l->number++;
  return 1;
}

int triad_info_lines_close(triad_info_lines **lines, int status)
{
  triad_info_lines *l = *lines;
  if (!l) return status;
  if (ferror(l->file) && status == TRIAD_OK) status = TRIAD_FAIL(TRIAD_ERR_IO, "%s: reading failed", l->path);
  (void)fclose(l->file);
  free(l);
  *lines = NULL;
  return status;
}
