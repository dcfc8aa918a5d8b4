// A commit scoreboard that checks itself whenever a warp issues. If a warp has committed n
// instructions, its registers and memory must be as in a functional run after the warp's first n
// instructions.

#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "exec/block/block.h"
#include "exec/memory/address_space.h"
#include "exec/memory/epoch_stores.h"
#include "exec/memory/global_memory.h"
#include "sm/dependence/commit_scoreboard.h"
#include "sm/pipeline/thread_grouping.h"

namespace heddle::sm {
namespace {

/// The word at a generic address of global or shared memory.
std::uint32_t word_at(const exec::MemoryView& memory, const exec::EpochStores& stores,
                      std::uint64_t address) {
  std::uint32_t value = 0;
  if (exec::in_window(address, exec::kSharedWindow)) {
    std::memcpy(&value, memory.shared + exec::offset_in_window(address), sizeof value);
  } else {
    stores.read(*memory.global, address, std::as_writable_bytes(std::span(&value, 1)).data(),
                sizeof value);
  }
  return value;
}

/// The state of a block's warps after each of their instructions, from a functional run. No other
/// block sees the stores of this run. The block must store single words only, in global memory and
/// in shared memory that is initially zero.
class UntimedStates {
 public:
  struct State {
    std::vector<std::uint32_t> registers;           ///< 32 lanes for each register.
    std::vector<std::uint32_t> predicates;          ///< One bit per lane.
    std::map<std::uint64_t, std::uint32_t> stored;  ///< Last stored word by address.
  };

  UntimedStates(const exec::Launch& launch, std::uint64_t index) : block_(launch) {
    block_.place_on(0, 1, &stores_);
    block_.start(index);
    states_.resize(block_.warps().size());
    for (std::uint32_t w = 0; w < states_.size(); ++w) record(w);
    while (!block_.finished()) {
      for (std::uint32_t w = 0; w < states_.size(); ++w) {
        if ((block_.running_warps() >> w & 1) != 0) step(w);
      }
    }
  }

  /// The warp's state after its first `instructions` instructions.
  const State& after(std::uint32_t warp, std::uint64_t instructions) const {
    return states_[warp][instructions];
  }
  /// The number of instructions that the warp executes.
  std::uint64_t instructions(std::uint32_t warp) const { return states_[warp].size() - 1; }
  /// The initial values of all words that the block stores.
  const std::map<std::uint64_t, std::uint32_t>& before() const { return before_; }

 private:
  void step(std::uint32_t w) {
    exec::Warp& warp = block_.warp(w);
    const code::Instruction& instruction =
        block_.launch().program->instructions[warp.stack.top().pc];
    const bool stores = instruction.operation == code::Operation::store;
    const std::uint64_t window = instruction.space == code::Space::shared ? exec::kSharedWindow : 0;
    block_.step(warp);
    if (stores) record_stored(w, window);
    record(w);
  }
  void record_stored(std::uint32_t w, std::uint64_t window) {
    const exec::WarpContext& context = block_.warp(w).context;
    for (LaneMask lanes(context.active); !lanes.empty(); lanes = lanes.without_lowest()) {
      const std::uint64_t address =
          window + context.address()[static_cast<std::size_t>(lanes.lowest())];
      before_.emplace(address, exec::in_window(address, exec::kSharedWindow)
                                   ? 0
                                   : word_at(context.memory, exec::EpochStores(), address));
      stored_[w][address] = word_at(context.memory, stores_, address);
    }
  }
  void record(std::uint32_t w) {
    const code::FunctionInfo& info = block_.launch().info();
    const exec::WarpContext& context = block_.warp(w).context;
    State& state = states_[w].emplace_back();
    const std::uint32_t* const first = context.base[0];
    state.registers.assign(first, first + std::size_t{32} * info.registers_per_thread);
    state.predicates.assign(context.predicates + 1,
                            context.predicates + 1 + info.predicates_per_thread);
    state.stored = stored_[w];
  }

