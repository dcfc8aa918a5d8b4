// First in, first out (FIFO): uses of a line do not prolong its stay.

#include "memory/replacement/replacement.h"

namespace heddle::memory {
namespace {

class Fifo final : public Replacement {
 public:
  bool observes_uses() const override { return false; }
  /// A way's word falls by one with each later allocation in its set.
  void allocate(std::span<CacheWay> set, std::size_t way) override {
    for (CacheWay& each : set) --each.policy_word;
    set[way].policy_word = kNewest;
  }
  std::size_t victim(std::span<const CacheWay> set) const override {
    return lowest_evictable(set, [](const CacheWay& way) { return way.policy_word; });
  }

 private:
  static constexpr std::uint32_t kNewest = ~std::uint32_t{0};
};

const ReplacementRegistry::Entry fifo_entry{
    "fifo", "the line that was allocated first",
    [](const ReplacementDescription&) { return std::make_unique<Fifo>(); }};

}  // namespace
}  // namespace heddle::memory
