// The one C++ file: toml++ behind case/read/toml.h. Nothing may throw past the functions at the end.
#include "case/read/toml.h"

extern "C" {
#include "base/status.h"
}

#include <algorithm>
#include <deque>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

// Some malformed texts ("[[[") break what the library's functions expect of each other. It must not end the program
// over that, nor go on: the assertion throws, also in builds that switch assert() off.
namespace {
struct broken_assertion : std::exception {};
[[noreturn]] void throw_broken_assertion() { throw broken_assertion(); }
} // namespace

#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? static_cast<void>(0) : throw_broken_assertion())
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

namespace {

constexpr std::size_t max_key_bytes = 256;

struct item {
  std::string key;
  std::size_t parent_length = 0;
  int line = 0, column = 0;
  triad_toml_type type = TRIAD_TOML_TABLE;
  std::vector<triad_toml_value> values;
};

struct document : triad_toml {
  std::deque<item> found; // a deque does not move what it holds, so that texts can be pointed to
  std::deque<std::string> texts;
  std::vector<triad_toml_item> flat;
  std::string message;
};

int place(toml::source_index at) { return static_cast<int>(std::min<toml::source_index>(at, 1u << 30)); }

bool is_bare(std::string_view part)
{
  return !part.empty() && std::all_of(part.begin(), part.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

// "a b" as it would be typed in a dotted key: quoted, so that a dot inside is not taken for a step down.
std::string quoted(std::string_view part)
{
  static const char digits[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : part) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string joined(const std::string &parent, std::string_view part)
{
  std::string key = parent;
  if (!key.empty()) key += '.';
  part = part.substr(0, max_key_bytes + 1);
  key += is_bare(part) ? std::string(part) : quoted(part);
  if (key.size() > max_key_bytes) key = key.substr(0, max_key_bytes) + "...";
  return key;
}

triad_toml_value value_of(const toml::node &node, std::deque<std::string> &texts)
{
  triad_toml_value v = {};
  v.line = place(node.source().begin.line);
  v.column = place(node.source().begin.column);
  v.type = TRIAD_TOML_DATE;
  if (const auto *text = node.as_string()) {
    texts.push_back(text->get());
    v.type = TRIAD_TOML_TEXT;
    v.text = texts.back().c_str();
    v.length = texts.back().size();
  } else if (const auto *integer = node.as_integer()) {
    v.type = TRIAD_TOML_INTEGER;
    v.integer = integer->get();
  } else if (const auto *real = node.as_floating_point()) {
    v.type = TRIAD_TOML_REAL;
    v.real = real->get();
  } else if (const auto *flag = node.as_boolean()) {
    v.type = TRIAD_TOML_FLAG;
    v.flag = flag->get();
  } else if (node.is_array()) {
    v.type = TRIAD_TOML_ARRAY;
  } else if (node.is_table()) {
    v.type = TRIAD_TOML_TABLE;
  }
  return v;
}

void flatten(document &doc, const toml::table &table, const std::string &parent);

// Table number 1, 2, .. of an array of tables: "particles[1]".
void flatten_one(document &doc, const toml::table &table, const std::string &array, int number)
{
  item it;
  it.key = array + '[' + std::to_string(number) + ']';
  it.line = place(table.source().begin.line);
  it.column = place(table.source().begin.column);
  const std::string name = it.key;
  doc.found.push_back(std::move(it));
  flatten(doc, table, name);
}

void flatten(document &doc, const toml::table &table, const std::string &parent)
{
  for (const auto &[key, node] : table) {
    item it;
    it.key = joined(parent, key.str());
    it.parent_length = parent.size();
    it.line = place(key.source().begin.line);
    it.column = place(key.source().begin.column);
    if (const auto *inner = node.as_table()) {
      const std::string name = it.key;
      doc.found.push_back(std::move(it));
      flatten(doc, *inner, name);
      continue;
    }
    if (const auto *array = node.as_array()) {
      it.type = TRIAD_TOML_ARRAY;
      for (const auto &element : *array) it.values.push_back(value_of(element, doc.texts));
      int number = 0;
      for (const auto &element : *array) {
        number++;
        if (const auto *inner = element.as_table()) flatten_one(doc, *inner, it.key, number);
      }
    } else {
      it.values.push_back(value_of(node, doc.texts));
      it.type = it.values[0].type;
    }
    doc.found.push_back(std::move(it));
  }
}

// toml++'s words, less what goes without saying.
std::string shortened(std::string_view description)
{
  constexpr std::string_view head = "Error while parsing ", tail = " (TOML_MAX_NESTED_VALUES)";
  if (description.substr(0, head.size()) == head) description.remove_prefix(head.size());
  if (description.size() > tail.size() && description.substr(description.size() - tail.size()) == tail)
    description.remove_suffix(tail.size());
  return std::string(description);
}

// First line whose text breaks the library's assertions: all shorter texts parse, or fail in order.
int first_broken_line(std::string_view text)
{
  std::vector<std::size_t> ends; // of the first 1, 2, .. lines
  for (std::size_t at = 0; at < text.size(); at++)
    if (text[at] == '\n' || at + 1 == text.size()) ends.push_back(at + 1);
  const auto whole = [&](std::size_t end) {
    try {
      (void)toml::parse(text.substr(0, end));
    } catch (const broken_assertion &) {
      return false;
    } catch (const toml::parse_error &) {
    }
    return true;
  };
  const auto broken = std::partition_point(ends.begin(), ends.end(), whole);
  return static_cast<int>(broken - ends.begin()) + 1;
}

bool parse(document &doc, std::string_view text)
{
  if (const char *refused = triad_toml_scan(text.data(), text.size(), &doc.error_line, &doc.error_column)) {
    doc.message = refused;
    return false;
  }
  try {
    const toml::table table = toml::parse(text);
    flatten(doc, table, "");
  } catch (const toml::parse_error &error) {
    doc.message = shortened(error.description());
    doc.error_line = place(error.source().begin.line);
    doc.error_column = place(error.source().begin.column);
    return false;
  } catch (const broken_assertion &) {
    doc.message = "not understood";
    doc.error_line = first_broken_line(text);
    doc.error_column = 1;
    return false;
  }
  std::stable_sort(doc.found.begin(), doc.found.end(), [](const item &a, const item &b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  });
  for (const item &it : doc.found)
    doc.flat.push_back({it.key.c_str(), it.parent_length, it.line, it.column, it.type,
                        static_cast<std::int64_t>(it.values.size()), it.values.data()});
  doc.items = doc.flat.data();
  doc.n = static_cast<std::int64_t>(doc.flat.size());
  return true;
}

} // namespace

extern "C" int triad_toml_parse(triad_toml **out, const char *text, size_t length)
{
  *out = nullptr;
  document *doc = nullptr;
  try {
    doc = new document();
    const bool good = parse(*doc, std::string_view(text ? text : "", text ? length : 0));
    if (!good) doc->error = doc->message.c_str();
    *out = doc;
    return good ? TRIAD_OK : TRIAD_ERR_CASE;
  } catch (const std::exception &) { // what is left is the allocator's
    delete doc;
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "parsing %lld bytes of TOML", static_cast<long long>(length));
  }
}

extern "C" void triad_toml_destroy(triad_toml **document_)
{
  if (!document_) return;
  delete static_cast<document *>(*document_);
  *document_ = nullptr;
}
