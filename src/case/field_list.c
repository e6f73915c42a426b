/* Parse the entries of output.fields: quantities, a filter by modes, and a part of the box. */
#include "case/field_list.h"

#include "case/case_internal.h"
#include "case/case_errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What follows a word and a blank; NULL: the text begins with another word. */
static const char *behind(const char *text, const char *word)
{
  size_t n = strlen(word);
  return strncmp(text, word, n) == 0 && text[n] == ' ' ? text + n + strspn(text + n, " ") : NULL;
}

static int take_modes(triad_field_list *list, const char *number)
{
  char *end;
  if (list->modes > 0) return 0;
  list->modes = strtoll(number, &end, 10);
  return *number >= '0' && *number <= '9' && *end == '\0' && list->modes > 0 && list->modes < 1 << 20;
}

static int take_box(triad_field_list *list, const char *at)
{
  if (list->boxed) return 0;
  for (int i = 0; i < 6; i++) {
    size_t n = strcspn(at, " ");
    if (n == 0 || !triad_number_read(at, n, &list->box[i])) return 0;
    at += n + strspn(at + n, " ");
  }
  for (int axis = 0; axis < 3; axis++)
    if (!(list->box[2 * axis] <= list->box[2 * axis + 1])) return 0;
  list->boxed = *at == '\0';
  return list->boxed;
}

static int take_quantity(triad_field_list *list, const char *text, const char *solver, const triad_own_names *own,
                         char *why, size_t size)
{
  triad_slice_quantity *q = &list->quantity[list->n];
  if (list->n == TRIAD_FIELD_LIST) {
    (void)snprintf(why, size, "more than %d quantities: remove some", TRIAD_FIELD_LIST);
    return 0;
  }
  if (!triad_quantity_read(text, solver, own, q, why, size)) return 0;
  for (int i = 0; i < list->n; i++)
    if (strcmp(list->quantity[i].name, q->name) == 0) {
      (void)snprintf(why, size, "%s is repeated", q->name);
      return 0;
    }
  list->n++;
  return 1;
}

int triad_field_list_take(triad_field_list *list, const char *text, const char *solver, const triad_own_names *own,
                          char *why, size_t size)
{
  char quote[TRIAD_QUOTE_SIZE];
  const char *modes = behind(text, "modes"), *box = behind(text, "box");
  if (!modes && !box) return take_quantity(list, text, solver, own, why, size);
  if (modes ? take_modes(list, modes) : take_box(list, box)) return 1;
  (void)triad_quote(quote, text, strlen(text));
  if (modes) (void)snprintf(why, size, "%s: write \"modes 64\" once, with a number above 0", quote);
  else
    (void)snprintf(why, size,
                   "%s: write \"box 0 pi 0 2pi 1 2\" once, with two increasing numbers for each of x, y and z", quote);
  return 0;
}