  exec::EpochStores stores_;
  exec::Block block_;
  std::vector<std::vector<State>> states_;  ///< By warp and number of instructions.
  std::map<std::uint32_t, std::map<std::uint64_t, std::uint32_t>> stored_;
  std::map<std::uint64_t, std::uint32_t> before_;
};

struct StoppingParameters {
  std::uint32_t ahead = 0;

  void declare(config::Declarations& parameters) {
    parameters.number("ahead", ahead, {.most = 100},
                      "instructions by which the expected state is ahead ('stopping-scoreboard')");
  }
  static DependenceProperties properties(const DependenceDescription& description) {
    return CommitScoreboardParameters::properties(description);
  }
};

class StoppingScoreboard final : public CommitScoreboard {
 public:
  StoppingScoreboard(const StoppingParameters& parameters, const CommitScoreboardParameters& board,
                     const Bypass& bypass)
      : CommitScoreboard(board, bypass), ahead_(parameters.ahead) {}

  void check_reads(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                   const StaticWarp& static_warp, Cycle now) override {
    if (!states_)
      states_ =
          std::make_unique<UntimedStates>(static_warp.block->launch(), static_warp.block->index());
    warps_[warp] = static_warp.warp;
    for (const auto& [slot, known] : warps_) check_warp(slot, *known, now);
    CommitScoreboard::check_reads(warp, table, instruction, static_warp, now);
  }
  void declare(CounterList& counters) override {
    CommitScoreboard::declare(counters);
    counters.add("stops", stops_, "stops", "at which a warp was checked");
    counters.add("outstanding", outstanding_, "instructions",
                 "that warps had issued and not committed, at all stops");
    counters.add("compared", compared_, "words",
                 "of registers and memory, compared with the functional run");
    counters.add("imprecise", imprecise_, "words", "that differ from the functional run");
  }

 private:
  void check_warp(WarpSlot slot, const exec::Warp& warp, Cycle now) {
    commit(slot, now);
    const std::uint32_t number = warp.identity.warp;
    const std::uint64_t committed = check().committed_count(slot);
    const UntimedStates::State& expected =
        states_->after(number, std::min(committed + ahead_, states_->instructions(number)));
    ++stops_;
    outstanding_ += check().issued_count(slot) - committed;
    for (std::uint16_t word = 0; word < expected.registers.size() / 32; ++word) {
      const CommitCheck::Committed& file = check().committed_value(slot, word);
      for (std::size_t lane = 0; lane < 32; ++lane) {
        compare(file.values[lane], expected.registers[std::size_t{32} * word + lane]);
      }
    }
    for (std::uint16_t i = 0; i < expected.predicates.size(); ++i) {
      const CommitCheck::Committed& file =
          check().committed_value(slot, static_cast<std::uint16_t>(kFirstPredicate + i));
      for (std::size_t lane = 0; lane < 32; ++lane) {
        compare(file.values[lane], expected.predicates[i] >> lane & 1);
      }
    }
    for (const auto& [address, before] : states_->before()) {
      if (!states_->after(number, states_->instructions(number)).stored.contains(address)) continue;
      const auto stored = expected.stored.find(address);
      compare(word_at(warp.context.memory, *warp.context.memory.stores, address),
              stored == expected.stored.end() ? before : stored->second);
    }
  }
  void compare(std::uint32_t value, std::uint32_t expected) {
    ++compared_;
    if (value != expected) ++imprecise_;
  }

  std::uint32_t ahead_;
  std::unique_ptr<UntimedStates> states_;
  std::map<WarpSlot, const exec::Warp*> warps_;  ///< Warps that have issued.
  std::uint64_t stops_ = 0;
  std::uint64_t outstanding_ = 0;
  std::uint64_t compared_ = 0;
  std::uint64_t imprecise_ = 0;
};

const DependenceRegistry::Entry stopping_scoreboard_entry{
    "stopping-scoreboard", "commit-scoreboard, stopped whenever a warp issues, for one block",
    [](const StoppingParameters& parameters, const DependencePlace& place) {
      return std::make_unique<StoppingScoreboard>(
          parameters, place.description.policy_parameters.get<CommitScoreboardParameters>(),
          place.bypass);
    }};

}  // namespace
}  // namespace heddle::sm
