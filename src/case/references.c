/* Which published works the methods of a case are from. */
#include "case/part.h"

#include <stdio.h>
#include <string.h>

/* "equations.positivity=true", "time.scheme=rk3": has the key that value? A key that does not apply has none.
 * "bodies[1].shape", without a value: does the key apply, so that the case has such a table? */
static int has_value(const triad_case *c, const char *word, size_t length)
{
  char key[64], value[64];
  const char *equals = memchr(word, '=', length);
  if (!equals) {
    (void)snprintf(key, sizeof key, "%.*s", (int)length, word);
    return triad_case_applies(c, key);
  }
  (void)snprintf(key, sizeof key, "%.*s", (int)(equals - word), word);
  (void)snprintf(value, sizeof value, "%.*s", (int)(length - (size_t)(equals + 1 - word)), equals + 1);
  if (!triad_case_applies(c, key)) return 0;
  return strcmp(value, "true") == 0 ? triad_case_flag(c, key) : triad_case_is(c, key, value);
}

static int holds(const triad_case *c, const char *when)
{
  for (const char *word = when; word && *word; word += strspn(word, " ")) {
    size_t length = strcspn(word, " ");
    if (!has_value(c, word, length)) return 0;
    word += length;
  }
  return 1;
}

static int is_used(const triad_case *c, const char *solver, const triad_reference *r)
{
  return triad_solver_among(r->solvers, solver) && holds(c, r->when);
}

/* Does an earlier row name the same work? Two keys can choose one method. */
static int is_named_before(const triad_case *c, const char *solver, const triad_reference *first,
                           const triad_reference *r)
{
  for (const triad_reference *other = first; other < r; other++)
    if (strcmp(other->name, r->name) == 0 && is_used(c, solver, other)) return 1;
  return 0;
}

void triad_case_references(const triad_case *c, void (*tell)(void *who, const triad_reference *reference), void *who)
{
  const char *solver = triad_case_word(c, "equations.solver");
  for (int p = 0; triad_case_part_at(p); p++) {
    const triad_case_part *part = triad_case_part_at(p);
    if (!triad_case_part_has(part, solver)) continue;
    for (const triad_reference *r = part->references; r && r->name; r++)
      if (is_used(c, solver, r) && !is_named_before(c, solver, part->references, r)) tell(who, r);
  }
}
