/* A manifest of any bytes: refused, or one that is written as it was read. */
#include "fuzz.h"

#include "store/checkpoint/manifest.h"
#include "store/checkpoint/manifest_parse.h"

#include <xxhash.h>

/* Put the checksum of the last line right, so that what is behind it is reached. */
static void seal(char *text, size_t size)
{
  char end[24];
  if (size <= 21) return;
  (void)snprintf(end, sizeof end, "end %016llx\n", (unsigned long long)XXH3_64bits(text, size - 21));
  memcpy(text + size - 21, end, 21);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  triad_manifest *m = NULL, *back = NULL;
  char *text = copy_of(data, size), *once = NULL, *twice = NULL;
  int64_t bytes = 0, more = 0;
  if (size == 0 || data[0] != 'T') seal(text, size); /* T: as it is */
  int st = triad_manifest_parse(&m, "m", text, (int64_t)size);
  MUST(st == TRIAD_OK || st == TRIAD_ERR_CASE);
  MUST((st == TRIAD_OK) == (m != NULL));
  if (m) {
    for (int f = 0; f < m->n_fields; f++)
      MUST(m->fields[f].offset >= 0 && m->fields[f].offset <= m->file_bytes - triad_manifest_field_bytes(m, f));
    MUST(triad_manifest_format(m, &once, &bytes) == TRIAD_OK);
    MUST(triad_manifest_parse(&back, "m", once, bytes) == TRIAD_OK);
    MUST(triad_manifest_format(back, &twice, &more) == TRIAD_OK);
    MUST(bytes == more && memcmp(once, twice, (size_t)bytes) == 0);
  }
  triad_manifest_destroy(&m);
  triad_manifest_destroy(&back);
  triad_message_clear();
  free(text);
  free(once);
  free(twice);
  return 0;
}
