/* The parts of a key's name: its table, and the name within it. */
#include "case/schema.h"

#include <string.h>

size_t triad_schema_table_length(const triad_key *key)
{
  const char *dot = strrchr(key->name, '.');
  return dot ? (size_t)(dot - key->name) : 0;
}

const char *triad_schema_short_name(const triad_key *key)
{
  const char *dot = strrchr(key->name, '.');
  return dot ? dot + 1 : key->name;
}
