// Pseudo-LRU with a binary tree for each set. The ways are the leaves. Each inner node has a bit
// that says in which half of its leaves the victim is: the half that was not used last.

#include <fmt/format.h>

#include <bit>

#include "base/error.h"
#include "memory/replacement/replacement.h"

namespace heddle::memory {
namespace {

struct PseudoLruParameters {
  void check(const ReplacementContext& cache) const {
    if (std::has_single_bit(cache.ways)) return;
    throw InputError(fmt::format(
        "{0}.replacement.policy 'pseudo-lru' needs a power of two of ways, because its tree halves "
        "them: {0}.ways is {1}",
        cache.cache, cache.ways));
  }
};

/// Node 1 is the root, and nodes 2n and 2n + 1 are the halves of node n. With W ways, nodes W to
/// 2W - 1 are the ways. The bits of nodes 1 to W - 1 are in the words of the ways 1 to W - 1.
class PseudoLru final : public Replacement {
 public:
  void touch(std::span<CacheWay> set, std::size_t way) override {
    for (std::size_t node = set.size() + way; node > 1; node /= 2) {
      set[node / 2].policy_word = node % 2 == 0 ? kSecondHalf : kFirstHalf;
    }
  }
  /// A half without an evictable way is left out, whatever the bit says.
  std::size_t victim(std::span<const CacheWay> set) const override {
    std::size_t node = 1;
    for (std::size_t leaves = set.size() / 2; leaves > 0; leaves /= 2) {
      const std::size_t half = 2 * node + set[node].policy_word;
      const std::size_t first_leaf = half * leaves - set.size();
      const std::span<const CacheWay> ways = set.subspan(first_leaf, leaves);
      const bool has_victim = std::any_of(ways.begin(), ways.end(),
                                          [](const CacheWay& way) { return way.is_evictable(); });
      node = has_victim ? half : half ^ 1;
    }
    return node - set.size();
  }

 private:
  static constexpr std::uint32_t kFirstHalf = 0;
  static constexpr std::uint32_t kSecondHalf = 1;
};

const ReplacementRegistry::Entry pseudo_lru_entry{
    "pseudo-lru", "a line that a binary tree of recent uses points to; a power of two of ways",
    [](const PseudoLruParameters&, const ReplacementDescription&) {
      return std::make_unique<PseudoLru>();
    }};

}  // namespace
}  // namespace heddle::memory
