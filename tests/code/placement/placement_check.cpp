#include "placement_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>

#include "code/effects.h"

namespace heddle::code::testing {
namespace {

constexpr std::uint32_t kWords = 256;
constexpr std::uint32_t kOperandEntries = 32;
constexpr std::uint32_t kEntries = kOperandEntries + 3;
constexpr std::uint16_t kNothing = 0xffff;
using Words = std::bitset<kWords>;
using Registers = std::bitset<kWords + 16>;  // Predicates, too.

std::uint32_t entry_of(const UpperPlace& place) {
  return place.level == RegisterLevel::operand ? place.entry : kOperandEntries + place.entry;
}

template <class Visit>
void for_each_register(const Operand& operand, Visit visit) {
  if (operand.is_predicate()) visit(kWords + operand.index);
  if (!operand.is_register()) return;
  for (std::uint32_t i = 0; i < operand.width; ++i) visit(operand.index + i);
}

Registers read_by(const Instruction& instruction) {
  Registers read;
  for (const Operand& source : instruction.sources) {
    for_each_register(source, [&](std::uint32_t index) { read.set(index); });
  }
  if (instruction.guard.present()) read.set(kWords + instruction.guard.predicate);
  return read;
}

Registers written_by(const Instruction& instruction) {
  Registers written;
  for (const Operand& destination : instruction.destinations) {
    for_each_register(destination, [&](std::uint32_t index) { written.set(index); });
  }
  return written;
}

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
      : program_(program),
        function_(function),
        hierarchy_(hierarchy),
        size_(function.end - function.entry),
        lost_before_(size_),
        held_(size_),
        reached_(size_),
        pending_(size_),
        live_(size_),
        crossing_(size_) {}

  std::vector<std::string> run() {
    if (size_ == 0) return {};
    for (std::uint32_t at = 0; at < size_; ++at) find_successors(at);
    if (hierarchy_.suspension_ends_strands) {
      for (std::uint32_t at = 0; at < size_; ++at) part(at);
    }
    follow_held_values();
    follow_pending_results();
    look_for_values_that_leave();
    look_for_wasted_writes();
    for (std::uint32_t at = 0; at < size_; ++at) look_at_rules(at);
    return std::move(mistakes_);
  }

 private:
  const Instruction& instruction(std::uint32_t at) const {
    return program_.instructions[function_.entry + at];
  }
  const InstructionPlacement& placement(std::uint32_t at) const {
    return program_.placement[function_.entry + at];
  }
  void mistake(std::uint32_t at, const std::string& what) {
    mistakes_.push_back(fmt::format("{} at {}: {}", function_.name, function_.entry + at, what));
  }

  void find_successors(std::uint32_t at) {
    std::vector<std::uint32_t>& next = successors_.emplace_back();
    const Instruction& in = instruction(at);
    if (in.operation == Operation::branch) next.push_back(in.target - function_.entry);
    if (in.operation == Operation::branch_indexed) {
      for (const std::uint32_t target : program_.branch_tables[in.target]) {
        next.push_back(target - function_.entry);
      }
    }
    if (!ends_path(in)) next.push_back(at + 1);
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    while (!next.empty() && next.back() >= size_) next.pop_back();
  }

  bool suspends(std::uint32_t at) const {
    return placement(at).suspends || is_call(instruction(at)) ||
           instruction(at).operation == Operation::barrier;
  }

  /// Other sides may have run before one side, before the meeting, and at a warp_sync.
  void part(std::uint32_t at) {
    if (successors_[at].size() < 2) return;
    const std::uint32_t meeting = instruction(at).reconvergence == kNone
                                      ? size_
                                      : instruction(at).reconvergence - function_.entry;
    std::vector<std::vector<bool>> sides;
    std::vector<bool> loses;
    for (const std::uint32_t side : successors_[at]) {
      sides.emplace_back(size_);
      reach(side, meeting, sides.back());
      bool any = false;
      for (std::uint32_t i = 0; i < size_; ++i) any = any || (sides.back()[i] && suspends(i));
      loses.push_back(any);
    }
    for (std::size_t a = 0; a < sides.size(); ++a) {
      if (!loses[a]) continue;
      if (meeting < size_) lost_before_[meeting] = true;
      for (std::size_t b = 0; b < sides.size(); ++b) {
        if (a == b) continue;
        lost_before_[successors_[at][b]] = true;
        for (std::uint32_t i = 0; i < size_; ++i) {
          if (!sides[b][i] || instruction(i).operation != Operation::warp_sync) continue;
          for (const std::uint32_t next : successors_[i]) lost_before_[next] = true;
        }
      }
    }
  }

