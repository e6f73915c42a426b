/* Neutral map files (.nmf): for each face of each block, or part of one, a line: its type, block, face, and ranges
 * of nodes. A ONE_TO_ONE line has those of the other face too. Files differ: types may be in quotes, in any case,
 * with hyphens; each line may end in a backslash, also a complete one, so that a line continues in the next one only
 * if numbers are missing. */
#include "blocks/read/mapfile.h"
#include "blocks/read/plot3d.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Face numbers 1 to 6: k, i, j, lower and upper; the axes of the two ranges. */
static const int axis_of[6] = {2, 2, 0, 0, 1, 1}, first_of[6] = {0, 0, 1, 1, 2, 2}, second_of[6] = {1, 1, 2, 2, 0, 0};

static int bad(const char *path, int line, const char *what)
{
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: line %d: %s", path, line, what);
}

static int read_face(const char *path, int line, const long long v[6], int n, const int64_t (*cells)[3],
                     triad_blocks_map_row *row)
{
  if (v[0] < 1 || v[0] > n) return bad(path, line, "no such block");
  if (v[1] < 1 || v[1] > 6) return bad(path, line, "a face number must be from 1 to 6");
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
    if (low < 1 || high > c[t[i]] + 1 || low == high) return bad(path, line, "the range of nodes is outside the block");
    row->low[t[i]] = low - 1;
    row->high[t[i]] = high - 1;
  }
  return TRIAD_OK;
}

/* A type in single or double quotes, or one word, in small letters; blanks and what a case cannot write become _.
 * NULL: no type; else where it ends. */
static const char *read_type(const char *text, char type[TRIAD_BLOCKS_NAME])
{
  const int quoted = *text == '\'' || *text == '"';
  const char *begin = text + quoted,
             *end = begin + (quoted ? strcspn(begin, *text == '"' ? "\"" : "'") : strcspn(begin, " \t"));
  const char *after = end + quoted;
  if (quoted && !*end) return NULL;
  begin += strspn(begin, " \t");
  while (end > begin && strchr(" \t", end[-1])) end--;
  if (end <= begin || end - begin >= TRIAD_BLOCKS_NAME) return NULL;
  for (; begin < end; begin++) *type++ = strchr(" \t+:,;=*/\"'", *begin) ? '_' : (char)tolower((unsigned char)*begin);
  *type = '\0';
  return after;
}

static int is_one_to_one(const char *type)
{
  static const char word[] = "one_to_one";
  size_t i = 0;
  while (word[i] && (type[i] == word[i] || (word[i] == '_' && type[i] == '-'))) i++;
  return !word[i] && !type[i];
}

/* The numbers at the begin of a text, up to the first word that is none, such as TRUE. -1: a word that only begins with
 * a number, or a number of more than 64 bits. */
static int count_numbers(const char *text, long long v[12])
{
  int n = 0;
  for (char *end; n < 12; text = end) {
    errno = 0;
    v[n] = strtoll(text, &end, 10);
    if (end == text) break;
    if ((*end && !strchr(" \t\r", *end)) || errno == ERANGE) return -1;
    n++;
  }
  return n;
}

/* How many numbers a line of a face needs. */
static int numbers_of(const char *text)
{
  char type[TRIAD_BLOCKS_NAME];
  return read_type(text, type) && is_one_to_one(type) ? 12 : 6;
}

static int read_row(const char *path, int line, const char *text, int n, const int64_t (*cells)[3],
                    triad_blocks_map *out)
{
  long long v[12];
  triad_blocks_map_row row = {.zone = 0};
  const char *numbers = read_type(text, row.name);
  if (!numbers) return bad(path, line, "expected the type of a face, 1 to 47 letters, with closed quotes");
  const int got = count_numbers(numbers, v);
  row.joined = is_one_to_one(row.name);
  if (got < 0) return bad(path, line, "a word that only begins with a number");
  if (got < 6) return bad(path, line, "a type and six numbers are expected");
  if (row.joined && got < 12) return bad(path, line, "a connection has twelve numbers");
  for (int side = 0; side < 1 + row.joined; side++) {
    TRIAD_TRY(read_face(path, line, v + 6 * side, n, cells, &row));
    if (out->n == TRIAD_BLOCKS_MAX_MAP_ROWS) return bad(path, line, "too many lines");
    row.other = side ? out->n - 1 : out->n + 1;
    out->row[out->n++] = row;
  }
  return TRIAD_OK;
}

