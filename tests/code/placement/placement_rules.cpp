// The part of the static placement check that needs no contents of register files.

#include "placed_flow.h"

namespace heddle::code::testing {
namespace {

class Rules {
 public:
  Rules(PlacedFlow& flow, const Hierarchy& hierarchy)
      : flow_(flow),
        hierarchy_(hierarchy),
        pending_(flow.size()),
        live_(flow.size()),
        crossing_(flow.size()) {}

  void check() {
    check_pending_results();
    check_live_out();
    check_wasted_writes();
    for (std::uint32_t at = 0; at < flow_.size(); ++at) {
      check_levels(at);
      check_words(at);
    }
  }

 private:
  void check_pending_results() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::uint32_t at = 0; at < flow_.size(); ++at) {
        if (!flow_.is_reached(at)) continue;
        Registers after = flow_.placement(at).suspends ? Registers() : pending_[at];
        if (hierarchy_.is_long_latency(flow_.instruction(at)))
          after |= written_by(flow_.instruction(at));
        for (const std::uint32_t next : flow_.successors(at)) {
          const Registers before = pending_[next];
          pending_[next] |= after;
          changed = changed || before != pending_[next];
        }
      }
    }
    for (std::uint32_t at = 0; at < flow_.size(); ++at) {
      if (flow_.placement(at).suspends) continue;
      const Registers used = read_by(flow_.instruction(at)) | written_by(flow_.instruction(at));
      if ((used & pending_[at]).any()) flow_.report(at, "it uses a pending result without waiting");
      if (is_call(flow_.instruction(at)) && pending_[at].any())
        flow_.report(at, "a call while results are pending");
    }
  }

  void check_live_out() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t at = flow_.size(); at-- > 0;) {
        Registers live, crossing;
        after(at, live, crossing);
        if (!keeps_old_values(flow_.instruction(at))) {
          live &= ~written_by(flow_.instruction(at));
          crossing &= ~written_by(flow_.instruction(at));
        }
        live |= read_by(flow_.instruction(at));
        if (flow_.placement(at).begins_strand) crossing |= live;
        changed = changed || live != live_[at] || crossing != crossing_[at];
        live_[at] = live;
        crossing_[at] = crossing;
      }
    }
    for (std::uint32_t at = 0; at < flow_.size(); ++at) {
      Registers live, crossing;
      after(at, live, crossing);
      for (const WritePlace& write : flow_.placement(at).writes) {
        if (write.live_out != crossing[write.word]) {
          flow_.report(at,
                       fmt::format("R{} is{} live out", write.word, write.live_out ? " not" : ""));
        }
      }
    }
  }
  /// The registers that are live, or read in a later strand, after the instruction.
  void after(std::uint32_t at, Registers& live, Registers& crossing) const {
    for (const std::uint32_t next : flow_.successors(at)) {
      live |= live_[next];
      crossing |= crossing_[next];
    }
  }

  /// Checks that every value written to an upper level is read there on some path.
  void check_wasted_writes() {
    using Entries = std::bitset<kEntries>;
    std::vector<Entries> wanted(flow_.size());
    const auto wanted_after = [&](std::uint32_t at) {
      Entries after;
      for (const std::uint32_t next : flow_.successors(at)) after |= wanted[next];
      return after;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t at = flow_.size(); at-- > 0;) {
        Entries now = wanted_after(at);
        for (const WritePlace& write : flow_.placement(at).writes) {
          if (write.upper.present() && !keeps_old_values(flow_.instruction(at))) {
            now.reset(entry_of(write.upper));
          }
        }
        for (const ReadPlace& read : flow_.placement(at).reads) {
          if (read.fill_place.present()) now.reset(entry_of(read.fill_place));
        }
        for (const ReadPlace& read : flow_.placement(at).reads) {
          if (read.from.present()) now.set(entry_of(read.from));
        }
        if (flow_.placement(at).begins_strand) now.reset();
        changed = changed || now != wanted[at];
        wanted[at] = now;
      }
    }
    for (std::uint32_t at = 0; at < flow_.size(); ++at) {
      const Entries after = wanted_after(at);
      for (const WritePlace& write : flow_.placement(at).writes) {
        if (write.upper.present() && !after[entry_of(write.upper)]) {
          flow_.report(
              at, fmt::format("R{} is written to an upper level but not read there", write.word));
        }
      }
      for (const ReadPlace& read : flow_.placement(at).reads) {
        if (read.fill_place.present() && !after[entry_of(read.fill_place)]) {
          flow_.report(at, fmt::format("R{} is filled but not read from there", read.word));
        }
      }
    }
  }

  std::uint32_t entries_of(RegisterLevel level) const {
    if (level == RegisterLevel::operand) return hierarchy_.operand_entries;
    switch (hierarchy_.last_result) {
      case LastResultFile::none:
        return 0;
      case LastResultFile::unified:
        return 1;
      case LastResultFile::split:
        return 3;
    }
    return 0;
  }

  /// Checks that the entries exist and that the instruction may use them.
  void check_levels(std::uint32_t at) {
    std::bitset<kEntries> written;
    const auto check = [&](const UpperPlace& upper) {
      if (!upper.present()) return false;
      if (upper.entry >= entries_of(upper.level)) flow_.report(at, "the entry does not exist");
      if (upper.level == RegisterLevel::last_result &&
          hierarchy_.in_shared_unit(flow_.instruction(at))) {
        flow_.report(at, "a shared unit uses the last-result file");
      }
      return true;
    };
    const auto check_written = [&](const UpperPlace& upper) {
      if (!check(upper)) return;
      if (written[entry_of(upper)]) flow_.report(at, "two words are written to one entry");
      written.set(entry_of(upper));
    };
    for (const ReadPlace& each : flow_.placement(at).reads) {
      check(each.from);
      check_written(each.fill_place);
      if (each.fill_place.present() && each.from.present())
        flow_.report(at, "a read from an upper level also fills one");
      if (each.fill_place.present() && !hierarchy_.read_operands)
        flow_.report(at, "a read fills although read operands are off");
      if (each.from.level == RegisterLevel::last_result) check_slots(at, each);
    }
    for (const WritePlace& each : flow_.placement(at).writes) {
      check_written(each.upper);
      if (!each.main && !each.upper.present()) flow_.report(at, "a result is written to no level");
      if (!each.upper.present()) continue;
      if (hierarchy_.long_results_only_main && hierarchy_.is_long_latency(flow_.instruction(at))) {
        flow_.report(at, "a long-latency result is written to an upper level");
      }
      const bool may_be_two = hierarchy_.result_levels == ResultLevels::two ||
                              (hierarchy_.result_levels == ResultLevels::two_not_operand_file &&
                               each.upper.level == RegisterLevel::last_result);
      if (each.main && !may_be_two) flow_.report(at, "a result is written to two levels");
    }
  }

  /// Checks that each word that the instruction reads or writes has a place.
  void check_words(std::uint32_t at) {
    Registers places;
    for (const ReadPlace& each : flow_.placement(at).reads) places.set(each.word);
    if (places != words_of(read_by(flow_.instruction(at))))
      flow_.report(at, "the read places do not match the words it reads");
    places.reset();
    for (const WritePlace& each : flow_.placement(at).writes) places.set(each.word);
    if (places != words_of(written_by(flow_.instruction(at))))
      flow_.report(at, "the write places do not match the words it writes");
  }
  /// The registers without the predicates.
  static Registers words_of(Registers registers) {
    for (std::uint32_t i = kWords; i < registers.size(); ++i) registers.reset(i);
    return registers;
  }

  /// Checks that a split last-result file is read only through the operand slot of the entry.
  void check_slots(std::uint32_t at, const ReadPlace& read) {
    if (hierarchy_.last_result != LastResultFile::split) return;
    const Instruction& in = flow_.instruction(at);
    for (std::size_t slot = 0; slot < in.sources.size(); ++slot) {
      for_each_register(in.sources[slot], [&](std::uint32_t index) {
        if (index == read.word && slot != read.from.entry)
          flow_.report(at, "it reads the last-result word of another slot");
      });
    }
  }

  PlacedFlow& flow_;
  const Hierarchy& hierarchy_;
  // By position, before the instruction: registers with pending results, live registers, and those
  // that an instruction in a later strand reads.
  std::vector<Registers> pending_, live_, crossing_;
};

}  // namespace

void check_rules(PlacedFlow& flow, const Hierarchy& hierarchy) { Rules(flow, hierarchy).check(); }

}  // namespace heddle::code::testing
