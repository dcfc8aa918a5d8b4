// One round over all multiprocessors, for all launches together.

#include "gpu/dispatch/dispatcher.h"
#include "gpu/dispatch/round.h"

namespace heddle::gpu {
namespace {

class BreadthFirst final : public Dispatcher {
 public:
  std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                      const std::vector<std::unique_ptr<sm::Sm>>& sms) override {
    return round_.choose(grid, sms, [](std::uint32_t) { return true; });
  }
  void restart() override { round_ = {}; }

 private:
  Round round_;
};

const DispatcherRegistry::Entry breadth_first_entry{
    "breadth-first", "one block for each multiprocessor in turn",
    [](const DispatchPlace&) { return std::make_unique<BreadthFirst>(); }};

}  // namespace
}  // namespace heddle::gpu