  void reach(std::uint32_t from, std::uint32_t meeting, std::vector<bool>& reached) const {
    std::vector<std::uint32_t> work{from};
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      if (at == meeting || reached[at]) continue;
      reached[at] = true;
      work.insert(work.end(), successors_[at].begin(), successors_[at].end());
    }
  }

  void follow_held_values() {
    Held nothing;
    nothing.lose();
    nothing.main.set();
    held_[0] = nothing;
    reached_[0] = true;
    std::vector<std::uint32_t> work{0};
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      Held held = held_[at];
      step(at, held, false);
      for (const std::uint32_t next : successors_[at]) {
        Held met = reached_[next] ? held_[next] : held;
        met.meet(held);
        if (reached_[next] && met == held_[next]) continue;
        reached_[next] = true;
        held_[next] = met;
        work.push_back(next);
      }
    }
    for (std::uint32_t at = 0; at < size_; ++at) {
      Held held = held_[at];
      if (reached_[at]) step(at, held, true);
    }
  }

  void step(std::uint32_t at, Held& held, bool report) {
    const InstructionPlacement& place = placement(at);
    const Instruction& in = instruction(at);
    const bool all = !in.guard.present();
    const bool forget = hierarchy_.suspension_ends_strands;
    if (place.begins_strand || lost_before_[at] || (place.suspends && forget)) held.lose();
    for (const ReadPlace& read : place.reads) {
      const bool there =
          read.from.present() ? held.word[entry_of(read.from)] == read.word : held.main[read.word];
      if (report && !there) mistake(at, fmt::format("R{} is not where it is read", read.word));
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

  void follow_pending_results() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::uint32_t at = 0; at < size_; ++at) {
        if (!reached_[at]) continue;
        Registers after = placement(at).suspends ? Registers() : pending_[at];
        if (hierarchy_.is_long_latency(instruction(at))) after |= written_by(instruction(at));
        for (const std::uint32_t next : successors_[at]) {
          const Registers before = pending_[next];
          pending_[next] |= after;
          changed = changed || before != pending_[next];
        }
      }
    }
    for (std::uint32_t at = 0; at < size_; ++at) {
      if (placement(at).suspends) continue;
      const Registers used = read_by(instruction(at)) | written_by(instruction(at));
      if ((used & pending_[at]).any()) mistake(at, "it does not wait for what it uses");
      if (is_call(instruction(at)) && pending_[at].any())
        mistake(at, "a call with results pending");
    }
  }

  void look_for_values_that_leave() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t at = size_; at-- > 0;) {
        Registers live, crossing;
        after(at, live, crossing);
        if (!keeps_old_values(instruction(at))) {
          live &= ~written_by(instruction(at));
          crossing &= ~written_by(instruction(at));
        }
        live |= read_by(instruction(at));
        if (placement(at).begins_strand) crossing |= live;
        changed = changed || live != live_[at] || crossing != crossing_[at];
        live_[at] = live;
        crossing_[at] = crossing;
      }
    }
    for (std::uint32_t at = 0; at < size_; ++at) {
      Registers live, crossing;
      after(at, live, crossing);
      for (const WritePlace& write : placement(at).writes) {
        if (write.live_out != crossing[write.word]) {
          mistake(at, fmt::format("R{} is{} live out", write.word, write.live_out ? " not" : ""));
        }
      }
    }
  }
  void after(std::uint32_t at, Registers& live, Registers& crossing) const {
    for (const std::uint32_t next : successors_[at]) {
      live |= live_[next];
      crossing |= crossing_[next];
    }
  }

  /// What is written above is read there on some way.
  void look_for_wasted_writes() {
    using Entries = std::bitset<kEntries>;
    std::vector<Entries> wanted(size_);
    const auto wanted_after = [&](std::uint32_t at) {
      Entries after;
      for (const std::uint32_t next : successors_[at]) after |= wanted[next];
      return after;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t at = size_; at-- > 0;) {
        Entries now = wanted_after(at);
        for (const WritePlace& write : placement(at).writes) {
          if (write.upper.present() && !keeps_old_values(instruction(at))) {
            now.reset(entry_of(write.upper));
          }
        }
        for (const ReadPlace& read : placement(at).reads) {
          if (read.fills.present()) now.reset(entry_of(read.fills));
        }
        for (const ReadPlace& read : placement(at).reads) {
          if (read.from.present()) now.set(entry_of(read.from));
        }
        if (placement(at).begins_strand) now.reset();
        changed = changed || now != wanted[at];
        wanted[at] = now;
      }
    }
    for (std::uint32_t at = 0; at < size_; ++at) {
      const Entries after = wanted_after(at);
      for (const WritePlace& write : placement(at).writes) {
        if (write.upper.present() && !after[entry_of(write.upper)]) {
          mistake(at, fmt::format("R{} is written above for nothing", write.word));
        }
      }
      for (const ReadPlace& read : placement(at).reads) {
        if (read.fills.present() && !after[entry_of(read.fills)]) {
          mistake(at, fmt::format("R{} is filled for nothing", read.word));
        }
      }
    }
  }

  void look_at_rules(std::uint32_t at) {
    const InstructionPlacement& place = placement(at);
    const Instruction& in = instruction(at);
    std::vector<std::uint32_t> written_entries;
    const auto look = [&](const UpperPlace& upper, bool writes) {
      if (!upper.present()) return;
      if (writes) written_entries.push_back(entry_of(upper));
      const bool is_operand = upper.level == RegisterLevel::operand;
      const std::uint32_t entries = is_operand ? hierarchy_.operand_entries
                                    : hierarchy_.last_result == LastResultFile::none    ? 0
                                    : hierarchy_.last_result == LastResultFile::unified ? 1
                                                                                        : 3;
      if (upper.entry >= entries) mistake(at, "no such entry");
      if (!is_operand && hierarchy_.in_shared_unit(in)) mistake(at, "a shared unit's last result");
    };
    Words read;
    for (const ReadPlace& each : place.reads) {
      look(each.from, false);
      look(each.fills, true);
      read.set(each.word);
      if (each.fills.present() && each.from.present()) mistake(at, "it fills from above");
      if (each.fills.present() && !hierarchy_.read_operands) mistake(at, "it must not fill");
      if (each.from.level == RegisterLevel::last_result) look_at_slots(at, each);
    }
    Words written;
    for (const WritePlace& each : place.writes) {
      look(each.upper, true);
      written.set(each.word);
      if (!each.main && !each.upper.present()) mistake(at, "a result goes nowhere");
      if (each.upper.present() && hierarchy_.is_long_latency(in)) mistake(at, "it is late");
      const bool two = each.main && each.upper.present();
      if (two && (hierarchy_.result_levels == ResultLevels::one ||
                  (hierarchy_.result_levels == ResultLevels::two_but_operand_file &&
                   each.upper.level == RegisterLevel::operand))) {
        mistake(at, "a result in two levels");
      }
    }
    std::sort(written_entries.begin(), written_entries.end());
    if (std::adjacent_find(written_entries.begin(), written_entries.end()) !=
        written_entries.end()) {
      mistake(at, "two words in one entry");
    }
    const auto same = [&](const Words& words, const Registers& registers) {
      for (std::uint32_t i = 0; i < kWords; ++i) {
        if (words[i] != registers[i]) return false;
      }
      return true;
    };
    if (!same(written, written_by(in)) || !same(read, read_by(in))) mistake(at, "other words");
  }

  void look_at_slots(std::uint32_t at, const ReadPlace& read) {
    if (hierarchy_.last_result != LastResultFile::split) return;
    const Instruction& in = instruction(at);
    for (std::size_t slot = 0; slot < in.sources.size(); ++slot) {
      for_each_register(in.sources[slot], [&](std::uint32_t index) {
        if (index == read.word && slot != read.from.entry) mistake(at, "another slot's word");
      });
    }
  }

  const Program& program_;
  const FunctionInfo& function_;
  const Hierarchy& hierarchy_;
  std::uint32_t size_;
  std::vector<std::vector<std::uint32_t>> successors_;
  std::vector<bool> lost_before_;
  std::vector<Held> held_;  ///< Before each instruction; so are those below.
  std::vector<bool> reached_;
  std::vector<Registers> pending_, live_, crossing_;
  std::vector<std::string> mistakes_;
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
