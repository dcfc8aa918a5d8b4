#pragma once

#include "config/declarations.h"

namespace heddle::energy {

/// The numeric value of a parameter for a formula; flags are 0 or 1. Passing a text parameter here
/// is a bug in the caller.
double number_of(const config::Parameter& parameter);

}  // namespace heddle::energy
