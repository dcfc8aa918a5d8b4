// The scoreboard that all warps share, under random traffic. It is compared with a model that works
// cycle by cycle.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "configure.h"
#include "sm/dependence/issued_program.h"

namespace heddle::sm::test {
namespace {

/// What an instruction reads and writes in the model. Registers have names: "R23", "P4".
struct Use {
  std::set<std::string> reads;
  std::vector<std::string> writes;
  bool is_load = false;
  bool is_store = false;
};

std::set<std::string> names_of(const code::Operand& operand) {
  std::set<std::string> names;
  if (operand.is_predicate()) return {"P" + std::to_string(operand.index)};
  for (std::uint32_t i = 0; operand.is_register() && i < operand.width; ++i) {
    names.insert("R" + std::to_string(operand.index + i));
  }
  return names;
}

Use use_of(const code::Instruction& instruction) {
  Use use;
  for (const code::Operand& source : instruction.sources) use.reads.merge(names_of(source));
  for (const code::Operand& result : instruction.destinations) {
    for (const std::string& name : names_of(result)) use.writes.push_back(name);
  }
  if (instruction.guard.present()) {
    use.reads.insert("P" + std::to_string(instruction.guard.predicate));
  }
  use.is_load = instruction.operation == code::Operation::load;
  use.is_store = instruction.operation == code::Operation::store;
  return use;
}

/// A scoreboard of `entries` entries. Instructions of a warp commit in program order.
class Model {
 public:
  explicit Model(std::size_t entries) : entries_(entries) {}

  bool can_issue(WarpSlot number, const Use& use, LaneMask lanes, std::uint64_t now) const {
    const Warp& warp = at(number);
    if (!warp.blocked_until || *warp.blocked_until > now) return false;
    if (use.is_store && !warp.in_flight.empty()) return false;
    if (use.is_load && warp.has_store()) return false;
    for (const std::string& name : use.reads) {
      const Issued* const writer = warp.writer_of(name);
      if (writer != nullptr && !(writer->done && *writer->done <= now)) return false;
    }
    // An instruction may write a register before the older write commits only if its lanes include
    // those of the older write.
    for (const std::string& name : use.writes) {
      const Issued* const writer = warp.writer_of(name);
      if (writer != nullptr && !writer->lanes.without(lanes).empty()) return false;
    }
    // An instruction without space for its entries issues if its warp has nothing in flight. It
    // then blocks the warp until it is done (see issue()).
    return use.writes.empty() || has_space(use) || warp.in_flight.empty();
  }
  /// `done`: the cycle in which the instruction is done; empty if only complete() reports it.
  void issue(WarpSlot number, const Use& use, LaneMask lanes, std::uint32_t access,
             std::optional<std::uint64_t> done) {
    Warp& warp = warps_[number];
    if (!use.writes.empty() && !has_space(use)) {
      warp.blocked_until = done;
      warp.blocking_access = access;
      return;
    }
    for (const std::string& name : use.writes) {
      for (Issued& issued : warp.in_flight) issued.latest_writes.erase(name);
    }
    warp.in_flight.push_back({.latest_writes = {use.writes.begin(), use.writes.end()},
                              .entries = use.writes.size(),
                              .lanes = lanes,
                              .is_store = use.is_store,
                              .access = access,
                              .done = done});
  }
  void complete(WarpSlot number, std::uint32_t access, std::uint64_t done) {
    Warp& warp = warps_[number];
    if (!warp.blocked_until && warp.blocking_access == access) warp.blocked_until = done;
    for (Issued& issued : warp.in_flight) {
      if (!issued.done && issued.access == access) issued.done = done;
    }
  }
  /// Commits each warp's oldest instruction if it is done. In a cycle, this comes before any issue.
  void write_back(std::uint64_t cycle) {
    for (auto& [number, warp] : warps_) {
      if (warp.in_flight.empty()) continue;
      const Issued& oldest = warp.in_flight.front();
      if (oldest.done && *oldest.done <= cycle) warp.in_flight.pop_front();
    }
  }

 private:
  struct Issued {
    /// The registers that it writes and that no younger instruction in flight writes.
    std::set<std::string> latest_writes;
    std::size_t entries = 0;
    LaneMask lanes;
    bool is_store = false;
    std::uint32_t access = 0;
    std::optional<std::uint64_t> done;  ///< Empty until the access completes.
  };
  struct Warp {
    std::deque<Issued> in_flight;
    /// The first cycle in which the warp may issue again. Empty while an access of an instruction
    /// without space blocks the warp.
    std::optional<std::uint64_t> blocked_until = 0;
    std::uint32_t blocking_access = 0;  ///< The access that blocks the warp.

