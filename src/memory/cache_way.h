#pragma once

#include <cstdint>

namespace heddle::memory {

/// A set of a line's sectors; bit 0 is the sector at the lowest address.
using SectorMask = std::uint32_t;

/// The state of a way of a set, apart from its tag.
struct CacheWay {
  std::uint64_t last_use = 0;  ///< Orders the ways of a cache by their last use.
  SectorMask valid = 0;
  SectorMask pending = 0;  ///< Disjoint from valid.
  SectorMask dirty = 0;    ///< Only sectors that are valid or pending.
  /// Belongs to the replacement policy (memory/replacement). 0 at first, and kept when lines leave.
  std::uint32_t policy_word = 0;
  bool is_prefetched = false;  ///< See CacheTags::mark_prefetched().

  SectorMask present() const { return valid | pending; }
  /// Whether the line may be evicted: fills in flight must find their line.
  bool is_evictable() const { return pending == 0; }
};

}  // namespace heddle::memory
