#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::reduction_host {
namespace {

constexpr std::uint32_t kResidentBlock = 1024;

/// The number of values. It is not a multiple of the block, so some lanes of the last block have
/// less to add.
std::size_t count_of(GridChoice grid, Size size) {
  // Chosen for about as many thread instructions as the large-warps paper ran: 100 to 200 million.
  if (grid == GridChoice::resident && size == Size::medium) return 21'000'029;
  switch (size) {
    case Size::tiny:
      return 80'107;
    case Size::small:
      return 2'000'003;
    case Size::medium:
      return 12'000'017;
    case Size::large:
    case Size::paper:
      return 80'000'023;
  }
  return 0;
}

std::uint32_t blocks_for(std::size_t count) {
  return static_cast<std::uint32_t>((count + kPerBlock - 1) / kPerBlock);
}

class Reduction final : public HostProgram {
 public:
  Reduction(GridChoice grid, Size size, std::uint64_t seed) : grid_(grid) {
    Random random(seed);
    numbers_.resize(count_of(grid, size));
    for (std::uint32_t& number : numbers_) number = static_cast<std::uint32_t>(random.next());
  }

  void run(Gpu& device) override {
    const auto numbers = device.upload(numbers_, "numbers");
    if (grid_ == GridChoice::resident) {
      sum_ = sum_by_threads(device, numbers);
    } else {
      sum_ = sum_by_blocks(device, numbers);
    }
  }

  CheckResult check() const override {
    std::uint64_t want = 0;
    for (const std::uint32_t number : numbers_) want += number;
    CheckResult check;
    check.exact("sum", sum_, static_cast<std::uint32_t>(want));
    return check;
  }

 private:
  static std::uint32_t sum_by_blocks(Gpu& device, const Array<std::uint32_t>& numbers) {
    auto sums = device.allocate<std::uint32_t>(blocks_for(numbers.count), "sums");
    reduce(device, numbers, sums);
    while (sums.count > 1) {
      const auto next = device.allocate<std::uint32_t>(blocks_for(sums.count), "sums of sums");
      reduce(device, sums, next);
      sums = next;
    }
    return device.download_one(sums);
  }

  static void reduce(Gpu& device, const Array<std::uint32_t>& numbers,
                     const Array<std::uint32_t>& sums) {
    device.launch("reduce_sum",
                  {.grid = {static_cast<std::uint32_t>(sums.count)}, .block = {kThreads}}, numbers,
                  static_cast<std::uint32_t>(numbers.count), sums);
  }

  /// If the grid has several blocks, one of them adds their sums.
  static std::uint32_t sum_by_threads(Gpu& device, const Array<std::uint32_t>& numbers) {
    const auto count = static_cast<std::uint32_t>(numbers.count);
    const LaunchShape shape = device.resident_shape("reduce_sum_resident", kResidentBlock, count);
    const std::uint32_t blocks = shape.grid.x;
    const auto thread_sums =
        device.allocate<std::uint32_t>(std::size_t{blocks} * kResidentBlock, "sums of threads");
    const auto block_sums = device.allocate<std::uint32_t>(blocks, "sums");
    device.launch("reduce_sum_resident", shape, numbers, count, thread_sums, block_sums);
    if (blocks == 1) return device.download_one(block_sums);
    const auto sum = device.allocate<std::uint32_t>(1, "sum of sums");
    device.launch("reduce_sum_resident", {.grid = {1}, .block = {kResidentBlock}}, block_sums,
                  blocks, thread_sums, sum);
    return device.download_one(sum);
  }

  GridChoice grid_;
  std::vector<std::uint32_t> numbers_;
  std::uint32_t sum_ = 0;
};

const Registration kRegistration({
    .name = "reduction",
    .summary = "The sum of a large vector of integers",
    .papers = {"large-warps Table 2"},
    .kernels = {{"reduce_sum", {kThreads}}},
    .make = make_form<Reduction, GridChoice::input>,
    .resident = ResidentForm{.kernels = {{"reduce_sum_resident", {kResidentBlock}}},
                             .make = make_form<Reduction, GridChoice::resident>},
});

}  // namespace
}  // namespace heddle::workload::reduction_host
