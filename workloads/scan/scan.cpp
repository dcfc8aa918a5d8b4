#include <numeric>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::scan_host {
namespace {

/// The number of values, which is not a multiple of the block. From `small` on, one block cannot
/// scan the sums of all blocks.
std::size_t count_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 10'101;
    case Size::small:
      return 300'007;
    case Size::medium:
      return 2'000'003;
    case Size::large:
    case Size::paper:
      return 16'000'057;
  }
  return 0;
}

class Scan final : public HostProgram {
 public:
  Scan(Size size, std::uint64_t seed) {
    Random random(seed);
    numbers_.resize(count_of(size));
    for (std::uint32_t& number : numbers_) number = static_cast<std::uint32_t>(random.next());
  }

  void run(Gpu& device) override {
    const auto numbers = device.upload(numbers_, "numbers");
    const auto sums = device.allocate<std::uint32_t>(numbers.count, "prefix sums");
    scan(device, numbers, sums);
    sums_ = device.download(sums);
  }

  CheckResult check() const override {
    std::vector<std::uint32_t> want(numbers_.size());
    std::exclusive_scan(numbers_.begin(), numbers_.end(), want.begin(), 0u);
    CheckResult check;
    check.exact("sums", sums_, want);
    return check;
  }

 private:
  static void scan(Gpu& device, const Array<std::uint32_t>& in, const Array<std::uint32_t>& out) {
    const auto count = static_cast<std::uint32_t>(in.count);
    const std::uint32_t blocks = (count + kPerBlock - 1) / kPerBlock;
    const LaunchShape shape{.grid = {blocks}, .block = {kThreads}};
    const auto block_sums = device.allocate<std::uint32_t>(blocks, "sums of blocks");
    device.launch("scan_blocks", shape, in, out, block_sums, count);
    if (blocks == 1) return;
    const auto offsets = device.allocate<std::uint32_t>(blocks, "offsets of blocks");
    scan(device, block_sums, offsets);
    device.launch("add_offsets", shape, out, offsets, count);
  }

  std::vector<std::uint32_t> numbers_, sums_;
};

const Registration kRegistration({
    .name = "scan",
    .summary = "The exclusive prefix sums of a large vector",
    .papers = {"simt Section 4.4"},
    .kernels = {{"scan_blocks", {kThreads}}, {"add_offsets", {kThreads}}},
    .make = make_program<Scan>,
});

}  // namespace
}  // namespace heddle::workload::scan_host
