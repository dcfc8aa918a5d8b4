#pragma once

#include <string>

#include "gpu/machine.h"

namespace heddle::lab {

/// The machine whose parameters_of() these are (lab/run_key.h). Throws InputError for what is no
/// machine's.
gpu::Machine machine_of_parameters(const std::string& parameters);

}  // namespace heddle::lab
