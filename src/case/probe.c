/* Parse the points and lattices of output.probes and check them as a rule of the case. */
#include "case/probe.h"

#include "case/case_internal.h"
#include "case/case_errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Read numbers in brackets, separated by commas. Returns 0 if the text is different. */
static int read_point(const char *text, double x[3])
{
  const char *at = text + 1, *close = strchr(text, ']');
  if (text[0] != '[' || !close || close[1 + strspn(close + 1, " ")] != '\0') return 0;
  for (int i = 0; i < 3; i++) {
    const char *end = i < 2 ? memchr(at, ',', (size_t)(close - at)) : close;
    if (!end) return 0;
    at += strspn(at, " ");
    const char *last = end;
    while (last > at && last[-1] == ' ') last--;
    if (!triad_number_read(at, (size_t)(last - at), &x[i])) return 0;
    at = end + 1;
  }
  return 1;
}

/* 1: a lattice; -1: one without points, or of too many; 0: none. */
static int read_lattice(const char *text, int64_t n[3])
{
  static const char word[] = "lattice";
  if (strncmp(text, word, sizeof word - 1) != 0) return 0;
  const char *at = text + sizeof word - 1;
  for (int i = 0; i < 3; i++) {
    char *end;
    if (*at != ' ') return 0;
    at += strspn(at, " ");
    if (*at < '0' || *at > '9') return 0;
    n[i] = strtoll(at, &end, 10);
    at = end;
  }
  if (at[strspn(at, " ")] != '\0') return 0;
  int64_t places = 1;
  for (int i = 0; i < 3; i++) {
    if (n[i] < 1 || n[i] > TRIAD_PROBE_PLACES) return -1;
    places *= n[i];
  }
  return places <= TRIAD_PROBE_PLACES ? 1 : -1;
}

int triad_probe_read(const char *text, triad_probe *out, char *why, size_t size)
{
  char quote[TRIAD_QUOTE_SIZE];
  *out = (triad_probe){.n = {1, 1, 1}};
  text += strspn(text, " ");
  if (read_point(text, out->x)) return 1;
  int st = read_lattice(text, out->n);
  out->lattice = st > 0;
  if (st > 0) return 1;
  if (st < 0)
    (void)snprintf(why, size, "%s: a lattice requires at least one point along each axis, and at most %d in all",
                   triad_quote(quote, text, strlen(text)), TRIAD_PROBE_PLACES);
  else
    (void)snprintf(why, size, "%s is not a point: write \"[1.0, pi/2, 3]\" or \"lattice 4 4 4\"",
                   triad_quote(quote, text, strlen(text)));
  return 0;
}

int64_t triad_probe_places(const triad_probe *list, int n)
{
  int64_t places = 0;
  for (int i = 0; i < n; i++) places += list[i].n[0] * list[i].n[1] * list[i].n[2];
  return places;
}

int triad_probe_list(const triad_case *given, triad_probe list[TRIAD_PROBES])
{
  const char *texts[TRIAD_PROBES];
  char why[256];
  int n = triad_case_texts(given, "output.probes", texts, TRIAD_PROBES);
  for (int i = 0; i < n; i++) (void)triad_probe_read(texts[i], &list[i], why, sizeof why);
  return n;
}

void triad_probe_rule(triad_case *c)
{
  const char *texts[TRIAD_PROBES];
  char why[256];
  triad_probe probe;
  int64_t places = 0;
  int n = triad_case_good(c, "output.probes") ? triad_case_texts(c, "output.probes", texts, TRIAD_PROBES) : 0;
  for (int i = 0; i < n; i++) {
    if (!triad_probe_read(texts[i], &probe, why, sizeof why))
      triad_case_error_of_value(c, "output.probes", i, "output.probes: value %d of %d: %s", i + 1, n, why);
    else if ((places += triad_probe_places(&probe, 1)) > TRIAD_PROBE_PLACES)
      triad_case_error_of_value(c, "output.probes", i,
                                "output.probes: value %d of %d: %lld points up to here exceed the maximum of %d", i + 1,
                                n, (long long)places, TRIAD_PROBE_PLACES);
  }
}
