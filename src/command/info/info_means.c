/* Describe means.h5: the number of samples, and whether the flow appears stationary. */
#include "command/info/info_means.h"
#include "command/info/info.h"
#include "command/info/info_lines.h"
#include "command/info/info_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How many standard errors a drift may be away from none. */
static const double FAR = 2;

/* The one value of NAME + suffix; NAN where there is none. */
static double value_of(triad_inspection *k, const char *name, const char *suffix)
{
  char full[TRIAD_DATASET_NAME];
  const int64_t first = 0, one = 1;
  double value = NAN;
  (void)snprintf(full, sizeof full, "%s%s", name, suffix);
  if (!triad_inspection_find(k, full) || triad_h5_read(k->file, full, 1, &first, &one, 8, &value) != TRIAD_OK) {
    triad_message_clear();
    return NAN;
  }
  return value;
}

static void tell_number(triad_inspection *k, const char *name)
{
  char drift[160] = "";
  const double mean = value_of(k, name, ""), error = value_of(k, name, "_error");
  const double trend = value_of(k, name, "_trend"), of_trend = value_of(k, name, "_trend_error");
  if (isnan(mean)) return;
  if (isnan(error)) {
    triad_info_line("    %-12s %.6g, too few samples to estimate its error", name, mean);
    return;
  }
  if (!isnan(trend) && !isnan(of_trend))
    (void)snprintf(drift, sizeof drift, "; drift %.2g +- %.2g: %s", trend, of_trend,
                   fabs(trend) <= FAR * of_trend ? "looks stationary" : "not stationary");
  triad_info_line("    %-12s %.6g +- %.2g%s", name, mean, error, drift);
}

int triad_inspect_means(triad_inspection *k)
{
  double samples = 0, blocks = 0, length = 0, times[2] = {0};
  const char *name = strrchr(k->path, '/');
  TRIAD_TRY(triad_h5_root_reals(k->file, "samples", 1, &samples));
  TRIAD_TRY(triad_h5_root_reals(k->file, "blocks", 1, &blocks));
  TRIAD_TRY(triad_h5_root_reals(k->file, "block_samples", 1, &length));
  TRIAD_TRY(triad_h5_root_reals(k->file, "times", 2, times));
  if (k->how == TRIAD_INFO_WHOLE) triad_info_line("%s: running means", k->path);
  triad_info_line("  %-12s %.0f samples of t = %.8g to %.8g; errors from %.0f blocks of %.0f samples",
                  k->how == TRIAD_INFO_WHOLE ? "means"
                  : name                     ? name + 1
                                             : k->path,
                  samples, times[0], times[1], blocks, length);
  tell_number(k, "energy");
  tell_number(k, "dissipation");
  if (k->how != TRIAD_INFO_WHOLE) return TRIAD_OK;
  for (int i = 0; i < k->n_sets; i++) {
    const size_t n = strlen(k->sets[i].name);
    if (n > 6 && strcmp(k->sets[i].name + n - 6, "_error") == 0) continue;
    TRIAD_TRY(triad_inspection_values(k, &k->sets[i], NULL));
    triad_inspection_print(k, &k->sets[i]);
  }
  triad_inspection_print_notes(k);
  return TRIAD_OK;
}
