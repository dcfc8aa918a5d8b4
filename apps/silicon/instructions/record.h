#pragma once

// The file of a GPU's results for every form. Each line contains a form's name and the digest of
// its results; for an approximate form, it contains a part of the results instead.

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "form.h"

namespace heddle::silicon {

/// The results of one form, one for each thread.
using Results = std::vector<std::uint64_t>;

/// The record of an approximate form contains the result of every kThreadStep-th thread.
inline constexpr std::size_t kThreadStep = 128;

struct RecordedForm {
  std::uint64_t digest = 0;           ///< For an exact form.
  std::vector<std::uint64_t> values;  ///< For an approximate form.
};

struct Record {
  std::string heading;  ///< Comment lines with the date, the GPU and the driver.
  std::map<std::string, RecordedForm, std::less<>> forms;
};

std::uint64_t digest_of(std::span<const std::uint64_t> results);
/// What the record contains of a form's results.
RecordedForm record_form(const Form& form, const Results& results);

std::string to_text(const Record& record);
/// Throws InputError, with the line's number, if the text is not a record.
Record parse_record(std::string_view text);

}  // namespace heddle::silicon
