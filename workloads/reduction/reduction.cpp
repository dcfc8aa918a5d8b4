#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload {
namespace {

/// Not whole blocks, so that the last one has lanes with less to add.
std::size_t count_of(Size size) {
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
  Reduction(Size size, std::uint64_t seed) {
    Random random(seed);
    numbers_.resize(count_of(size));
    for (std::uint32_t& number : numbers_) number = static_cast<std::uint32_t>(random.next());
  }

  void run(Gpu& device) override {
    const auto numbers = device.upload(numbers_, "numbers");
    auto sums = device.allocate<std::uint32_t>(blocks_for(numbers.count), "sums");
    reduce(device, numbers, sums);
    while (sums.count > 1) {
      const auto next = device.allocate<std::uint32_t>(blocks_for(sums.count), "sums of sums");
      reduce(device, sums, next);
      sums = next;
    }
    sum_ = device.download_one(sums);
  }

  Verdict check() const override {
    std::uint64_t want = 0;
    for (const std::uint32_t number : numbers_) want += number;
    Verdict verdict;
    verdict.exact("sum", sum_, static_cast<std::uint32_t>(want));
    return verdict;
  }

 private:
  static void reduce(Gpu& device, const Array<std::uint32_t>& numbers,
                     const Array<std::uint32_t>& sums) {
    device.launch("reduce_sum",
                  {.grid = {static_cast<std::uint32_t>(sums.count)}, .block = {kThreads}}, numbers,
                  static_cast<std::uint32_t>(numbers.count), sums);
  }

  std::vector<std::uint32_t> numbers_;
  std::uint32_t sum_ = 0;
};

const Registration kRegistration({
    .name = "reduction",
    .summary = "The sum of a large vector of integers",
    .papers = {"large-warps Table 2"},
    .kernels = {{"reduce_sum", {kThreads}}},
    .make = [](Size size, std::uint64_t seed) -> std::unique_ptr<HostProgram> {
      return std::make_unique<Reduction>(size, seed);
    },
});

}  // namespace
}  // namespace heddle::workload
