#pragma once

// The interface of cache replacement policies: they choose the line that leaves a full set.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "config/policy_registry.h"
#include "memory/cache_way.h"
#include "memory/replacement/replacement_description.h"

namespace heddle::memory {

/// The policy of one cache. `set` contains all ways of the set that an access selects. A policy
/// keeps what it knows of a way in CacheWay::policy_word, and changes no other member.
class Replacement {
 public:
  Replacement() = default;
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  virtual ~Replacement() = default;

  // The tags stamp every use and allocation in CacheWay::last_use. A policy that needs no more than
  // that returns false twice, and its caches make virtual calls for victims only.
  /// Whether touch() must be called.
  virtual bool observes_uses() const { return true; }
  /// Whether allocate() must be called.
  virtual bool observes_allocations() const { return true; }
  /// Notes a use of the line in `set[way]`. A store that allocates its line is also a use of it.
  virtual void touch(std::span<CacheWay> /*set*/, std::size_t /*way*/) {}
  /// Notes that `set[way]` has been allocated to another line.
  virtual void allocate(std::span<CacheWay> set, std::size_t way) { touch(set, way); }
  /// Returns the way that is evicted: one for which is_evictable() is true. There is at least one,
  /// and no way is empty. The tags also ask which line would be evicted. The result must therefore
  /// stay the same until a line is used or allocated, or other ways of the set become evictable.
  virtual std::size_t victim(std::span<const CacheWay> set) const = 0;
};

/// Returns the evictable way with the lowest `rank(way)`, the first of several.
template <class Rank>
std::size_t lowest_evictable(std::span<const CacheWay> set, Rank rank) {
  const CacheWay* lowest = nullptr;
  std::uint64_t lowest_rank = ~std::uint64_t{0};
  for (const CacheWay& way : set) {
    if (!way.is_evictable() || rank(way) >= lowest_rank) continue;
    lowest = &way;
    lowest_rank = rank(way);
  }
  assert(lowest != nullptr);
  return static_cast<std::size_t>(lowest - set.data());
}

/// What the check of a policy needs to know of its cache.
struct ReplacementContext {
  std::string_view cache;  ///< The section of the machine that describes the cache: "l1".
  std::uint32_t ways = 1;
};

/// The types that belong to replacement policies, for config::PolicyRegistry.
struct ReplacementSeam {
  using Policy = Replacement;
  using Description = ReplacementDescription;
  using Place = ReplacementDescription;
  using Context = ReplacementContext;
  using Properties = config::NoProperties;
};
using ReplacementRegistry = config::PolicyRegistry<ReplacementSeam>;

/// Constructs the policy that the description names. Throws InputError if there is none.
std::unique_ptr<Replacement> make_replacement(const ReplacementDescription& description);

}  // namespace heddle::memory
