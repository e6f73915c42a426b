/* JSON: layouts of the writer, what stands for numbers that JSON does not have, and the reader's members, walks and
 * conversions. Values are compared with Python's by tests/base/test_json_python.py.   ranks: 1 quick: 1 */
#include "test.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

static char written[4096];

static triad_json begin(void) { return (triad_json){.out = fmemopen(written, sizeof written, "w")}; }

static void expect(triad_json *j, const char *text)
{
  (void)fclose(j->out);
  TRIAD_HOLDS(strcmp(written, text) == 0, "written \"%s\", expected \"%s\"", written, text);
}

static void put_some(triad_json *j, triad_json_layout layout)
{
  triad_json_object(j, NULL, layout);
  triad_json_integer(j, "a", -5);
  triad_json_list(j, "b", layout);
  triad_json_bool(j, NULL, true);
  triad_json_null(j, NULL);
  triad_json_end(j);
  triad_json_object(j, "c", layout);
  triad_json_end(j);
  triad_json_end(j);
}

TRIAD_TEST(layouts_place_commas_and_line_ends)
{
  triad_json j = begin();
  put_some(&j, TRIAD_JSON_COMPACT);
  expect(&j, "{\"a\":-5,\"b\":[true,null],\"c\":{}}");
  j = begin();
  put_some(&j, TRIAD_JSON_LINE);
  expect(&j, "{\"a\": -5, \"b\": [true, null], \"c\": {}}");
  j = begin();
  put_some(&j, TRIAD_JSON_LINES);
  expect(&j, "{\n  \"a\": -5,\n  \"b\": [\n    true,\n    null\n  ],\n  \"c\": {}\n}");
  j = begin();
  put_some(&j, TRIAD_JSON_FLUSH);
  expect(&j, "{\n\"a\": -5,\n\"b\": [\ntrue,\nnull\n],\n\"c\": {}\n}");
}

TRIAD_TEST(numbers_have_their_digits_and_others_are_null)
{
  triad_json j = begin();
  triad_json_list(&j, NULL, TRIAD_JSON_COMPACT);
  triad_json_number(&j, NULL, 0.1, TRIAD_JSON_EXACT);
  triad_json_number(&j, NULL, 1.0 / 3, 6);
  triad_json_number(&j, NULL, NAN, 6);
  triad_json_number(&j, NULL, INFINITY, 6);
  triad_json_number(&j, NULL, -INFINITY, 6);
  triad_json_whole(&j, NULL, 1e18);
  triad_json_whole(&j, NULL, NAN);
  triad_json_integer(&j, NULL, INT64_MIN);
  triad_json_end(&j);
  expect(&j, "[0.10000000000000001,0.333333,null,null,null,1000000000000000000,null,-9223372036854775808]");
}

TRIAD_TEST(text_is_escaped_and_safe_in_a_script)
{
  triad_json j = begin();
  triad_json_text(&j, NULL, "\"\\\n\x01\xff\xe2\x82\xac</script>&");
  expect(&j, "\"\\\"\\\\\\n\\u0001\\\\xff\xe2\x82\xac</script>&\"");
  j = begin();
  j.html = true;
  triad_json_object(&j, NULL, TRIAD_JSON_LINE);
  triad_json_text(&j, "<a>", "</script>&");
  triad_json_text(&j, "b", NULL);
  triad_json_end(&j);
  expect(&j, "{\"\\u003ca\\u003e\": \"\\u003c/script\\u003e\\u0026\", \"b\": null}");
}

TRIAD_TEST(long_text_is_not_cut_within_a_character)
{
  char text[1600] = "", want[1610] = "\"";
  for (int i = 0; i < 500; i++) (void)strcat(text, i % 2 ? "\xe2\x82\xac" : "\xc3\xa9");
  (void)strcat(strcat(want, text), "\"");
  triad_json j = begin();
  triad_json_text(&j, NULL, text);
  expect(&j, want);
}

