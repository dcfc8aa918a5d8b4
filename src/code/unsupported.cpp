#include "code/unsupported.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "code/program.h"

namespace heddle::code {
namespace {

/// The maximum number of places that are stored for one reason.
constexpr std::size_t kMaxPlaces = 4;
/// The maximum number of reasons in a list.
constexpr std::size_t kMaxReasons = 100;

std::string ptx_place(const Program& program, const UnsupportedPlace& place) {
  return fmt::format("{}:{}", program.modules[place.module].file, place.ptx_line);
}

/// The place in the source, as in "file.cu:12: "; empty if it is unknown.
std::string source_place(const Program& program, const UnsupportedPlace& place) {
  if (place.source_line >= program.source_lines.size()) return {};
  const SourcePlace& source = program.source_lines[place.source_line];
  if (source.file >= program.source_files.size()) return {};
  return fmt::format("{}:{}: ", program.source_files[source.file], source.line);
}

std::string describe(const Program& program, const Unsupported& what) {
  const UnsupportedPlace& first = what.places.front();
  std::string text = fmt::format("{}{} ({})", source_place(program, first), what.message,
                                 ptx_place(program, first));
  if (what.count == 1) return text;
  text += fmt::format("; {} more like this: ", what.count - 1);
  for (std::size_t i = 1; i < what.places.size(); ++i) {
    text += (i > 1 ? ", " : "") + ptx_place(program, what.places[i]);
  }
  return what.count > what.places.size() ? text + ", ..." : text;
}

}  // namespace

void add_unsupported(std::vector<Unsupported>& all, const Unsupported& more) {
  auto entry = std::find_if(all.begin(), all.end(), [&](const Unsupported& known) {
    return known.message == more.message;
  });
  if (entry == all.end()) {
    if (all.size() < kMaxReasons) {
      all.push_back(more);
      return;
    }
    // The last entry stands for all further reasons.
    entry = all.end() - 1;
    entry->message = "other instructions that Heddle does not execute";
  }
  const std::size_t free_places = kMaxPlaces - std::min(entry->places.size(), kMaxPlaces);
  const auto end =
      more.places.begin() + static_cast<std::ptrdiff_t>(std::min(free_places, more.places.size()));
  entry->places.insert(entry->places.end(), more.places.begin(), end);
  entry->count += more.count;
}

void add_unsupported(std::vector<Unsupported>& all, std::string message, UnsupportedPlace place) {
  add_unsupported(all, {.message = std::move(message), .places = {place}, .count = 1});
}

std::vector<std::string> describe_unsupported(const Program& program,
                                              const std::vector<Unsupported>& all,
                                              std::size_t max_reasons) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(max_reasons, all.size()); ++i) {
    lines.push_back(describe(program, all[i]));
  }
  if (all.size() > max_reasons) {
    lines.push_back(fmt::format("and {} more", all.size() - max_reasons));
  }
  return lines;
}

}  // namespace heddle::code
