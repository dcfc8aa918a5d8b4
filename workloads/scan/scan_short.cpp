#include <numeric>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::scan_short_host {
namespace {

std::uint32_t vectors_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 60;
    case Size::small:
      return 2'000;
    case Size::medium:
      return 15'000;
    case Size::large:
      return 120'000;
    case Size::paper:
      return 512;  // simt Section 4.5: at most 32768 threads
  }
  return 0;
}

class ScanShort final : public HostProgram {
 public:
  ScanShort(Size size, std::uint64_t seed) : vectors_(vectors_of(size)) {
    Random random(seed);
    numbers_.resize(std::size_t{vectors_} * kShortVector);
    for (std::uint32_t& number : numbers_) number = static_cast<std::uint32_t>(random.next());
  }

  void run(Gpu& device) override {
    const auto numbers = device.upload(numbers_, "numbers");
    const auto sums = device.allocate<std::uint32_t>(numbers.count, "prefix sums");
    device.launch("scan_short_vectors", {.grid = {vectors_}, .block = {kShortThreads}}, numbers,
                  sums);
    sums_ = device.download(sums);
  }

  CheckResult check() const override {
    std::vector<std::uint32_t> want(numbers_.size());
    for (std::size_t first = 0; first < numbers_.size(); first += kShortVector) {
      const auto begin = numbers_.begin() + static_cast<std::ptrdiff_t>(first);
      std::exclusive_scan(begin, begin + kShortVector,
                          want.begin() + static_cast<std::ptrdiff_t>(first), 0u);
    }
    CheckResult check;
    check.exact("sums", sums_, want);
    return check;
  }

 private:
  std::uint32_t vectors_;
  std::vector<std::uint32_t> numbers_, sums_;
};

const Registration kRegistration({
    .name = "scan-short",
    .folder = "scan",
    .summary = "The exclusive prefix sums of many short vectors",
    .papers = {"simt Table 7"},
    .kernels = {{"scan_short_vectors", {kShortThreads}}},
    .has_paper_size = true,
    .make = make_program<ScanShort>,
});

}  // namespace
}  // namespace heddle::workload::scan_short_host
