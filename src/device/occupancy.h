#pragma once

// Occupancy: how many blocks of a kernel are resident on a multiprocessor at once, if the
// multiprocessor allocates resources to whole blocks. For the parameters of a simulated machine,
// see sm/residency/occupancy.h.

#include <cstdint>
#include <string_view>

namespace heddle::device {

/// The resources of a multiprocessor, as numbers of each.
struct SmResources {
  std::uint32_t registers = 0;  ///< 32-bit registers of threads.
  std::uint32_t shared_bytes = 0;
  std::uint32_t threads = 0;
  std::uint32_t blocks = 0;
};

/// A multiprocessor of the GTX 480 (Xiang et al., Warp-Level Divergence in GPUs, Table 1).
inline constexpr SmResources kGtx480Sm{
    .registers = 32768, .shared_bytes = 48 * 1024, .threads = 1536, .blocks = 8};

/// Number of multiprocessors of the GTX 480.
inline constexpr std::uint32_t kGtx480SmCount = 15;

/// The resources that one block of a kernel needs.
struct BlockNeeds {
  std::uint32_t threads = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;
};

struct Occupancy {
  enum class Limit : std::uint8_t { registers, shared_memory, threads, blocks };

  std::uint32_t blocks = 0;     ///< Number of resident blocks; 0 if one does not fit.
  Limit limit = Limit::blocks;  ///< The resource that prevents another resident block.
};

/// Computes the occupancy. Registers are allocated to whole warps. If several resources prevent
/// another block, `limit` is the first of them in the order of Limit.
Occupancy occupancy_of(const SmResources& sm, const BlockNeeds& block);

std::string_view name_of(Occupancy::Limit limit);

}  // namespace heddle::device
