// Least recently used (LRU).

#include "memory/replacement/replacement.h"

namespace heddle::memory {
namespace {

class Lru final : public Replacement {
 public:
  bool observes_uses() const override { return false; }
  bool observes_allocations() const override { return false; }
  std::size_t victim(std::span<const CacheWay> set) const override {
    return lowest_evictable(set, [](const CacheWay& way) { return way.last_use; });
  }
};

const ReplacementRegistry::Entry lru_entry{
    "lru", "the line whose last use is the longest ago",
    [](const ReplacementDescription&) { return std::make_unique<Lru>(); }};

}  // namespace
}  // namespace heddle::memory
