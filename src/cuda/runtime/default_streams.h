#pragma once

// The default streams: the legacy one, which synchronises with other streams, and the one that each
// host thread has.

#include <atomic>
#include <cstdint>

#include "cuda/runtime/abi.h"

/// True (1) if the program calls the functions for per-thread default streams, which set it
/// (symbol_alias.h). The null stream is then the per-thread default stream.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" std::atomic<std::uint8_t> heddle_null_stream_is_per_thread;

namespace heddle::cuda {

/// True for a default stream, false for a stream that the program has created.
inline bool is_default(abi::StreamHandle stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= abi::kPerThreadStream;
}
/// True for the legacy default stream.
inline bool is_legacy(abi::StreamHandle stream) {
  if (stream == nullptr) return heddle_null_stream_is_per_thread == 0;
  return reinterpret_cast<std::uintptr_t>(stream) == abi::kLegacyStream;
}

}  // namespace heddle::cuda
