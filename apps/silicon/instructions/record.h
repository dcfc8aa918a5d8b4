#pragma once

// What a GPU gave for every form, as a file: a line each, with a digest of all its results; for
// approximate forms some of the results themselves.

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "form.h"

namespace heddle::silicon {

using Results = std::vector<std::uint64_t>;

/// Of approximate forms, every kKeptEvery-th thread's result is kept.
inline constexpr std::size_t kKeptEvery = 128;

struct RecordedForm {
  std::uint64_t digest = 0;           ///< Of a form that is exact.
  std::vector<std::uint64_t> values;  ///< Of one that is not.
};

struct Record {
  std::string heading;  ///< When, on what, by what: comment lines.
  std::map<std::string, RecordedForm, std::less<>> forms;
};

std::uint64_t digest_of(std::span<const std::uint64_t> results);
RecordedForm recorded(const Form& form, const Results& results);

std::string to_text(const Record& record);
/// Throws InputError with the line where it is no record.
Record parse_record(std::string_view text);

}  // namespace heddle::silicon
