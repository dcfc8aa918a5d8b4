#include "ptx/source_lines.h"

#include "ptx/expression.h"

namespace heddle::ptx {
namespace {

constexpr std::uint64_t kMaxFiles = 65'535;
constexpr std::uint64_t kMaxNumber = 0xfffffffe;

}  // namespace

void SourceLines::begin_function() {
  latest_.clear();
  context_.source_line = kNoIndex;
}

// Parses .file 1 "path", 1700000000, 4096.
void SourceLines::parse_file() {
  TokenStream& tokens = context_.tokens;
  const auto number = parse_count(tokens, "the number of a file", 0, kMaxFiles);
  if (!number) return;
  if (tokens.peek().kind != TokenKind::string) {
    tokens.error_expected("the path of the file, in quotes");
    return;
  }
  const Token name = tokens.take();
  const std::string_view quoted = context_.text_of(name);
  std::vector<std::string>& files = context_.module.source_files;
  if (files.size() <= *number) files.resize(*number + 1);
  files[*number] = std::string(quoted.substr(1, quoted.size() - 2));
  while (tokens.accept(',')) {
    if (!parse_integer(tokens)) return;
  }
}

bool SourceLines::parse_place(Place& place) {
  TokenStream& tokens = context_.tokens;
  for (std::uint32_t* field : {&place.file, &place.line, &place.column}) {
    // Only plain numbers: the token after the last one may be a sign, which is not part of it.
    if (tokens.peek().kind != TokenKind::integer) {
      tokens.error_expected("a file, a line and a column");
      return false;
    }
    const auto value = parse_count(tokens, "a place in a source file", 0, kMaxNumber);
    if (!value) return false;
    *field = static_cast<std::uint32_t>(*value);
  }
  return true;
}

std::uint32_t SourceLines::index_of(const Place& place) {
  std::vector<SourceLine>& lines = context_.module.source_lines;
  const auto [entry, is_new] =
      indices_.try_emplace(place, static_cast<std::uint32_t>(lines.size()));
  if (is_new) {
    lines.push_back({.file = place.file,
                     .line = place.line,
                     .column = place.column,
                     .inlined_at = place.inlined_at});
  }
  return entry->second;
}

// Parses .loc 1 23 5, function_name $L__info_string0 + 7, inlined_at 1 20 3.
void SourceLines::parse_location() {
  TokenStream& tokens = context_.tokens;
  Place place;
  if (!parse_place(place)) return;
  while (tokens.accept(',')) {
    if (tokens.accept_identifier("function_name")) {
      if (!take_name(tokens, "the label of a function's name")) return;
      if (tokens.accept('+') && !parse_integer(tokens)) return;
    } else if (tokens.accept_identifier("inlined_at")) {
      Place outer;
      if (!parse_place(outer)) return;
      const auto found = latest_.find({outer.file, outer.line, outer.column});
      place.inlined_at = found != latest_.end() ? found->second : index_of(outer);
    } else {
      tokens.error_expected("function_name or inlined_at");
      return;
    }
  }
  context_.source_line = index_of(place);
  latest_[{place.file, place.line, place.column}] = context_.source_line;
}

}  // namespace heddle::ptx
