#pragma once

// The default streams: the legacy one, which synchronises with other streams, and the one that each
// host thread has.

#include <cstdint>

#include "cuda/runtime/abi.h"

namespace heddle::cuda {

/// True for a default stream, false for a stream that the program has created.
inline bool is_default(abi::StreamHandle stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= abi::kPerThreadStream;
}
/// True for the legacy default stream.
inline bool is_legacy(abi::StreamHandle stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= abi::kLegacyStream;
}

}  // namespace heddle::cuda
