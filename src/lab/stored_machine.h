#pragma once

#include <string>

#include "gpu/machine.h"

namespace heddle::lab {

/// The machine that parameters_of() (lab/run_key.h) described as this text. Throws InputError if
/// the text does not describe a machine.
gpu::Machine machine_of_parameters(const std::string& parameters);

}  // namespace heddle::lab
