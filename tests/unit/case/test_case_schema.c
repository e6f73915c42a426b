/* The tables of keys: what they say of solvers, words, quantities and defaults is whole, and pages and help show it.
 * ranks: 1 */
#include "cases.h"

#include "base/text.h"
#include "case/case.h"
#include "case/case_internal.h"
#include "case/schema.h"
#include "case/schema/schema_reference.h"

/* Does a row tell all that pages and errors need of it? */
static void check_row(const triad_key *key)
{
  TRIAD_HOLDS(key->help && strlen(key->help) > 10, "%s has no help", key->name);
  TRIAD_HOLDS(key->count >= 1, "%s", key->name);
  TRIAD_HOLDS(key->preset || key->example || key->type == TRIAD_KEY_WORD, "%s has no default", key->name);
  TRIAD_HOLDS(key->type != TRIAD_KEY_WORD || triad_key_word(key, 0), "%s has no words", key->name);
  TRIAD_HOLDS(!key->rising || (key->type == TRIAD_KEY_REAL && key->count == 2), "%s is no range", key->name);
}

TRIAD_TEST(every_default_and_example_is_in_range)
{
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  TRIAD_CHECK(triad_schema_write_defaults(file));
  TRIAD_EQUAL(fclose(file), 0, "fclose");
  triad_case *defaults = good(text, NULL, NULL), *bare = good(SMALLEST, NULL, NULL);
  for (int i = 0; i < bare->schema->n; i++) {
    const triad_key *key = bare->schema->row[i].key;
    TRIAD_EQUAL(triad_case_given(defaults, key->name), 1, key->name);
    if (!key->preset) continue;
    /* the text of the defaults means what no text means */
    TRIAD_EQUAL(same_values(key, triad_case_slot_of(defaults, key->name), triad_case_slot_of(bare, key->name)), 1,
                key->name);
  }
  triad_case_destroy(&defaults);
  triad_case_destroy(&bare);
  free(text);
}

static int same_table(const triad_schema *s, int i, int j)
{
  size_t a = triad_schema_table_length(s->row[i].key), b = triad_schema_table_length(s->row[j].key);
  return a == b && memcmp(s->row[i].key->name, s->row[j].key->name, a) == 0;
}

/* A key whose table another one came between: its number, or 0 where each table stands in one piece. */
static int torn_table(const triad_schema *s)
{
  for (int i = 2; i < s->n; i++)
    for (int j = 0; j < i - 1; j++)
      if (same_table(s, i, j) && !same_table(s, i, i - 1)) return i;
  return 0;
}

TRIAD_TEST(every_solver_has_each_of_its_keys_once_and_each_table_in_one_piece)
{
  const triad_word *w;
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_key *key = triad_case_part_at(p)->keys; key->name; key++) check_row(key);
  for (int i = 0; (w = triad_solver_word(i)) != NULL; i++) {
    triad_schema *s;
    TRIAD_CHECK(triad_schema_create(&s, w->name));
    TRIAD_HOLDS(w->about, "%s", w->name);
    TRIAD_HOLDS(triad_schema_any_word("initial.kind", triad_solver_row_at(i)->rest), "%s's rest", w->name);
    for (int k = 0; k < s->n; k++) {
      const char *name = s->row[k].key->name;
      check_row(s->row[k].key);
      TRIAD_EQUAL(triad_schema_find(s, name, strlen(name)), k, name);
    }
    for (const triad_key *key = triad_common_keys; key->name; key++)
      TRIAD_HOLDS(triad_schema_find(s, key->name, strlen(key->name)) >= 0, "%s lacks %s", w->name, key->name);
    TRIAD_HOLDS(!torn_table(s), "%s: %s stands apart from its table", w->name, s->row[torn_table(s)].key->name);
    triad_schema_destroy(&s);
  }
}

/* A word of a table's row that belongs to solvers must name solvers of that family. */
static int are_solvers_of(const triad_case_part *part, const char *solvers)
{
  int known = 0, named = 0;
  const triad_word *w;
  for (int i = 0; (w = triad_solver_word(i)) != NULL; i++)
    known += triad_case_part_has(part, w->name) && triad_solver_among(solvers, w->name);
  for (const char *at = solvers; *at; named++) {
    at += strcspn(at, " ");
    at += strspn(at, " ");
  }
  return known == named;
}

TRIAD_TEST(rows_words_and_quantities_name_solvers_of_their_own_family)
{
  for (int p = 0; triad_case_part_at(p); p++) {
    const triad_case_part *part = triad_case_part_at(p);
    const triad_word *w;
    for (const triad_key *key = part->keys; key->name; key++) {
      TRIAD_HOLDS(!key->solvers || are_solvers_of(part, key->solvers), "%s: %s", key->name, key->solvers);
      for (int i = 0; (w = triad_key_word(key, i)) != NULL; i++)
        TRIAD_HOLDS(!w->solvers || are_solvers_of(part, w->solvers), "%s %s: %s", key->name, w->name, w->solvers);
    }
    for (const triad_quantity *q = part->quantities; q->name; q++)
      TRIAD_HOLDS((!q->solvers || are_solvers_of(part, q->solvers)) && q->unit && q->long_name && q->field, "%s",
                  q->name);
  }
}

