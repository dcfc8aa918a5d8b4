// Random replacement. The random number depends only on the seed and the number of lines that the
// cache has allocated. It selects one of the set's evictable ways. A cache sees its accesses in the
// same order for any number of host threads, so results stay exact.

#include "memory/replacement/replacement.h"

namespace heddle::memory {
namespace {

struct RandomReplacementParameters {
  std::uint32_t seed = 1;

  void declare(config::Declarations& parameters) {
    parameters.number("seed", seed, {},
                      "of the sequence of random numbers; caches with the same seed have the same "
                      "sequence ('random')");
  }
};

class RandomReplacement final : public Replacement {
 public:
  explicit RandomReplacement(std::uint32_t seed) : seed_(seed) {}

  bool observes_uses() const override { return false; }
  void allocate(std::span<CacheWay>, std::size_t) override { ++allocations_; }
  std::size_t victim(std::span<const CacheWay> set) const override {
    const auto is_evictable = [](const CacheWay& way) { return way.is_evictable(); };
    // At least one way is evictable, but clang's analyzer cannot know that.
    const auto candidates = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::count_if(set.begin(), set.end(), is_evictable)));
    std::uint64_t skipped = number() % candidates;
    const auto found = std::find_if(set.begin(), set.end(), [&](const CacheWay& way) {
      return way.is_evictable() && skipped-- == 0;
    });
    return static_cast<std::size_t>(found - set.begin());
  }

 private:
  /// The next number of the sequence. SplitMix64: Steele et al., Fast Splittable Pseudorandom
  /// Number Generators.
  std::uint64_t number() const {
    std::uint64_t z = (std::uint64_t{seed_} << 32) + (allocations_ + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
  }

  std::uint32_t seed_;
  std::uint64_t allocations_ = 0;
};

const ReplacementRegistry::Entry random_entry{
    "random", "a line chosen by a sequence of random numbers",
    [](const RandomReplacementParameters& own, const ReplacementDescription&) {
      return std::make_unique<RandomReplacement>(own.seed);
    }};

}  // namespace
}  // namespace heddle::memory
