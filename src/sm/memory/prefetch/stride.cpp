// Stride prefetching with a reference prediction table (Chen and Baer, Effective Hardware-Based
// Data Prefetching for High-Performance Processors, IEEE Transactions on Computers 1995, section
// 3). A GPU interleaves the accesses of its warps, so each warp has entries of its own. A counter
// of confidence takes the place of the paper's four states. With `by_address`, strides are those of
// Kim et al., Warped-Preexecution, section 6.1: between addresses, so that a load that stays in its
// line trains its entry, too, and each access replaces the stride.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "base/error.h"
#include "base/xor_fold.h"
#include "sm/memory/prefetch/prefetcher.h"

namespace heddle::sm {
namespace {

constexpr std::uint32_t kMaxConfidence = 3;

struct StrideParameters {
  std::uint32_t entries = 256;
  std::uint32_t confidence = 2;
  bool by_address = false;

  void declare(config::Declarations& parameters) {
    parameters.number("entries", entries, {.least = 1, .most = 1 << 16},
                      "entries of the table of loads ('stride'): a power of two");
    parameters.number("confidence", confidence, {.least = 1, .most = kMaxConfidence},
                      "how often a load must repeat its stride before lines are proposed "
                      "('stride')");
    parameters.flag("by_address", by_address,
                    "whether strides are between the addresses of a load, and each access replaces "
                    "the stride; otherwise they are between lines, and a stride stays while there "
                    "is confidence in it ('stride')");
  }
  void check(const PrefetchDescription&) const {
    if (std::has_single_bit(entries)) return;
    throw InputError(fmt::format("l1.prefetch.entries is {}: it must be a power of two", entries));
  }
  static void storage(config::StorageList& list) {
    list_prefetch_queue(list);
    list.add({.name = "prefetch_table",
              .bits = "l1.prefetch.entries * (38 + 2 * (49 - (1 - l1.prefetch.by_address) * "
                      "bits(l1.line_bytes)) + 2)",
              .meaning = "pc and warp, last line or address, stride, and confidence of loads",
              .source = "Chen and Baer, section 3, without their states"});
  }
};

class Stride final : public Prefetcher {
 public:
  Stride(const StrideParameters& parameters, std::uint32_t degree)
      : table_(parameters.entries),
        index_bits_(static_cast<std::uint32_t>(std::countr_zero(parameters.entries))),
        threshold_(parameters.confidence),
        by_address_(parameters.by_address),
        degree_(degree) {}

  /// The first access of an instruction trains its entry. All its accesses propose lines, each at a
  /// distance of the instruction's stride. A line's own place is not proposed.
  void observe(const DemandAccess& access, ProposedLines& proposed) override {
    const std::uint64_t key = (std::uint64_t{access.pc} << 32) | access.warp;
    Entry& entry = table_[static_cast<std::size_t>(xor_fold(access.pc, index_bits_) ^
                                                   xor_fold(access.warp, index_bits_))];
    if (access.index == 0) train(entry, key, by_address_ ? access.address : access.line);
    if (entry.key != key || entry.confidence < threshold_) return;
    for (std::uint64_t i = 1; i <= degree_; ++i) {
      const std::uint64_t line = by_address_
                                     ? (access.address + i * entry.stride) / access.line_bytes
                                     : access.line + i * entry.stride;
      if (line != access.line) proposed.push_back(line);
    }
  }
  void invalidate() override { std::fill(table_.begin(), table_.end(), Entry{}); }

 private:
  /// The key of an empty entry. No load has it, because a warp slot has a small number.
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

  struct Entry {
    std::uint64_t key = kNoKey;
    std::uint64_t place = 0;   ///< The line or address of the last access.
    std::uint64_t stride = 0;  ///< In lines or bytes, modulo 2^64; 0 if no stride is known.
    std::uint32_t confidence = 0;
  };

  void train(Entry& entry, std::uint64_t key, std::uint64_t place) const {
    if (entry.key != key) {
      entry = {.key = key, .place = place};
      return;
    }
    const std::uint64_t stride = place - entry.place;
    entry.place = place;
    // A load that stays in its line confirms nothing and contradicts nothing.
    if (stride == 0 && !by_address_) return;
    if (stride == entry.stride) {
      entry.confidence = std::min(entry.confidence + 1, kMaxConfidence);
    } else {
      if (by_address_ || entry.confidence == 0) entry.stride = stride;
      if (entry.confidence > 0) --entry.confidence;
    }
  }

  std::vector<Entry> table_;
  std::uint32_t index_bits_;
  std::uint32_t threshold_;
  bool by_address_;
  std::uint32_t degree_;
};

const PrefetchRegistry::Entry stride_entry{
    "stride", "the lines that follow at the stride of a warp's load, once it is regular",
    [](const StrideParameters& own, const PrefetchDescription& description) {
      return std::make_unique<Stride>(own, description.degree);
    }};

}  // namespace
}  // namespace heddle::sm