/* ---- lines ---- */

typedef struct lines {
  const char *path, *at; /* at: the next line */
  int line;              /* number of the last one taken */
  char text[4096];       /* without the blanks and backslashes around it */
  int continued;         /* it ended in a backslash */
} lines;

/* Add the next line that holds anything to the text, behind `length` bytes of it. 0: the file ends; -1: it is too
 * long. */
static int add_line(lines *l, size_t length)
{
  while (*l->at) {
    size_t n = strcspn(l->at, "\n");
    const char *begin = l->at + strspn(l->at, " \t\r"), *end = l->at + n;
    l->at += n + (l->at[n] == '\n');
    l->line++;
    l->continued = 0;
    for (; end > begin && strchr(" \t\r\\", end[-1]); end--) l->continued |= end[-1] == '\\';
    if (end <= begin || *begin == '#' || *begin == '!') continue;
    n = (size_t)(end - begin);
    if (length + n + 2 > sizeof l->text) return -1;
    if (length > 0) l->text[length++] = ' ';
    memcpy(l->text + length, begin, n);
    l->text[length + n] = '\0';
    return 1;
  }
  return 0;
}

/* A word that says how a join is turned, which its nodes say too, on a line by itself. */
static int is_orientation(const char *text) { return strcasecmp(text, "true") == 0 || strcasecmp(text, "false") == 0; }

/* Read the next logical line: lines are joined as long as there are fewer numbers than required. 0: end of file. */
static int next_line(lines *l, int in_rows)
{
  long long v[12];
  int got = add_line(l, 0);
  while (got == 1 && l->continued) {
    char type[TRIAD_BLOCKS_NAME];
    const char *numbers = in_rows ? read_type(l->text, type) : l->text;
    if (numbers && count_numbers(numbers, v) < 0) break; /* which is reported later */
    if (numbers && count_numbers(numbers, v) >= (in_rows ? numbers_of(l->text) : 4)) break;
    const int more = add_line(l, strlen(l->text));
    if (more == 0) break;
    got = more;
  }
  return got;
}

int triad_blocks_map_read(const char *path, const char *text, int n, const int64_t (*cells)[3], triad_blocks_map *out)
{
  lines l = {.path = path, .at = text};
  int got = add_line(&l, 0);
  out->n = 0;
  if (got == 0) return bad(path, l.line, "the file ends before all blocks are named");
  if (got < 0) return bad(path, l.line, "too long");
  long long blocks[12];
  if (count_numbers(l.text, blocks) < 1 || blocks[0] != n)
    return bad(path, l.line, "the number of blocks differs from that of the grid");
  for (int seen = 0; seen < n; seen++) {
    long long v[12];
    if ((got = next_line(&l, 0)) == 0) return bad(path, l.line, "the file ends before all blocks are named");
    if (got < 0 || count_numbers(l.text, v) < 4 || v[0] < 1 || v[0] > n)
      return bad(path, l.line, "a block and its three numbers of nodes are expected");
    for (int a = 0; a < 3; a++)
      if (v[1 + a] != cells[v[0] - 1][a] + 1 && !(a == 2 && v[3] == 1 && cells[v[0] - 1][a] == 1))
        return bad(path, l.line, "the size of the block differs from that in the grid");
  }
  while ((got = next_line(&l, 1)) == 1) {
    if (!is_orientation(l.text)) TRIAD_TRY(read_row(path, l.line, l.text, n, cells, out));
  }
  return got < 0 ? bad(path, l.line, "too long") : TRIAD_OK;
}
