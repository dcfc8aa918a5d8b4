#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "ptx/module.h"

namespace heddle::ptx {

struct ParseResult {
  Module module;  ///< Complete only if there were no errors.
  Diagnostics diagnostics;
  bool ok() const { return !diagnostics.has_errors(); }
};

/// Parses the text of one module. It never throws, whatever the text contains: errors are in the
/// diagnostics, as many as one pass can find. `file` is used in messages only.
ParseResult parse(std::string text, std::string_view file);

}  // namespace heddle::ptx