    /// The latest instruction in flight that writes the register; null if none does.
    const Issued* writer_of(const std::string& name) const {
      for (const Issued& issued : in_flight) {
        if (issued.latest_writes.contains(name)) return &issued;
      }
      return nullptr;
    }
    bool has_store() const {
      return std::any_of(in_flight.begin(), in_flight.end(),
                         [](const Issued& issued) { return issued.is_store; });
    }
  };

  const Warp& at(WarpSlot number) const {
    static const Warp fresh;
    const auto found = warps_.find(number);
    return found == warps_.end() ? fresh : found->second;
  }
  bool has_space(const Use& use) const {
    std::size_t taken = 0;
    for (const auto& [number, warp] : warps_) {
      for (const Issued& issued : warp.in_flight) taken += issued.entries;
    }
    return taken + use.writes.size() <= entries_;
  }

  std::size_t entries_;
  std::map<WarpSlot, Warp> warps_;
};

void compare_with_model(std::uint32_t entries, std::uint64_t cycles) {
  std::mt19937 random(entries);
  std::vector<code::Instruction> instructions;
  const auto some_register = [&] { return random() % 6 * 4; };
  for (int i = 0; i < 60; ++i) {
    code::Instruction instruction = i % 5 == 0   ? load(some_register(), 28, 1 + random() % 3)
                                    : i % 7 == 0 ? store(28, some_register())
                                    : i % 4 == 0 ? compare(random() % 3, some_register())
                                                 : add(some_register(), some_register());
    if (i % 3 == 0) instruction = guarded(instruction, random() % 3);
    instructions.push_back(instruction);
  }
  IssuedProgram board(make_dependence(configure<DependenceDescription>(
                          {"policy=commit-scoreboard", "entries=" + std::to_string(entries)})),
                      instructions);
  Model model(entries);
  struct Miss {
    WarpSlot warp;
    std::uint32_t pc, access;
  };
  std::vector<Miss> misses;
  std::uint32_t accesses = 0;
  std::uint64_t issued = 0;
  std::uint64_t refused = 0;
  for (std::uint64_t now = 1; now < cycles; ++now) {
    if (!misses.empty() && random() % 6 == 0) {
      const std::size_t index = random() % misses.size();
      const Miss miss = misses[index];
      misses.erase(misses.begin() + static_cast<std::ptrdiff_t>(index));
      const std::uint64_t done = now + random() % 5;
      board.complete(miss.pc, miss.access, done, miss.warp);
      model.complete(miss.warp, miss.access, done);
    }
    model.write_back(now);
    for (int attempt = 0; attempt < 3; ++attempt) {
      const auto pc = static_cast<std::uint32_t>(random() % instructions.size());
      const WarpSlot warp = random() % 5;
      const LaneMask lanes = random() % 2 == 0 ? LaneMask::all() : LaneMask(random() | 1);
      const Use use = use_of(instructions[pc]);
      // ready() must come first: it also tells the policy which instruction is the warp's next.
      const bool is_ready = board.ready(pc, now, lanes, warp).at <= Cycle(now) &&
                            board.shared_entries().stuck_warps(set_of(warp), Cycle(now)) == 0;
      ASSERT_EQ(is_ready, model.can_issue(warp, use, lanes, now))
          << "cycle " << now << ", warp " << warp << ", instruction " << pc;
      if (!is_ready) {
        ++refused;
        continue;
      }
      ++issued;
      if (use.is_load && random() % 2 == 0) {
        board.issue_miss(pc, now, ++accesses, lanes, warp);
        model.issue(warp, use, lanes, accesses, std::nullopt);
        misses.push_back({warp, pc, accesses});
      } else {
        const std::uint64_t done = now + 2 + random() % 12;
        board.issue(pc, now, done, lanes, warp);
        model.issue(warp, use, lanes, 0, done);
      }
    }
  }
  EXPECT_GT(issued, cycles / 10);
  EXPECT_GT(refused, cycles / 10);
}

TEST(CommitScoreboard, MatchesCycleByCycleModel) {
  for (const std::uint32_t entries : {2U, 5U, 8U, 64U}) {
    SCOPED_TRACE(std::to_string(entries) + " entries");
    compare_with_model(entries, 20'000);
  }
}

}  // namespace
}  // namespace heddle::sm::test
