#pragma once

#include <string>

namespace heddle::lab::report {

/// Of a page: light or dark as the reader has it.
std::string page_style();
/// Of a picture that is a file of its own, with the same colours.
std::string picture_style();

}  // namespace heddle::lab::report