TRIAD_TEST(family_speaks_for_the_solvers_of_its_sets_and_a_set_for_its_own)
{
  const triad_word *w;
  for (int i = 0; (w = triad_solver_word(i)) != NULL; i++) {
    int families = 0, own = 0;
    for (int p = 0; triad_case_family_at(p); p++) families += triad_case_part_has(triad_case_family_at(p), w->name);
    for (int p = 0; triad_case_part_at(p); p++)
      for (const triad_solver_row *s = triad_case_part_at(p)->solvers; s->word.name; s++)
        own += strcmp(s->word.name, w->name) == 0;
    TRIAD_EQUAL(families, 1, w->name);
    TRIAD_EQUAL(own, 1, w->name);
  }
  for (int p = 0; triad_case_part_at(p); p++) {
    TRIAD_EQUAL(triad_case_part_has(triad_case_part_at(p), "hydro"), 0, "a solver that is not there");
    TRIAD_EQUAL(triad_case_part_has(triad_case_part_at(p), NULL), 1, "a solver that is not known");
  }
}

TRIAD_TEST(a_numbered_quantity_reaches_as_far_as_the_scalars)
{
  triad_slice s;
  char why[256];
  TRIAD_EQUAL(triad_slice_read("z=0: scalar1000, scalar12", "hd", NULL, &s, why, sizeof why), 1, "the last one");
  assert_string_equal(s.quantity[0].field, "scalar1000");
  assert_string_equal(s.quantity[1].long_name, "passive scalar 12");
  static const char *const bad[] = {"scalar0", "scalar1001", "scalar01", "scalar", "scalar1x", "scalar99999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[64];
    (void)snprintf(text, sizeof text, "z=0: %s", bad[i]);
    TRIAD_EQUAL(triad_slice_read(text, "hd", NULL, &s, why, sizeof why), 0, bad[i]);
  }
}

TRIAD_TEST(a_solver_is_among_whole_names_only)
{
  TRIAD_EQUAL(triad_solver_among("mhd boussinesq", "mhd"), 1, "mhd");
  TRIAD_EQUAL(triad_solver_among("mhd boussinesq", "boussinesq"), 1, "boussinesq");
  TRIAD_EQUAL(triad_solver_among("mhd boussinesq", "hd"), 0, "hd, which ends mhd");
  TRIAD_EQUAL(triad_solver_among("mhd boussinesq", "bous"), 0, "bous");
  TRIAD_EQUAL(triad_solver_among("mhd boussinesq", NULL), 1, "solver not known");
  TRIAD_EQUAL(triad_solver_among(NULL, "hd"), 1, "all");
}

TRIAD_TEST(help_and_reference_name_every_key)
{
  char *text = NULL, wanted[128];
  size_t length = 0;
  int count, of_grid = 0;
  FILE *file = open_memstream(&text, &length);
  TRIAD_CHECK(triad_schema_write_reference(file));
  TRIAD_CHECK(triad_schema_write_help(file, "", &count));
  TRIAD_EQUAL(fclose(file), 0, "fclose");
  triad_schema *all;
  TRIAD_CHECK(triad_schema_create(&all, NULL));
  TRIAD_EQUAL(count, all->n, "keys in the help");
  for (int i = 0; i < all->n; i++) {
    const triad_key *key = all->row[i].key;
    (void)snprintf(wanted, sizeof wanted, "\n| `%s` | ", triad_schema_short_name(key));
    TRIAD_HOLDS(strstr(text, wanted), "%s not in the reference", key->name);
    (void)snprintf(wanted, sizeof wanted, "\n%s\n", key->name);
    TRIAD_HOLDS(strstr(text, wanted), "%s not in the help", key->name);
    of_grid += strncmp(key->name, "grid.", 5) == 0;
  }
  triad_schema_destroy(&all);
  free(text);
  file = fopen("/dev/null", "w");
  TRIAD_CHECK(triad_schema_write_help(file, "grid", &count));
  TRIAD_EQUAL(count, of_grid, "keys of grid");
  TRIAD_CHECK(triad_schema_write_help(file, "grid.n", &count));
  TRIAD_EQUAL(count, 3, "grid.n: the common one, that of meshes and that of blocks");
  TRIAD_CHECK(triad_schema_write_help(file, "gri", &count));
  TRIAD_EQUAL(count, 0, "no table gri");
  (void)fclose(file);
}

TRIAD_MAIN
