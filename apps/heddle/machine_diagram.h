#pragma once

#include <string>

#include "gpu/machine.h"

namespace heddle {

/// The machine with its numbers, drawn in text, and below what follows from them.
std::string draw_machine(const gpu::Machine& machine);

}  // namespace heddle
