#include "record.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/error.h"

namespace heddle::silicon {
namespace {

std::uint64_t parse_word(std::string_view text, std::size_t line) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), value, 16);
  if (error != std::errc{} || end != text.end()) {
    throw InputError(fmt::format("line {}: '{}' is not a hexadecimal number", line, text));
  }
  return value;
}

/// Removes the text up to and including the separator, and returns it without the separator.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

}  // namespace

/// FNV-1a over the bytes of the results, the lowest byte of each first.
std::uint64_t digest_of(std::span<const std::uint64_t> results) {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (const std::uint64_t word : results) {
    for (int byte = 0; byte < 8; ++byte) {
      digest = (digest ^ (word >> 8 * byte & 0xff)) * 0x100000001b3;
    }
  }
  return digest;
}

RecordedForm record_form(const Form& form, const Results& results) {
  if (!form.approximate) return {.digest = digest_of(results), .values = {}};
  RecordedForm part;
  for (std::size_t i = 0; i < results.size(); i += kThreadStep) part.values.push_back(results[i]);
  return part;
}

std::string to_text(const Record& record) {
  std::string text = record.heading;
  for (const auto& [name, form] : record.forms) {
    if (form.values.empty()) {
      text += fmt::format("{}\t{:016x}\n", name, form.digest);
    } else {
      text += fmt::format("{}\t~{:x}\n", name, fmt::join(form.values, " "));
    }
  }
  return text;
}

Record parse_record(std::string_view text) {
  Record record;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = take_until(text, '\n');
    if (line.empty() || line.front() == '#') {
      record.heading += std::string(line) + "\n";
      continue;
    }
    RecordedForm& form = record.forms[std::string(take_until(line, '\t'))];
    if (!line.starts_with('~')) {
      form.digest = parse_word(line, number);
      continue;
    }
    line.remove_prefix(1);
    while (!line.empty()) form.values.push_back(parse_word(take_until(line, ' '), number));
  }
  return record;
}

}  // namespace heddle::silicon
