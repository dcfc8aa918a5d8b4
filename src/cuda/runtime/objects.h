#pragma once

// The objects that a program creates and refers to by handles.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/runtime/abi.h"
#include "exec/texture/array_storage.h"

namespace heddle::cuda {

/// A stream has no queue, because work completes within the call that starts it. The stream does
/// not synchronise with the legacy default stream if `flags` is kNonBlocking.
struct Stream {
  static constexpr std::uint32_t kNonBlocking = 1;  ///< The only flag.
  std::uint32_t flags = 0;
  int priority = 0;
  std::uint64_t id = 0;
};

struct Event {
  std::uint32_t flags = 0;
  /// The simulated time of the last record; null before it. The time is empty while a kernel that
  /// precedes the record runs beside the host.
  std::shared_ptr<const std::optional<double>> recorded{};
};

/// A CUDA array, or one level of a mipmapped array.
struct Array {
  std::shared_ptr<exec::ArrayStorage> storage;  ///< Shared by the levels of a mipmapped array.
  std::uint32_t level = 0;
  abi::ChannelFormat format{};
  abi::Extent extent{};  ///< Of this level, in texels.
  std::uint32_t flags = 0;
};

struct MipmappedArray {
  std::shared_ptr<exec::ArrayStorage> storage;
  std::vector<abi::ArrayHandle> levels;
};

/// The descriptions from which a texture object was created, which programs can query.
struct TextureObject {
  abi::ResourceDescription resource{};
  abi::TextureDescription texture{};
};

/// A memory pool. It holds no memory; the threshold only exists to be queried.
struct Pool {
  std::uint64_t release_threshold = 0;
};

}  // namespace heddle::cuda
