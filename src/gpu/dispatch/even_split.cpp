// Divides the multiprocessors among concurrent launches (spatial partitioning). Each stream with a
// launch in flight gets an equal part of the multiprocessors of each kind, and uses them
// round-robin. A single stream gets all multiprocessors. Xiang's dissertation, section 4.6, cites
// Adriaens et al. for the finding that concurrent kernels perform better on different
// multiprocessors than on the same ones.

#include <algorithm>
#include <map>

#include "gpu/dispatch/dispatcher.h"
#include "gpu/dispatch/round_robin.h"

namespace heddle::gpu {
namespace {

class EvenSplit final : public Dispatcher {
 public:
  explicit EvenSplit(std::span<const SmKind> kinds) : kinds_(kinds) {}

  /// If the multiprocessors of a kind cannot be divided equally, some streams get one more than the
  /// others. For the next kind, the streams after those get one more, so that no stream is always
  /// favoured.
  void share_among(const std::vector<std::uint32_t>& streams) override {
    const std::uint64_t count = streams.size();
    stream_by_sm_.clear();
    if (count < 2) return;
    std::uint64_t remainders = 0;  // The number of additional multiprocessors given out so far.
    for (const SmKind& kind : kinds_) {
      std::vector<std::uint32_t> sizes(count, static_cast<std::uint32_t>(kind.sms / count));
      for (std::uint64_t rest = kind.sms % count; rest > 0; --rest) ++sizes[remainders++ % count];
      for (std::size_t i = 0; i < count; ++i) {
        stream_by_sm_.insert(stream_by_sm_.end(), sizes[i], streams[i]);
      }
    }
  }
  bool allows(const ChipGrid& grid, std::uint32_t sm) const override {
    return stream_by_sm_.empty() || stream_by_sm_[sm] == grid.stream();
  }
  std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                      const std::vector<std::unique_ptr<sm::Sm>>& sms) override {
    return round_robins_[grid.stream()].choose(grid, sms,
                                               [&](std::uint32_t sm) { return allows(grid, sm); });
  }
  void restart() override {
    stream_by_sm_.clear();
    round_robins_.clear();
  }

 private:
  std::span<const SmKind> kinds_;
  std::vector<std::uint32_t> stream_by_sm_;  ///< Empty: the multiprocessors are not divided.
  std::map<std::uint32_t, RoundRobin> round_robins_;  ///< By stream.
};

const DispatcherRegistry::Entry even_split_entry{
    "even-split", "an equal part of the multiprocessors of each kind to each stream of launches",
    [](const DispatchPlace& place) { return std::make_unique<EvenSplit>(place.kinds); }};

}  // namespace
}  // namespace heddle::gpu
