#pragma once

#include <string>

#include "manual/verb_description.h"

namespace heddle {

/// The name of a verb's manual page: "heddle-results-list" for "heddle results list".
std::string page_name(const VerbDescription& verb);

/// The manual page (section 1) of a verb, in the language of troff with the macros of man(7).
std::string manual_page(const VerbDescription& verb);

}  // namespace heddle
