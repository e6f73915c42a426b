/* Parse the texts of boundaries.patches: a name, a kind and its options. */
#include "solvers/unstructured/plain/patches.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRESSURE = 1, TEMPERATURE = 2, DENSITY = 4, VELOCITY = 8, WITH = 16, SPONGE = 32, STRENGTH = 64 };

static const struct {
  const char *name;
  triad_unstructured_kind kind;
  int takes, needs;
} kinds[] = {
  {"slip", TRIAD_UNSTRUCTURED_SLIP, 0, 0},
  {"symmetry", TRIAD_UNSTRUCTURED_SLIP, 0, 0},
  {"inflow", TRIAD_UNSTRUCTURED_INFLOW, PRESSURE | TEMPERATURE | DENSITY | VELOCITY, PRESSURE},
  {"outflow", TRIAD_UNSTRUCTURED_OUTFLOW, 0, 0},
  {"pressure", TRIAD_UNSTRUCTURED_PRESSURE, PRESSURE, PRESSURE},
  {"noslip", TRIAD_UNSTRUCTURED_NOSLIP, TEMPERATURE, 0},
  {"farfield", TRIAD_UNSTRUCTURED_FARFIELD, PRESSURE | TEMPERATURE | DENSITY | VELOCITY | SPONGE | STRENGTH, PRESSURE},
  {"total", TRIAD_UNSTRUCTURED_TOTAL, PRESSURE | TEMPERATURE, PRESSURE},
  {"periodic", TRIAD_UNSTRUCTURED_PERIODIC, WITH, 0},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *triad_unstructured_kind_name(triad_unstructured_kind kind)
{
  for (int i = 0; i < KINDS; i++)
    if (kinds[i].kind == kind) return kinds[i].name;
  return "";
}

/* The patch being parsed. */
typedef struct reading {
  triad_unstructured_patch *patch;
  double temperature;
  int given;
  char *why;
} reading;

/* A part of the text without blanks around it, into word[TRIAD_MESH_NAME]; 0: it is empty, or too long. */
static int take_word(const char *begin, const char *end, char *word)
{
  while (begin < end && *begin == ' ') begin++;
  while (end > begin && end[-1] == ' ') end--;
  if (begin == end || end - begin >= TRIAD_MESH_NAME) return 0;
  memcpy(word, begin, (size_t)(end - begin));
  word[end - begin] = '\0';
  return 1;
}

static int set_number(reading *r, const char *key, double value)
{
  static const struct {
    const char *name;
    int flag, positive;
  } options[] = {{"pressure", PRESSURE, 1}, {"temperature", TEMPERATURE, 1},
                 {"density", DENSITY, 1},   {"u", VELOCITY, 0},
                 {"v", VELOCITY, 0},        {"w", VELOCITY, 0},
                 {"sponge", SPONGE, 1},     {"strength", STRENGTH, 1}};
  double *const to[] = {&r->patch->state[4], &r->temperature,     &r->patch->state[0], &r->patch->state[1],
                        &r->patch->state[2], &r->patch->state[3], &r->patch->sponge,   &r->patch->strength};
  for (int i = 0; i < 8; i++) {
    if (strcmp(key, options[i].name) != 0) continue;
    if (options[i].positive && !(value > 0)) {
      (void)snprintf(r->why, TRIAD_UNSTRUCTURED_WHY, "%s must be above 0", key);
      return 0;
    }
    *to[i] = value;
    r->given |= options[i].flag;
    return 1;
  }
  (void)snprintf(r->why, TRIAD_UNSTRUCTURED_WHY,
                 "\"%s\" is unknown: use pressure, temperature, density, u, v, w, sponge or strength", key);
  return 0;
}

static int set_option(reading *r, const char *begin, const char *end)
{
  const char *equals = memchr(begin, '=', (size_t)(end - begin));
  char key[TRIAD_MESH_NAME], value[TRIAD_MESH_NAME], *rest;
  if (!equals || !take_word(begin, equals, key) || !take_word(equals + 1, end, value)) {
    (void)snprintf(r->why, TRIAD_UNSTRUCTURED_WHY, "\"%.*s\" is not of the form key=value", (int)(end - begin), begin);
    return 0;
  }
  if (strcmp(key, "with") == 0) {
    memcpy(r->patch->with, value, sizeof value);
    (void)triad_name_clean(r->patch->with, "-");
    r->given |= WITH;
    return 1;
  }
  double number = strtod(value, &rest);
  if (*rest || !isfinite(number)) {
    (void)snprintf(r->why, TRIAD_UNSTRUCTURED_WHY, "%s=%s is not a number", key, value);
    return 0;
  }
  return set_number(r, key, number);
}

static int find_kind(reading *r, const char *begin, const char *end)
{
  char word[TRIAD_MESH_NAME] = "";
  (void)take_word(begin, end, word);
  for (int i = 0; i < KINDS; i++)
    if (strcmp(word, kinds[i].name) == 0) return i;
  int at = snprintf(r->why, TRIAD_UNSTRUCTURED_WHY, "unknown kind \"%s\":", word);
  for (int i = 0; i < KINDS; i++)
    at += snprintf(r->why + at, (size_t)(TRIAD_UNSTRUCTURED_WHY - at), "%s %s", i > 0 ? "," : "", kinds[i].name);
  return -1;
}

static const char *end_of(const char *from)
{
  const char *comma = strchr(from, ',');
  return comma ? comma : from + strlen(from);
}

static int complete(reading *r, int kind)
{
  triad_unstructured_patch *p = r->patch;
  if (r->given & ~kinds[kind].takes || kinds[kind].needs & ~r->given ||
      (r->given & TEMPERATURE && r->given & DENSITY)) {
    (void)snprintf(r->why, TRIAD_UNSTRUCTURED_WHY,
                   r->given & ~kinds[kind].takes   ? "%s does not accept all of these parameters"
                   : kinds[kind].needs & ~r->given ? "%s requires pressure="
                                                   : "%s: give either density or temperature, not both",
                   kinds[kind].name);
    return 0;
  }
  if (kinds[kind].kind == TRIAD_UNSTRUCTURED_INFLOW && !(r->given & VELOCITY)) {
    (void)snprintf(r->why, TRIAD_UNSTRUCTURED_WHY,
                   "inflow: nothing enters without a velocity: set u, v or w, or use farfield");
    return 0;
  }
  if (kinds[kind].kind == TRIAD_UNSTRUCTURED_PERIODIC && strcmp(p->name, TRIAD_UNSTRUCTURED_REST) == 0) {
    (void)snprintf(r->why, TRIAD_UNSTRUCTURED_WHY, "periodic requires the name of a patch, not \"*\"");
    return 0;
  }
  if (r->given & STRENGTH && !(r->given & SPONGE)) {
    (void)snprintf(r->why, TRIAD_UNSTRUCTURED_WHY, "%s: strength requires sponge, its width", kinds[kind].name);
    return 0;
  }
  if (kinds[kind].kind == TRIAD_UNSTRUCTURED_NOSLIP) {
    p->state[4] = r->given & TEMPERATURE ? r->temperature : 0;
    return 1;
  }
  if (!(r->given & DENSITY)) p->state[0] = p->state[4] / r->temperature;
  return 1;
}

/* One patch, whose name ends before `stop`, with what follows the colon. */
static int read_one(triad_unstructured_patch *p, const char *name, const char *stop, const char *colon,
                    char why[TRIAD_UNSTRUCTURED_WHY])
{
  reading r = {.patch = p, .temperature = 1, .why = why};
  *p = (triad_unstructured_patch){.state = {1, 0, 0, 0, 1}, .strength = 1};
  if (!take_word(name, stop, p->name)) return 0;
  if (strcmp(p->name, TRIAD_UNSTRUCTURED_REST) != 0) (void)triad_name_clean(p->name, "-"); /* as those of meshes are */
  const char *end = end_of(colon + 1);
  int kind = find_kind(&r, colon + 1, end);
  if (kind < 0) return 0;
  p->kind = kinds[kind].kind;
  while (*end) {
    const char *begin = end + 1;
    end = end_of(begin);
    if (!set_option(&r, begin, end)) return 0;
  }
  return complete(&r, kind);
}

/* Two periodic patches of a text are each other's partners. */
static int pair_up(triad_unstructured_patch *p, int n, char why[TRIAD_UNSTRUCTURED_WHY])
{
  if (n < 2 || p[0].kind != TRIAD_UNSTRUCTURED_PERIODIC) return 1;
  if (p[0].with[0]) {
    (void)snprintf(why, TRIAD_UNSTRUCTURED_WHY, "periodic: give with= for one patch, not for several");
    return 0;
  }
  for (int i = 0; i < 2 && n == 2; i++) memcpy(p[i].with, p[1 - i].name, sizeof p[i].with);
  return 1;
}

int triad_unstructured_patches_read(triad_unstructured_patch *p, int room, const char *text,
                                    char why[TRIAD_UNSTRUCTURED_WHY])
{
  const char *colon = strchr(text, ':');
  int n = 0;
  for (const char *at = text; colon && at <= colon; n++) {
    const char *plus = memchr(at, '+', (size_t)(colon - at)), *stop = plus ? plus : colon;
    if (n == room) {
      (void)snprintf(why, TRIAD_UNSTRUCTURED_WHY, "more than %d patches", TRIAD_MESH_PATCHES);
      return 0;
    }
    why[0] = '\0';
    if (!read_one(&p[n], at, stop, colon, why)) break;
    at = stop + 1;
    if (stop == colon) return pair_up(p, n + 1, why) ? n + 1 : 0;
  }
  if (!colon || !why[0])
    (void)snprintf(why, TRIAD_UNSTRUCTURED_WHY, "\"%.80s\" is not of the form \"patch: kind, key=value\"", text);
  return 0;
}

int triad_unstructured_patch_read(triad_unstructured_patch *p, const char *text, char why[TRIAD_UNSTRUCTURED_WHY])
{
  return triad_unstructured_patches_read(p, 1, text, why) == 1;
}
