#include <algorithm>
#include <string>
#include <vector>

#include "kernel.h"
#include "workload/inputs/text.h"
#include "workload/workload.h"

namespace heddle::workload {
namespace {

/// More than this many blocks only make more partial counts to merge.
constexpr std::uint32_t kMostBlocks = 192;
/// What a thread should at least have to count, in words of four characters.
constexpr std::uint32_t kLeastWords = 8;

/// Not whole words, so that the rest is counted, too.
std::size_t bytes_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 100'003;
    case Size::small:
      return 5'000'001;
    case Size::medium:
      return 30'000'002;
    case Size::large:
    case Size::paper:
      return 200'000'003;
  }
  return 0;
}

class Histogram final : public HostProgram {
 public:
  Histogram(Size size, std::uint64_t seed) : text_(english_text(bytes_of(size), seed)) {}

  void run(Gpu& device) override {
    const auto bytes = static_cast<std::uint32_t>(text_.size());
    const std::uint32_t words = bytes / 4;
    const std::uint32_t per_block = kThreads * kLeastWords;
    const std::uint32_t blocks = std::clamp((words + per_block - 1) / per_block, 1u, kMostBlocks);

    const Array<char> text = device.allocate<char>(text_.size(), "text");
    device.write_bytes(text.address, std::as_bytes(std::span(text_)));
    const auto partial_counts = device.allocate<std::uint32_t>(blocks * kBins, "partial counts");
    const auto histogram = device.allocate<std::uint32_t>(kBins, "histogram");
    device.launch("count_characters", {.grid = {blocks}, .block = {kThreads}}, text, words, bytes,
                  partial_counts);
    device.launch("merge_counts",
                  {.grid = {kBins / kBinsPerBlock}, .block = {kBinsPerBlock, kRowsOfThreads}},
                  partial_counts, blocks, histogram);
    histogram_ = device.download(histogram);
  }

  Verdict check() const override {
    std::vector<std::uint32_t> want(kBins);
    for (const char character : text_) ++want[static_cast<unsigned char>(character)];
    Verdict verdict;
    verdict.exact("histogram", histogram_, want);
    return verdict;
  }

 private:
  std::string text_;
  std::vector<std::uint32_t> histogram_;
};

const Registration kRegistration({
    .name = "histogram",
    .summary = "How often each character is in a large text",
    .papers = {"large-warps Table 2", "warpman Table 2"},
    .kernels = {{"count_characters",
                 {kThreads},
                 PaperFigures{.source = "warpman Table 2",
                              .registers_per_thread = 20,
                              .shared_bytes_per_block = 4096,
                              .blocks_per_sm = 3}},
                {"merge_counts", {kBinsPerBlock, kRowsOfThreads}}},
    .make = [](Size size, std::uint64_t seed) -> std::unique_ptr<HostProgram> {
      return std::make_unique<Histogram>(size, seed);
    },
});

}  // namespace
}  // namespace heddle::workload
