// The gshare predictor: a table of two-bit counters that all warps of a multiprocessor share. The
// index into the table is the address of the branch XOR the history of earlier branches (Xiang,
// Toward Efficient SIMT Execution, section 4.4.3; in section 4.4.4 the table has 1 kbit).

#include <fmt/format.h>

#include <array>
#include <bit>
#include <vector>

#include "base/error.h"
#include "base/ring_queue.h"
#include "sm/branch/prediction.h"

namespace heddle::sm {
namespace {

struct GshareParameters {
  std::uint32_t counters = 512;
  std::uint32_t history_bits = 9;
  std::string history_of = "multiprocessor";

  void declare(config::Declarations& parameters) {
    parameters.number("counters", counters, {.least = 1, .most = 1 << 20},
                      "two-bit counters of a multiprocessor ('gshare'): a power of two");
    parameters.number(
        "history_bits", history_bits, {.unit = "branches", .least = 0, .most = 20},
        "length of the history that, with the branch's address, selects a counter ('gshare')");
    parameters.choice("history_of", history_of, {"multiprocessor", "warp"},
                      "whether all warps share one history or each warp has its own ('gshare')");
  }
  void check(const SmDescription& sm) const {
    PredictionParameters::check(sm);
    if (!std::has_single_bit(counters)) {
      throw InputError(fmt::format("branch.counters is {}: it must be a power of two", counters));
    }
    if (history_bits > static_cast<std::uint32_t>(std::countr_zero(counters))) {
      throw InputError(
          fmt::format("branch.history_bits is {}, but only {} bits select one of {} counters",
                      history_bits, std::countr_zero(counters), counters));
    }
  }
  static void storage(config::StorageList& list) {
    list.add({.name = "branch_counters",
              .bits = "2 * branch.counters",
              .meaning = "saturating counters for the branches of all warps",
              .source = "Xiang, section 4.4.4: 1 kbit"});
  }
};

class Gshare final : public Prediction {
 public:
  Gshare(const GshareParameters& parameters, const BranchDescription& description)
      : Prediction(description),
        counters_(parameters.counters, kWeaklyNotTaken),
        history_mask_((std::uint32_t{1} << parameters.history_bits) - 1),
        has_history_per_warp_(parameters.history_of == "warp") {}

  void invalidate() override {
    counters_.assign(counters_.size(), kWeaklyNotTaken);
    histories_.fill(0);
    while (!unresolved_.empty()) unresolved_.pop();
  }

 private:
  static constexpr std::uint8_t kWeaklyNotTaken = 1;
  static constexpr std::uint8_t kStronglyTaken = 3;

  struct PendingUpdate {
    std::uint32_t counter = 0;  ///< The index of the counter.
    bool taken = false;         ///< The outcome of the branch.
    Cycle at;                   ///< When the branch is resolved.
  };

  bool predict(WarpSlot warp, const IssueInfo&, const BranchOutcome& outcome, Cycle now) override {
    for (; !unresolved_.empty() && unresolved_.front().at <= now; unresolved_.pop()) {
      const auto [counter, taken, at] = unresolved_.front();
      std::uint8_t& value = counters_[counter];
      if (taken && value < kStronglyTaken) ++value;
      if (!taken && value > 0) --value;
    }
    last_index_ =
        (outcome.pc ^ history_of(warp)) & static_cast<std::uint32_t>(counters_.size() - 1);
    return counters_[last_index_] > kWeaklyNotTaken;
  }
  /// The counter is updated when the branch is resolved. The history is updated now, with the
  /// outcome. Hardware would shift in the prediction, and repair the history after a misprediction,
  /// which has the same effect on later predictions.
  void update(WarpSlot warp, bool taken, Cycle at) override {
    std::uint32_t& history = history_of(warp);
    history = ((history << 1) | (taken ? 1 : 0)) & history_mask_;
    unresolved_.push({.counter = last_index_, .taken = taken, .at = at});
  }
  std::uint32_t& history_of(WarpSlot warp) {
    return histories_[has_history_per_warp_ ? warp : WarpSlot{0}];
  }

  std::vector<std::uint8_t> counters_;
  std::array<std::uint32_t, kMaxWarps> histories_{};
  std::uint32_t history_mask_;
  bool has_history_per_warp_;
  std::uint32_t last_index_ = 0;  ///< Index of the counter that made the last prediction.
  RingQueue<PendingUpdate> unresolved_{kMaxWarps};  ///< In order of prediction.
};

const BranchRegistry::Entry gshare_entry{
    "gshare", "predicts by two-bit counters that all warps share, indexed with a branch history",
    [](const GshareParameters& parameters, const BranchDescription& description) {
      return std::make_unique<Gshare>(parameters, description);
    }};

}  // namespace
}  // namespace heddle::sm
