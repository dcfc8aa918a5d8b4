#include "placement_check.h"

#include <array>

#include "placed_flow.h"

namespace heddle::code::testing {
namespace {

constexpr std::uint16_t kNothing = 0xffff;
using Words = std::bitset<kWords>;

/// The word whose current value each entry holds in all threads, and the words whose current value
/// the main file holds.
struct Held {
  std::array<std::uint16_t, kEntries> word;
  Words main;

  void forget_upper() { word.fill(kNothing); }
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
      for (std::uint32_t at = 0; at < size_; ++at) mark_divergence_losses(at);
    }
    follow_held_values();
    check_rules(flow_, hierarchy_);
    return flow_.mistakes();
  }

 private:
  bool suspends(std::uint32_t at) const {
    return flow_.placement(at).suspends || is_call(flow_.instruction(at)) ||
           flow_.instruction(at).operation == Operation::barrier;
  }

  /// Marks where another path may have suspended the warp: at the beginning of each path, at the
  /// reconvergence point, and at a warp_sync.
  void mark_divergence_losses(std::uint32_t at) {
    if (flow_.successors(at).size() < 2) return;
    const std::uint32_t reconvergence = flow_.reconvergence(at);
    std::vector<std::vector<bool>> paths;
    std::vector<bool> loses;
    for (const std::uint32_t path : flow_.successors(at)) {
      paths.emplace_back(size_);
      flow_.reach(path, reconvergence, paths.back());
      bool any = false;
      for (std::uint32_t i = 0; i < size_; ++i) any = any || (paths.back()[i] && suspends(i));
      loses.push_back(any);
    }
    for (std::size_t a = 0; a < paths.size(); ++a) {
      if (!loses[a]) continue;
      if (reconvergence < size_) lost_before_[reconvergence] = true;
      for (std::size_t b = 0; b < paths.size(); ++b) {
        if (a == b) continue;
        lost_before_[flow_.successors(at)[b]] = true;
        for (std::uint32_t i = 0; i < size_; ++i) {
          if (!paths[b][i] || flow_.instruction(i).operation != Operation::warp_sync) continue;
          for (const std::uint32_t next : flow_.successors(i)) lost_before_[next] = true;
        }
      }
    }
  }

  void follow_held_values() {
    Held nothing;
    nothing.forget_upper();
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
    const bool forgets = hierarchy_.suspension_ends_strands;
    if (place.begins_strand || lost_before_[at] || (place.suspends && forgets)) held.forget_upper();
    for (const ReadPlace& read : place.reads) {
      const bool is_found =
          read.from.present() ? held.word[entry_of(read.from)] == read.word : held.main[read.word];
      if (report && !is_found)
        flow_.mistake(at, fmt::format("R{} is read from a place that does not hold it", read.word));
    }
    for (const ReadPlace& read : place.reads) {
      if (!read.fill_place.present()) continue;
      std::uint16_t& entry = held.word[entry_of(read.fill_place)];
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
    if (is_call(in) || (in.operation == Operation::barrier && forgets)) held.forget_upper();
  }

  PlacedFlow flow_;
  const Hierarchy& hierarchy_;
  std::uint32_t size_;
  std::vector<bool> lost_before_;
  std::vector<Held> held_;   ///< By position: before the instruction.
  std::vector<bool> known_;  ///< By position: whether held_ is valid.
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
