/* Parse the entries of output.means and check them as a rule of the case. */
#include "case/mean.h"

#include "case/case_internal.h"
#include "case/case_errors.h"

#include <stdio.h>
#include <string.h>

/* The place that an entry sets; NULL: none has this name. */
static int *place_of(triad_mean_list *list, const char *text)
{
  static const char *const words[] = {"spectra",    "moments",    "pdfs",      "profiles x",
                                      "profiles y", "profiles z", "quantities"};
  int *const places[] = {&list->spectra,     &list->moments,     &list->pdfs,      &list->profiles[0],
                         &list->profiles[1], &list->profiles[2], &list->quantities};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], text) == 0) return places[i];
  return NULL;
}

int triad_mean_take(triad_mean_list *list, const char *text, char *why, size_t size)
{
  char quote[TRIAD_QUOTE_SIZE];
  int *place = place_of(list, text);
  if (place && !*place) {
    *place = list->any = 1;
    return 1;
  }
  (void)triad_quote(quote, text, strlen(text));
  if (place) (void)snprintf(why, size, "%s is repeated", quote);
  else
    (void)snprintf(why, size, "%s is not one of spectra, moments, pdfs, profiles x, profiles y, profiles z, quantities",
                   quote);
  return 0;
}

triad_mean_list triad_mean_asked(const triad_case *given)
{
  const char *texts[TRIAD_MEANS];
  char why[256];
  triad_mean_list list = {0};
  int n = triad_case_texts(given, "output.means", texts, TRIAD_MEANS);
  for (int i = 0; i < n; i++) (void)triad_mean_take(&list, texts[i], why, sizeof why); /* checked with the case */
  return list;
}

void triad_mean_rule(triad_case *c)
{
  const char *texts[TRIAD_MEANS];
  char why[256];
  triad_mean_list list = {0};
  int n = triad_case_good(c, "output.means") ? triad_case_texts(c, "output.means", texts, TRIAD_MEANS) : 0;
  for (int i = 0; i < n; i++)
    if (!triad_mean_take(&list, texts[i], why, sizeof why))
      triad_case_error_of_value(c, "output.means", i, "output.means: value %d of %d: %s", i + 1, n, why);
}

void triad_mean_rule_of_fields(triad_case *c)
{
  triad_mean_rule(c);
  if (triad_case_good(c, "output.means") && triad_mean_asked(c).quantities)
    triad_case_error_of(
      c, "output.means",
      "output.means: \"quantities\" requires [[output.quantities]], which this solver does not support");
}
