#pragma once

#include <cstdint>

namespace heddle::exec {

/// The 32 lanes of one 32-bit register.
struct alignas(128) VectorRegister {
  std::uint32_t lane[32];
};

}  // namespace heddle::exec
