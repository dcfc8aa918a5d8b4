#pragma once

#include <string>

namespace heddle::lab::report {

/// The CSS of a page, light or dark as the reader's browser prefers.
std::string page_style();
/// The CSS of a chart in a file of its own, with the same colours.
std::string picture_style();

}  // namespace heddle::lab::report
