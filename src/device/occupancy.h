#pragma once

// How many blocks of a kernel are resident on a streaming multiprocessor at once, where residency
// is by whole blocks.

#include <cstdint>
#include <string_view>

namespace heddle::device {

/// What a streaming multiprocessor has for its resident blocks.
struct SmResources {
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t threads = 0;
  std::uint32_t blocks = 0;
};

/// The GTX 480 as Xiang et al., Warp-Level Divergence in GPUs, Table 1 describes it.
inline constexpr SmResources kGtx480Sm{
    .registers = 32768, .shared_bytes = 48 * 1024, .threads = 1536, .blocks = 8};

inline constexpr std::uint32_t kGtx480Sms = 15;

/// What one block of a kernel takes.
struct BlockNeeds {
  std::uint32_t threads = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;
};

struct Occupancy {
  enum class Limit : std::uint8_t { registers, shared_memory, threads, blocks };

  std::uint32_t blocks = 0;
  Limit limit = Limit::blocks;  ///< What keeps the next block out.
};

/// Registers are given to whole warps. Where several resources keep the next block out, the first
/// in the order of Limit is named.
Occupancy occupancy_of(const SmResources& sm, const BlockNeeds& block);

std::string_view name_of(Occupancy::Limit limit);

}  // namespace heddle::device
