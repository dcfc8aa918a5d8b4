#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "ptx/module.h"

namespace heddle::ptx {

struct ParseResult {
  Module module;  ///< Complete if ok(); otherwise without the parts that have errors.
  Diagnostics diagnostics;
  /// Whether there are no errors.
  bool ok() const { return !diagnostics.has_errors(); }
};

/// Parses the text of one module. Errors in the text are reported in the diagnostics and never
/// thrown; parsing continues after an error. `file` is used in messages only.
ParseResult parse(std::string text, std::string_view file);

}  // namespace heddle::ptx
