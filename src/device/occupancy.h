#pragma once

// Occupancy: how many blocks of a kernel are resident on a streaming multiprocessor at once, if
// whole blocks are allocated.

#include <cstdint>
#include <string_view>

namespace heddle::device {

/// The resources of a streaming multiprocessor.
struct SmResources {
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t threads = 0;
  std::uint32_t blocks = 0;
};

/// The GTX 480 as described by Xiang et al., Warp-Level Divergence in GPUs, Table 1.
inline constexpr SmResources kGtx480Sm{
    .registers = 32768, .shared_bytes = 48 * 1024, .threads = 1536, .blocks = 8};

inline constexpr std::uint32_t kGtx480Sms = 15;

/// The resources that one block of a kernel needs.
struct BlockNeeds {
  std::uint32_t threads = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;
};

struct Occupancy {
  enum class Limit : std::uint8_t { registers, shared_memory, threads, blocks };

  std::uint32_t blocks = 0;
  Limit limit = Limit::blocks;  ///< The resource that prevents another resident block.
};

/// Registers are allocated to whole warps. If several resources prevent another block, `limit` is
/// the first of them in the order of Limit.
Occupancy occupancy_of(const SmResources& sm, const BlockNeeds& block);

std::string_view name_of(Occupancy::Limit limit);

}  // namespace heddle::device
