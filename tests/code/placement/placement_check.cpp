#include "placement_check.h"

#include <array>

#include "placed_flow.h"

namespace heddle::code::testing {
namespace {

constexpr std::uint16_t kNothing = 0xffff;
using Words = std::bitset<kWords>;

/// Which word's present value each entry holds, in every thread; and of which the main file does.
struct Held {
  std::array<std::uint16_t, kEntries> word;
  Words main;

  void lose() { word.fill(kNothing); }
  void meet(const Held& other) {
    for (std::uint32_t i = 0; i < kEntries; ++i) {
      if (word[i] != other.word[i]) word[i] = kNothing;
    }
    main &= other.main;
  }
  friend bool operator==(const Held&, const Held&) = default;
};

class Check {
 public:
  Check(const Program& program, const FunctionInfo& function, const Hierarchy& hierarchy)
      : flow_(program, function),
        hierarchy_(hierarchy),
        size_(flow_.size()),
        lost_before_(size_),
        held_(size_),
        known_(size_) {}

  std::vector<std::string> run() {
    if (size_ == 0) return {};
    if (hierarchy_.suspension_ends_strands) {
      for (std::uint32_t at = 0; at < size_; ++at) part(at);
    }
    follow_held_values();
    look_at_rules(flow_, hierarchy_);
    return flow_.mistakes();
  }

 private:
  bool suspends(std::uint32_t at) const {
    return flow_.placement(at).suspends || is_call(flow_.instruction(at)) ||
           flow_.instruction(at).operation == Operation::barrier;
  }

  /// Other sides may have run before one side, before the meeting, and at a warp_sync.
  void part(std::uint32_t at) {
    if (flow_.successors(at).size() < 2) return;
    const std::uint32_t meeting = flow_.meeting(at);
    std::vector<std::vector<bool>> sides;
    std::vector<bool> loses;
    for (const std::uint32_t side : flow_.successors(at)) {
      sides.emplace_back(size_);
      flow_.reach(side, meeting, sides.back());
      bool any = false;
      for (std::uint32_t i = 0; i < size_; ++i) any = any || (sides.back()[i] && suspends(i));
      loses.push_back(any);
    }
    for (std::size_t a = 0; a < sides.size(); ++a) {
      if (!loses[a]) continue;
      if (meeting < size_) lost_before_[meeting] = true;
      for (std::size_t b = 0; b < sides.size(); ++b) {
        if (a == b) continue;
        lost_before_[flow_.successors(at)[b]] = true;
        for (std::uint32_t i = 0; i < size_; ++i) {
          if (!sides[b][i] || flow_.instruction(i).operation != Operation::warp_sync) continue;
          for (const std::uint32_t next : flow_.successors(i)) lost_before_[next] = true;
        }
      }
    }
  }

  void follow_held_values() {
    Held nothing;
    nothing.lose();
    nothing.main.set();
    held_[0] = nothing;
    known_[0] = true;
    std::vector<std::uint32_t> work{0};
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      Held held = held_[at];
      step(at, held, false);
      for (const std::uint32_t next : flow_.successors(at)) {
        Held met = known_[next] ? held_[next] : held;
        met.meet(held);
        if (known_[next] && met == held_[next]) continue;
        known_[next] = true;
        held_[next] = met;
        work.push_back(next);
      }
    }
    for (std::uint32_t at = 0; at < size_; ++at) {
      Held held = held_[at];
      if (known_[at]) step(at, held, true);
    }
  }

  void step(std::uint32_t at, Held& held, bool report) {
    const InstructionPlacement& place = flow_.placement(at);
    const Instruction& in = flow_.instruction(at);
    const bool all = !in.guard.present();
    const bool forget = hierarchy_.suspension_ends_strands;
    if (place.begins_strand || lost_before_[at] || (place.suspends && forget)) held.lose();
    for (const ReadPlace& read : place.reads) {
      const bool there =
          read.from.present() ? held.word[entry_of(read.from)] == read.word : held.main[read.word];
      if (report && !there)
        flow_.mistake(at, fmt::format("R{} is not where it is read", read.word));
    }
    for (const ReadPlace& read : place.reads) {
      if (!read.fills.present()) continue;
      std::uint16_t& entry = held.word[entry_of(read.fills)];
      if (all || entry != read.word) entry = all ? read.word : kNothing;
    }
    for (const WritePlace& write : place.writes) {
      const bool mixed = keeps_old_values(in);
      const std::uint32_t upper = write.upper.present() ? entry_of(write.upper) : kEntries;
      for (std::uint32_t i = 0; i < kEntries; ++i) {
        if (i == upper) {
          if (!mixed || held.word[i] != write.word) held.word[i] = mixed ? kNothing : write.word;
        } else if (held.word[i] == write.word) {
          held.word[i] = kNothing;
        }
      }
      held.main[write.word] = write.main && (!mixed || held.main[write.word]);
    }
    if (is_call(in) || (in.operation == Operation::barrier && forget)) held.lose();
  }

  PlacedFlow flow_;
  const Hierarchy& hierarchy_;
  std::uint32_t size_;
  std::vector<bool> lost_before_;
  std::vector<Held> held_;   ///< Before each instruction,
  std::vector<bool> known_;  ///< if anything is known of it yet.
};

}  // namespace

std::vector<std::string> mistakes_in(const Program& program, const FunctionInfo& function,
                                     const Hierarchy& hierarchy) {
  return Check(program, function, hierarchy).run();
}

ReadCounts reads_of(const Program& program) {
  ReadCounts counts;
  for (const InstructionPlacement& placement : program.placement) {
    for (const ReadPlace& read : placement.reads) {
      switch (read.from.level) {
        case RegisterLevel::main:
          ++counts.main;
          break;
        case RegisterLevel::operand:
          ++counts.operand;
          break;
        case RegisterLevel::last_result:
          ++counts.last_result;
          break;
      }
    }
  }
  return counts;
}

}  // namespace heddle::code::testing
