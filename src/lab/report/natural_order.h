#pragma once

#include <string_view>

namespace heddle::lab::report {

/// Whether name `a` comes before `b` in the order in which people sort: numbers in names are
/// compared by value, so "figure-9" comes before "figure-10".
bool comes_before(std::string_view a, std::string_view b);

}  // namespace heddle::lab::report
