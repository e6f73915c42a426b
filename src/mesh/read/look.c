/* Compare the first bytes of a mesh file and its name (look.h). */
#include "mesh/read/look.h"

#include <string.h>
#include <strings.h>

int triad_mesh_look_ends(const triad_mesh_look *look, const char *ending)
{
  size_t n = strlen(look->path);
  const size_t m = strlen(ending);
  if (n > 3 && strcasecmp(look->path + n - 3, ".gz") == 0) n -= 3;
  return n > m && strncasecmp(look->path + n - m, ending, m) == 0;
}

int triad_mesh_look_begins(const triad_mesh_look *look, char comment, const char *word)
{
  const char *at = look->head, *end = at + look->length;
  if (look->length >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) at += 3;
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n' || (comment && *at == comment))) {
    if (comment && *at == comment)
      while (at + 1 < end && *at != '\n') at++;
    at++;
  }
  return end - at >= (int64_t)strlen(word) && memcmp(at, word, strlen(word)) == 0;
}
