// One block for each multiprocessor in turn, and round again until all are full; then whoever has
// room first, going on in the same order.

#include "gpu/dispatch/dispatcher.h"

namespace heddle::gpu {
namespace {

class BreadthFirst final : public Dispatcher {
 public:
  std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                      const std::vector<std::unique_ptr<sm::Sm>>& sms) override {
    const auto count = static_cast<std::uint32_t>(sms.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t number = (next_ + i) % count;
      if (!sms[number]->fits(grid.on(number))) continue;
      next_ = number + 1;
      return number;
    }
    return std::nullopt;
  }
  void restart() override { next_ = 0; }

 private:
  std::uint32_t next_ = 0;
};

const DispatcherRegistry::Entry entry{
    "breadth-first", "one block for each multiprocessor in turn",
    [](const DispatchDescription&) { return std::make_unique<BreadthFirst>(); }};

}  // namespace
}  // namespace heddle::gpu
