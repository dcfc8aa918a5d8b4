// Spatial partitioning of the multiprocessors among concurrent launches. Each stream with a launch
// in flight gets an equal part of the multiprocessors of each kind, and uses them round-robin. A
// single stream gets all of them. Xiang's dissertation, section 4.6, cites Adriaens et al. for the
// finding that kernels perform better on different multiprocessors than on the same ones.

#include <algorithm>
#include <map>

#include "gpu/dispatch/dispatcher.h"
#include "gpu/dispatch/round_robin.h"

namespace heddle::gpu {
namespace {

class EvenSplit final : public Dispatcher {
 public:
  explicit EvenSplit(std::span<const SmKind> kinds) : kinds_(kinds) {}

  /// If a kind's multiprocessors cannot be divided equally, the first streams get one more
  /// each. The next kind's remainder goes to the streams after them, so that no stream gets
  /// all remainders.
  void share_among(const std::vector<std::uint32_t>& streams) override {
    const std::uint64_t count = streams.size();
    owner_.clear();
    if (count < 2) return;
    std::uint64_t given = 0;
    for (const SmKind& kind : kinds_) {
      std::vector<std::uint32_t> sizes(count, static_cast<std::uint32_t>(kind.sms / count));
      for (std::uint64_t odd = kind.sms % count; odd > 0; --odd) ++sizes[given++ % count];
      for (std::size_t i = 0; i < count; ++i) owner_.insert(owner_.end(), sizes[i], streams[i]);
    }
  }
  bool allows(const ChipGrid& grid, std::uint32_t sm) const override {
    return owner_.empty() || owner_[sm] == grid.stream();
  }
  std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                      const std::vector<std::unique_ptr<sm::Sm>>& sms) override {
    return round_robins_[grid.stream()].choose(grid, sms,
                                               [&](std::uint32_t sm) { return allows(grid, sm); });
  }
  void restart() override {
    owner_.clear();
    round_robins_.clear();
  }

 private:
  std::span<const SmKind> kinds_;
  std::vector<std::uint32_t> owner_;  ///< Each multiprocessor's stream. Empty: not divided.
  std::map<std::uint32_t, RoundRobin> round_robins_;  ///< By stream.
};

const DispatcherRegistry::Entry even_split_entry{
    "even-split", "an equal part of the multiprocessors of each kind to each stream of launches",
    [](const DispatchPlace& place) { return std::make_unique<EvenSplit>(place.kinds); }};

}  // namespace
}  // namespace heddle::gpu
