// Launches side by side keep to multiprocessors of their own: each stream that has one under way
// gets an equal part of those of each kind, in order of their numbers, and goes round in it. One
// that is alone has all of them. That kernels on different multiprocessors do better than on the
// same ones is what Xiang's dissertation, section 4.6, takes from Adriaens et al.

#include <algorithm>
#include <map>

#include "gpu/dispatch/dispatcher.h"
#include "gpu/dispatch/round.h"

namespace heddle::gpu {
namespace {

class EvenSplit final : public Dispatcher {
 public:
  explicit EvenSplit(std::span<const SmKind> kinds) : kinds_(kinds) {}

  /// Multiprocessors that are left over go one each to the first streams, and those of the next
  /// kind to the ones after them, so that no stream gets all of these.
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
  bool lets(const ChipGrid& grid, std::uint32_t sm) const override {
    return owner_.empty() || owner_[sm] == grid.stream();
  }
  std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                      const std::vector<std::unique_ptr<sm::Sm>>& sms) override {
    return rounds_[grid.stream()].choose(grid, sms,
                                         [&](std::uint32_t sm) { return lets(grid, sm); });
  }
  void restart() override {
    owner_.clear();
    rounds_.clear();
  }

 private:
  std::span<const SmKind> kinds_;
  std::vector<std::uint32_t> owner_;       ///< By multiprocessor: a stream. Empty: everybody's.
  std::map<std::uint32_t, Round> rounds_;  ///< By stream.
};

const DispatcherRegistry::Entry even_split_entry{
    "even-split", "each stream of launches an equal part of the multiprocessors of each kind",
    [](const DispatchPlace& place) { return std::make_unique<EvenSplit>(place.kinds); }};

}  // namespace
}  // namespace heddle::gpu
