// Round-robin over all multiprocessors. The launches of all streams use the same multiprocessors.

#include "gpu/dispatch/dispatcher.h"
#include "gpu/dispatch/round_robin.h"

namespace heddle::gpu {
namespace {

class BreadthFirst final : public Dispatcher {
 public:
  std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                      const std::vector<std::unique_ptr<sm::Sm>>& sms) override {
    return round_robin_.choose(grid, sms, [](std::uint32_t) { return true; });
  }
  void restart() override { round_robin_ = {}; }

 private:
  RoundRobin round_robin_;
};

const DispatcherRegistry::Entry breadth_first_entry{
    "breadth-first", "one block to each multiprocessor in turn",
    [](const DispatchPlace&) { return std::make_unique<BreadthFirst>(); }};

}  // namespace
}  // namespace heddle::gpu
