// First in, first out (FIFO): uses of a line do not prolong its stay.

#include "memory/replacement/replacement.h"

namespace heddle::memory {
namespace {

class Fifo final : public Replacement {
 public:
  bool observes_uses() const override { return false; }
  /// A way's word is its age: the number of later allocations in the set.
  void allocate(std::span<CacheWay> set, std::size_t way) override {
    for (CacheWay& each : set) ++each.policy_word;
    set[way].policy_word = 0;
  }
  std::size_t victim(std::span<const CacheWay> set) const override {
    return first_evictable(
        set, [](const CacheWay& a, const CacheWay& b) { return a.policy_word > b.policy_word; });
  }
};

const ReplacementRegistry::Entry fifo_entry{
    "fifo", "the line that was allocated first",
    [](const ReplacementDescription&) { return std::make_unique<Fifo>(); }};

}  // namespace
}  // namespace heddle::memory
