/* Neutral map files (.nmf): for each face of each block, or part of one, a line: its type, block, face, and ranges of nodes;
 * of a ONE_TO_ONE line those of the other face too, which coinciding nodes tell as well. */
#include "blocks/read/plot3d.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Face numbers 1 to 6: k, i, j, lower and upper; the axes of the two ranges. */
static const int axis_of[6] = {2, 2, 0, 0, 1, 1}, first_of[6] = {0, 0, 1, 1, 2, 2}, second_of[6] = {1, 1, 2, 2, 0, 0};

static int bad(const char *path, int line, const char *what)
{
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: line %d: %s", path, line, what);
}

static int read_face(const char *path, int line, const long long v[6], int n, const int64_t (*cells)[3], triad_blocks_map_row *row)
{
  if (v[0] < 1 || v[0] > n) return bad(path, line, "no such block");
  if (v[1] < 1 || v[1] > 6) return bad(path, line, "a face is 1 to 6");
  int face = (int)v[1] - 1, t[2] = {first_of[face], second_of[face]};
  row->zone = (int)v[0] - 1;
  row->axis = axis_of[face];
  row->upper = face % 2;
  const int64_t *c = cells[row->zone];
  row->low[row->axis] = row->upper ? c[row->axis] - 1 : 0;
  row->high[row->axis] = row->low[row->axis] + 1;
  for (int i = 0; i < 2; i++) {
    long long from = v[2 + 2 * i], to = v[3 + 2 * i], low = from < to ? from : to, high = from < to ? to : from;
    if (low == 1 && high == 1 && c[t[i]] == 1) high = 2; /* a plane has one node across */
    if (low < 1 || high > c[t[i]] + 1 || low == high) return bad(path, line, "a range of nodes that the block does not have");
    row->low[t[i]] = low - 1;
    row->high[t[i]] = high - 1;
  }
  return TRIAD_OK;
}

static int read_row(const char *path, int line, const char *text, int n, const int64_t (*cells)[3], triad_blocks_map *out)
{
  long long v[12];
  char type[TRIAD_BLOCKS_NAME];
  triad_blocks_map_row row = {.zone = 0};
  int got = sscanf(text, "%47s %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld", type, &v[0], &v[1], &v[2], &v[3],
                   &v[4], &v[5], &v[6], &v[7], &v[8], &v[9], &v[10], &v[11]);
  if (got < 7) return bad(path, line, "a type and six numbers are expected");
  for (char *p = type; *p; p++) *p = (char)tolower((unsigned char)*p);
  row.joined = strcmp(type, "one_to_one") == 0 || strcmp(type, "one-to-one") == 0;
  memcpy(row.name, type, sizeof row.name);
  if (row.joined && got < 13) return bad(path, line, "a join has twelve numbers");
  for (int side = 0; side < 1 + row.joined; side++) {
    TRIAD_TRY(read_face(path, line, v + 6 * side, n, cells, &row));
    if (out->n == TRIAD_BLOCKS_MAX_MAP_ROWS) return bad(path, line, "too many lines");
    row.other = side ? out->n - 1 : out->n + 1;
    out->row[out->n++] = row;
  }
  return TRIAD_OK;
}

int triad_blocks_map_read(const char *path, const char *text, int n, const int64_t (*cells)[3], triad_blocks_map *out)
{
  int line = 0, blocks = -1, seen = 0;
  out->n = 0;
  for (const char *at = text; *at; line++) {
    char one[512];
    size_t length = strcspn(at, "\n");
    if (length >= sizeof one) return bad(path, line + 1, "too long");
    memcpy(one, at, length);
    one[length] = '\0';
    at += length + (at[length] == '\n');
    const char *begin = one + strspn(one, " \t\r");
    if (!*begin || *begin == '#' || *begin == '!') continue;
    if (blocks < 0) {
      blocks = atoi(begin);
      if (blocks != n) return bad(path, line + 1, "its number of blocks is not that of the grid");
    } else if (seen < blocks) {
      long long b, size[3];
      if (sscanf(begin, "%lld %lld %lld %lld", &b, &size[0], &size[1], &size[2]) != 4 || b < 1 || b > n)
        return bad(path, line + 1, "a block and its three numbers of nodes are expected");
      for (int a = 0; a < 3; a++)
        if (size[a] != cells[b - 1][a] + 1 && !(a == 2 && size[a] == 1 && cells[b - 1][a] == 1))
          return bad(path, line + 1, "the block has another size in the grid");
      seen++;
    } else TRIAD_TRY(read_row(path, line + 1, begin, n, cells, out));
  }
  return blocks < 0 || seen < blocks ? bad(path, line, "it ends before all blocks are named") : TRIAD_OK;
}
