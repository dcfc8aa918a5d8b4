#pragma once

// What the completions of bash and zsh have in common: both look for the verb among the words, and
// then choose by verb and option.

#include <string>
#include <string_view>

#include "manual/verb_description.h"

namespace heddle {

/// The parts of a script in which bash and zsh differ.
struct ShellParts {
  std::string_view begin;  ///< up to the choice of the verb by "$verb $word"
  std::string values;      ///< cases of the values, by "$verb $option"
  std::string words;       ///< cases of the other words, by verb and whether a dash precedes
  std::string_view end;    ///< what makes the shell call the function
};

/// The whole script. Its variables `current`, `option`, `verb` and `word` are those of `begin`.
std::string completion_script(const ShellParts& shell, const VerbDescription& heddle);

/// Text in single quotes, which both shells take as it is.
std::string in_quotes(std::string_view text);

}  // namespace heddle