TRIAD_TEST(what_is_json_already_is_copied)
{
  triad_json j = begin();
  triad_json_object(&j, NULL, TRIAD_JSON_LINE);
  triad_json_integer(&j, "a", 1);
  triad_json_copy(&j, " { \"b\" : [1,2], \"c\":\"x\"} ");
  triad_json_copy(&j, NULL);
  triad_json_copy(&j, "{}");
  triad_json_raw(&j, "d", "[3]");
  triad_json_raw(&j, "e", NULL);
  triad_json_list(&j, "f", TRIAD_JSON_LINE);
  triad_json_copy(&j, "[4,{}]");
  triad_json_end(&j);
  triad_json_end(&j);
  expect(&j, "{\"a\": 1, \"b\": [1,2], \"c\": \"x\", \"d\": [3], \"e\": null, \"f\": [4, {}]}");
}

static triad_json_value parse(const char *text)
{
  triad_json_value v = {NULL, NULL};
  size_t bad;
  TRIAD_HOLDS(triad_json_parse(&v, text, strlen(text), &bad), "%s is JSON", text);
  return v;
}

TRIAD_TEST(a_member_is_the_last_of_its_name_at_its_own_depth)
{
  triad_json_value v, all = parse("{\"x\": {\"code\": 1}, \"code\": 2, \"y\": \"\\\"code\\\": 3\", \"c\\u006fde\": 4}");
  int64_t code = 0;
  TRIAD_HOLDS(triad_json_member(all, "code", &v) && triad_json_to_integer(v, &code), "there is a code");
  TRIAD_EQUAL(code, 4, "code");
  TRIAD_HOLDS(!triad_json_member(all, "cod", &v) && !triad_json_member(parse("[1]"), "code", &v), "no such member");
  TRIAD_HOLDS(triad_json_last(parse("[1, 2, [3]]"), &v) && triad_json_is_list(v), "the last item");
  TRIAD_HOLDS(!triad_json_last(parse("[]"), &v) && !triad_json_last(all, &v), "no last item");
}

TRIAD_TEST(a_walk_ends_at_a_fault_and_has_what_was_before)
{
  static const char *const text[] = {"[1, 2, tru", "[1, 2", "{\"a\": 1, \"b\": 2, 3}", "{\"a\": 1, \"b\": 2 \"c\""};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    int n = 0;
    size_t bad = 0;
    triad_json_value name, value;
    triad_json_walk w = triad_json_items_of(text[i], strlen(text[i]));
    while (triad_json_next(&w, &name, &value)) n++;
    TRIAD_EQUAL(n, 2, "items before the fault");
    TRIAD_EQUAL(w.whole, 0, "closed");
    TRIAD_HOLDS(!triad_json_next(&w, &name, &value), "a walk does not go on behind a fault");
    TRIAD_HOLDS(!triad_json_parse(&value, text[i], strlen(text[i]), &bad), "%s is no JSON", text[i]);
    TRIAD_EQUAL((int64_t)bad, w.at - text[i], "the fault's place");
  }
}

TRIAD_TEST(numbers_are_read_as_what_they_are)
{
  int64_t n = 7;
  double x = 7;
  TRIAD_HOLDS(!triad_json_to_integer(parse("1.0"), &n) && !triad_json_to_integer(parse("\"1\""), &n) &&
                !triad_json_to_integer(parse("9223372036854775808"), &n) && n == 7,
              "no integers");
  TRIAD_HOLDS(!triad_json_to_number(parse("null"), &x) && !triad_json_to_number(parse("\"1\""), &x) && x == 7,
              "no numbers");
  TRIAD_HOLDS(triad_json_to_integer(parse("-9223372036854775808"), &n) && n == INT64_MIN, "the least integer");
  TRIAD_HOLDS(triad_json_to_number(parse(" 0.10000000000000001 "), &x) && x == 0.1, "a number");
  TRIAD_HOLDS(triad_json_decode(parse("1")) == NULL && !triad_json_equals(parse("null"), "null"), "no text");
}

TRIAD_MAIN
