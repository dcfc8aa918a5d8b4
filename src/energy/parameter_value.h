#pragma once

#include "config/declarations.h"

namespace heddle::energy {

/// The value of a numeric parameter; a flag is 0 or 1. Throws std::logic_error for a text
/// parameter, because passing one is a bug in the caller.
double number_of(const config::Parameter& parameter);

}  // namespace heddle::energy
