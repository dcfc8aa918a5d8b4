#include "lab/report/natural_order.h"

#include <cctype>
#include <cstddef>

namespace heddle::lab::report {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Reads the digits at `at` without leading zeros, and moves `at` past them.
std::string_view take_number(std::string_view name, std::size_t& at) {
  while (at < name.size() && name[at] == '0') ++at;
  const std::size_t begin = at;
  while (at < name.size() && is_digit(name[at])) ++at;
  return name.substr(begin, at - begin);
}

}  // namespace

bool comes_before(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view left = take_number(a, i);
      const std::string_view right = take_number(b, j);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  const bool a_ended = i == a.size();
  const bool b_ended = j == b.size();
  // Names that differ only in leading zeros are different names.
  return a_ended == b_ended ? a < b : a_ended;
}

}  // namespace heddle::lab::report
