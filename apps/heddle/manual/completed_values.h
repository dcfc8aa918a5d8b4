#pragma once

#include <string>
#include <vector>

#include "manual/verb_description.h"

namespace heddle {

/// What a shell offers for a value.
struct CompletedValues {
  std::vector<std::string> words;
  bool files = false;  ///< names of files, too
};

/// What a shell offers for the value of an option or of a positional argument of `verb`.
CompletedValues values_of(const VerbDescription& verb, const OptionDescription& option);

}  // namespace heddle
