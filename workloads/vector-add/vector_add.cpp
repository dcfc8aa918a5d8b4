#include <vector>

#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::vector_add_host {
namespace {

constexpr std::uint32_t kBlock = 256;

/// Not a multiple of the block, so the last warp has idle lanes.
int count_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 50'000;
    case Size::small:
      return 1'000'000;
    case Size::medium:
      return 8'000'000;
    case Size::large:
      return 64'000'000;
    case Size::paper:
      return 512 * 512;  // simt Table 3: (512, 512)
  }
  return 0;
}

class VectorAdd final : public HostProgram {
 public:
  VectorAdd(Size size, std::uint64_t seed) {
    Random random(seed);
    const auto count = static_cast<std::size_t>(count_of(size));
    a_.resize(count);
    b_.resize(count);
    for (float& value : a_) value = random.uniform_float(-1, 1);
    for (float& value : b_) value = random.uniform_float(-1, 1);
  }

  void run(Gpu& device) override {
    const Array<float> a = device.upload(a_, "a");
    const Array<float> b = device.upload(b_, "b");
    const Array<float> c = device.allocate<float>(a_.size(), "c");
    const auto count = static_cast<std::uint32_t>(a_.size());
    device.launch("vector_add", {.grid = {(count + kBlock - 1) / kBlock}, .block = {kBlock}}, a, b,
                  c, static_cast<int>(count));
    c_ = device.download(c);
  }

  CheckResult check() const override {
    std::vector<float> want(a_.size());
    for (std::size_t i = 0; i < want.size(); ++i) want[i] = a_[i] + b_[i];
    CheckResult check;
    check.close("c", c_, want, {.reason = "one IEEE addition has one right result"});
    return check;
  }

 private:
  std::vector<float> a_, b_, c_;
};

const Registration kRegistration({
    .name = "vector-add",
    .summary = "The sum of two vectors of floats",
    .papers = {"simt Table 3"},
    .kernels = {{"vector_add", {kBlock}}},
    .has_paper_size = true,
    .make = make_program<VectorAdd>,
});

}  // namespace
}  // namespace heddle::workload::vector_add_host
