// The static check of placement_check.h.

#include "placement_check.h"

#include <array>

#include "placed_flow.h"

namespace heddle::code::testing {
namespace {

constexpr std::uint16_t kNothing = 0xffff;
using Words = std::bitset<kWords>;

/// The contents of the register files at a position, as far as they are the same in all threads.
struct Contents {
  /// By entry of the upper levels: the word whose current value it holds; kNothing if none is
  /// known.
  std::array<std::uint16_t, kEntries> word;
  Words main;  ///< The words whose current value is in the main file.

  void forget_upper() { word.fill(kNothing); }
  /// Keeps only what is also in `other`, as where two paths meet.
  void meet(const Contents& other) {
    for (std::uint32_t i = 0; i < kEntries; ++i) {
      if (word[i] != other.word[i]) word[i] = kNothing;
    }
    main &= other.main;
  }
  friend bool operator==(const Contents&, const Contents&) = default;
};

class Check {
 public:
  Check(const Program& program, const FunctionInfo& function, const Hierarchy& hierarchy)
      : flow_(program, function),
        hierarchy_(hierarchy),
        size_(flow_.size()),
        lost_before_(size_),
        contents_(size_),
        known_(size_) {}

  std::vector<std::string> run() {
    if (size_ == 0) return {};
    if (hierarchy_.suspension_ends_strands) {
      for (std::uint32_t at = 0; at < size_; ++at) mark_divergence_losses(at);
    }
    follow_contents();
    check_rules(flow_, hierarchy_);
    return flow_.mistakes();
  }

 private:
  bool suspends(std::uint32_t at) const {
    return flow_.placement(at).suspends || is_call(flow_.instruction(at)) ||
           (hierarchy_.barriers_end_strands &&
            flow_.instruction(at).operation == Operation::barrier);
  }

  /// Marks where another path may have suspended the warp: at the beginning of each path, at the
  /// reconvergence point, and at a warp_sync or a barrier.
  void mark_divergence_losses(std::uint32_t at) {
    if (flow_.successors(at).size() < 2) return;
    const std::uint32_t reconvergence = flow_.reconvergence(at);
    std::vector<std::vector<bool>> paths;
    std::vector<bool> loses;  // By path: whether it may suspend the warp.
    for (const std::uint32_t path : flow_.successors(at)) {
      paths.emplace_back(size_);
      flow_.reach(path, reconvergence, paths.back());
      bool may_suspend = false;
      for (std::uint32_t i = 0; i < size_; ++i) {
        may_suspend = may_suspend || (paths.back()[i] && suspends(i));
      }
      loses.push_back(may_suspend);
    }
    for (std::size_t a = 0; a < paths.size(); ++a) {
      if (!loses[a]) continue;
      if (reconvergence < size_) lost_before_[reconvergence] = true;
      for (std::size_t b = 0; b < paths.size(); ++b) {
        if (a == b) continue;
        lost_before_[flow_.successors(at)[b]] = true;
        for (std::uint32_t i = 0; i < size_; ++i) {
          const Operation operation = flow_.instruction(i).operation;
          const bool waits = operation == Operation::warp_sync || operation == Operation::barrier;
          if (!paths[b][i] || !waits) continue;
          for (const std::uint32_t next : flow_.successors(i)) lost_before_[next] = true;
        }
      }
    }
  }

  /// Finds the contents at each position, by following all paths until nothing changes. Then checks
  /// the reads.
  void follow_contents() {
    Contents at_entry;
    at_entry.forget_upper();
    at_entry.main.set();
    contents_[0] = at_entry;
    known_[0] = true;
    std::vector<std::uint32_t> work{0};
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      Contents contents = contents_[at];
      step(at, contents, false);
      for (const std::uint32_t next : flow_.successors(at)) {
        Contents met = known_[next] ? contents_[next] : contents;
        met.meet(contents);
        if (known_[next] && met == contents_[next]) continue;
        known_[next] = true;
        contents_[next] = met;
        work.push_back(next);
      }
    }
    for (std::uint32_t at = 0; at < size_; ++at) {
      Contents contents = contents_[at];
      if (known_[at]) step(at, contents, true);
    }
  }

  /// Changes the contents as the instruction does; reports wrong reads if `reports`.
  void step(std::uint32_t at, Contents& contents, bool reports) {
    const InstructionPlacement& place = flow_.placement(at);
    const Instruction& in = flow_.instruction(at);
    const bool is_unguarded = !in.guard.present();
    const bool forgets = hierarchy_.suspension_ends_strands;
    if (place.begins_strand || lost_before_[at] || (place.suspends && forgets))
      contents.forget_upper();
    for (const ReadPlace& read : place.reads) {
      const bool is_found = read.from.present() ? contents.word[entry_of(read.from)] == read.word
                                                : contents.main[read.word];
      if (reports && !is_found)
        flow_.report(at, fmt::format("R{} is read from a place that does not hold it", read.word));
    }
    for (const ReadPlace& read : place.reads) {
      if (!read.fill_place.present()) continue;
      std::uint16_t& entry = contents.word[entry_of(read.fill_place)];
      if (is_unguarded || entry != read.word) entry = is_unguarded ? read.word : kNothing;
    }
    for (const WritePlace& write : place.writes) {
      const bool keeps_old = keeps_old_values(in);
      const std::uint32_t upper = write.upper.present() ? entry_of(write.upper) : kEntries;
      for (std::uint32_t i = 0; i < kEntries; ++i) {
        if (i == upper) {
          if (!keeps_old || contents.word[i] != write.word)
            contents.word[i] = keeps_old ? kNothing : write.word;
        } else if (contents.word[i] == write.word) {
          contents.word[i] = kNothing;
        }
      }
      contents.main[write.word] = write.main && (!keeps_old || contents.main[write.word]);
    }
    const bool forgets_at_barrier = forgets && hierarchy_.barriers_end_strands;
    if (is_call(in) || (in.operation == Operation::barrier && forgets_at_barrier))
      contents.forget_upper();
  }

  PlacedFlow flow_;
  const Hierarchy& hierarchy_;
  std::uint32_t size_;
  /// By position: whether another path may have suspended the warp before the instruction.
  std::vector<bool> lost_before_;
  std::vector<Contents> contents_;  ///< By position: before the instruction.
  std::vector<bool> known_;         ///< By position: whether contents_ is valid.
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
