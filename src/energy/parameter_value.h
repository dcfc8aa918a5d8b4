#pragma once

#include "config/declarations.h"

namespace heddle::energy {

/// What a formula makes of a parameter: flags are 0 or 1. A choice is a defect of who asks.
double number_of(const config::Parameter& parameter);

}  // namespace heddle::energy
