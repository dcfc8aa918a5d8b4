#pragma once

#include <string>

namespace heddle::lab::report {

/// The style of a page, light or dark as the reader prefers.
std::string page_style();
/// The style of a chart in a file of its own, with the same colours.
std::string picture_style();

}  // namespace heddle::lab::report
