#pragma once

#include <string>

#include "manual/verb_description.h"

namespace heddle {

/// A script for bash that completes the verbs, options and values of `heddle`.
std::string bash_completion(const VerbDescription& heddle);

/// The same for zsh, which also shows what each verb and option does.
std::string zsh_completion(const VerbDescription& heddle);

}  // namespace heddle
