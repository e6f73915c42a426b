#include "command/info_lines.h"

#include "store/disk.h"

#include <stdlib.h>

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
  if (file)
    (void)fclose(file);
  else
    (void)triad_disk_close(&fd, path);
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: room for a line", path);
}

int triad_info_lines_next(triad_info_lines *l)
{
  int c, cut = 0;
  l->length = 0;
  while ((c = getc_unlocked(l->file)) != EOF && c != '\n') {
    if (l->length + 1 < TRIAD_INFO_LINE)
      l->text[l->length++] = (char)c;
    else
      cut = 1;
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
