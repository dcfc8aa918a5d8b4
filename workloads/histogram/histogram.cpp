#include <algorithm>
#include <string>
#include <vector>

#include "kernel.h"
#include "workload/inputs/text.h"
#include "workload/workload.h"

namespace heddle::workload::histogram_host {
namespace {

/// A limit, because every block adds partial counts to merge.
constexpr std::uint32_t kMaxBlocks = 192;
/// The least work of a thread, in words of four characters.
constexpr std::uint32_t kMinWordsPerThread = 8;

/// The length of the text. It is not a multiple of the word, so the remainder must be counted, too.
std::size_t bytes_of(GridChoice grid, Size size) {
  // Chosen for about as many thread instructions as the large-warps paper ran: 100 to 200 million.
  if (grid == GridChoice::resident && size == Size::medium) return 10'000'002;
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
  Histogram(GridChoice grid, Size size, std::uint64_t seed)
      : grid_(grid), text_(english_text(bytes_of(grid, size), seed)) {}

  void run(Gpu& device) override {
    const Array<char> text = device.allocate<char>(text_.size(), "text");
    device.write_bytes(text.address, std::as_bytes(std::span(text_)));
    const auto histogram = grid_ == GridChoice::resident ? count_by_threads(device, text)
                                                         : count_by_blocks(device, text);
    histogram_ = device.download(histogram);
  }

  CheckResult check() const override {
    std::vector<std::uint32_t> want(kBins);
    for (const char character : text_) ++want[static_cast<unsigned char>(character)];
    CheckResult check;
    check.exact("histogram", histogram_, want);
    return check;
  }

 private:
  static Array<std::uint32_t> count_by_blocks(Gpu& device, const Array<char>& text) {
    const auto bytes = static_cast<std::uint32_t>(text.count);
    const std::uint32_t words = bytes / 4;
    const std::uint32_t per_block = kThreads * kMinWordsPerThread;
    const std::uint32_t blocks = std::clamp((words + per_block - 1) / per_block, 1u, kMaxBlocks);
    const auto partial_counts = device.allocate<std::uint32_t>(blocks * kBins, "partial counts");
    const auto histogram = device.allocate<std::uint32_t>(kBins, "histogram");
    device.launch("count_characters", {.grid = {blocks}, .block = {kThreads}}, text, words, bytes,
                  partial_counts);
    device.launch("merge_counts",
                  {.grid = {kBins / kBinsPerBlock}, .block = {kBinsPerBlock, kRowsOfThreads}},
                  partial_counts, blocks, histogram);
    return histogram;
  }

  static Array<std::uint32_t> count_by_threads(Gpu& device, const Array<char>& text) {
    const auto bytes = static_cast<std::uint32_t>(text.count);
    const std::uint32_t words = bytes / 4;
    // Gives a thread more characters to count than counters to merge.
    const LaunchShape shape =
        device.resident_shape("count_characters_resident", kResidentThreads,
                              (words + kWordsOfCounters - 1) / kWordsOfCounters);
    const std::uint32_t threads = shape.grid.x * kResidentThreads;
    const auto thread_counts =
        device.allocate<std::uint32_t>(std::size_t{threads} * kWordsOfCounters, "thread counts");
    const auto histogram = device.allocate<std::uint32_t>(kBins, "histogram");
    device.fill(histogram, 0);
    device.launch("count_characters_resident", shape, text, words, bytes, thread_counts, histogram);
    device.launch("merge_counts_resident", {.grid = {1}, .block = {kResidentThreads}},
                  thread_counts, threads, histogram);
    return histogram;
  }

  GridChoice grid_;
  std::string text_;
  std::vector<std::uint32_t> histogram_;
};

const Registration kRegistration({
    .name = "histogram",
    .summary = "How often each character is in a large text",
    .papers = {"large-warps Table 2", "warpman Table 2"},
    .kernels = {{"count_characters",
                 {kThreads},
                 PaperResources{.source = "warpman Table 2",
                                .registers_per_thread = 20,
                                .shared_bytes_per_block = 4096,
                                .blocks_per_sm = 3}},
                {"merge_counts", {kBinsPerBlock, kRowsOfThreads}}},
    .make = make_form<Histogram, GridChoice::input>,
    .resident = ResidentForm{.kernels = {{"count_characters_resident", {kResidentThreads}},
                                         {"merge_counts_resident", {kResidentThreads}}},
                             .make = make_form<Histogram, GridChoice::resident>},
});

}  // namespace
}  // namespace heddle::workload::histogram_host
