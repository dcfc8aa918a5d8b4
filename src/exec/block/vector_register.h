#pragma once

#include <cstdint>

namespace heddle::exec {

/// The values of one 32-bit register in the 32 lanes of a warp.
struct alignas(128) VectorRegister {
  std::uint32_t lane[32];
};

}  // namespace heddle::exec
