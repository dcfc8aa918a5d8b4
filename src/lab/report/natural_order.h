#pragma once

#include <string_view>

namespace heddle::lab::report {

/// The order in which people sort names: "figure-9" comes before "figure-10".
bool comes_before(std::string_view a, std::string_view b);

}  // namespace heddle::lab::report
