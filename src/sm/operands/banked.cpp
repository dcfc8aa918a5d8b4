// A register file of banks, and collectors that hold instructions until their values are read
// (preexec section 2).
//
// A bank here is whatever serves one register of all 32 lanes in a cycle. Real ones are narrower
// and work side by side: the 32 banks of preexec (section 4) are four of eight slices each; those
// of Gebhart's dissertation (section 2.4.1), 128 bits wide, are four in each of eight clusters of
// four lanes, and a warp's register lies in the bank of the same number in every cluster. So both
// are four banks.

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include "base/quantity.h"
#include "sm/issue_table.h"
#include "sm/operands/operands.h"
#include "sm/operands/port_calendar.h"

namespace heddle::sm {
namespace {

struct BankedParameters {
  std::uint32_t banks = 4;
  std::string layout = "register-and-warp";
  std::string ports = "1r1w";
  std::string conflicts = "all";
  std::uint32_t collectors = 8;
  std::uint32_t read_cycles = 1;

  void declare(config::Declarations& parameters) {
    parameters.number("banks", banks, {.least = 1, .most = 64},
                      "banks of the register file; each holds whole registers of a warp");
    parameters.choice("layout", layout, {"register", "register-and-warp"},
                      "what a register's bank goes by: its number, or its number and the warp's");
    parameters.choice("ports", ports, {"1r1w", "1rw"},
                      "of a bank: one to read and one to write, or one for both");
    parameters.choice("conflicts", conflicts, {"all", "within-instruction"},
                      "which accesses of a bank wait for one another: all, or those of the same "
                      "instruction alone");
    parameters.number("collectors", collectors, {.least = 1, .most = 256},
                      "units that hold an instruction until all its values are read");
    parameters.number("read_cycles", read_cycles, {.unit = "core cycles", .least = 1, .most = 64},
                      "from the access of a bank until the value is there");
  }
  static void storage(config::StorageList& list) {
    list.add({.name = "operand_collectors",
              .bits = "operands.collectors * 3 * 32 * 32",
              .meaning = "three operands of 32 lanes in each",
              .source = "our reasoning: as many as an instruction reads"});
  }
  OperandProperties properties(const OperandDescription&) const {
    return {.sketch = {counted(banks, "bank") + ", by " + layout,
                       counted(collectors, "collector") + ", " + counted(read_cycles, "cycle") +
                           " to read"}};
  }
};

struct BankedCounters {
  OperandCounters registers;
  std::uint64_t read_conflict_cycles = 0;
  std::uint64_t write_conflict_cycles = 0;

  void declare(CounterList& counters) {
    registers.declare(counters);
    counters.add("read_conflict_cycles", read_conflict_cycles, "core cycles",
                 "by which instructions had their last value late because banks were taken");
    counters.add("write_conflict_cycles", write_conflict_cycles, "core cycles",
                 "by which instructions had their last result late because banks were taken");
  }
};

/// Banks serve the accesses in the order in which they become known. With one port for both, most
/// writes thereby come before the reads of later instructions, as their time is known when
/// the instruction issues; what is fetched from memory waits for the few reads that are booked.
///
/// Where only those of one instruction conflict, each access of a bank beyond its first takes a
/// cycle, and banks have nothing else to do: so Gebhart's dissertation counts them (section 4.2),
/// as its file has bandwidth and buffers enough for what comes from others (section 2.4.1).
class Banked final : public Operands {
 public:
  explicit Banked(const BankedParameters& own)
      : read_latency_(own.read_cycles),
        spreads_warps_(own.layout == "register-and-warp"),
        meets_others_(own.conflicts == "all"),
        reads_(own.banks),
        writes_(own.ports == "1rw" ? 0 : own.banks),
        collectors_(own.collectors) {
    for (std::size_t i = 0; i < bank_of_.size(); ++i) {
      bank_of_[i] = static_cast<std::uint8_t>(i % own.banks);
    }
  }

  Cycle free_from(Cycle now) const override { return std::max(now, collectors_[next_]); }
  Cycles read_latency() const override { return read_latency_; }

  Cycle read(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle now) override {
    assert(collectors_[next_] <= now);
    Cycle last = now;
    const std::uint64_t before = counters_.registers.reads;
    for (std::size_t i = 0; i < registers.size(); ++i) {
      if (registers[i] >= kFirstPredicate) continue;
      ++counters_.registers.reads;
      last = std::max(last, access(reads_, warp, registers.first(i + 1), now));
    }
    if (counters_.registers.reads == before) return now;
    counters_.read_conflict_cycles += (last - now).count;
    const Cycle all_read = last + read_latency_;
    collectors_[next_] = all_read;
    const auto first_free = std::min_element(collectors_.begin(), collectors_.end());
    next_ = static_cast<std::size_t>(first_free - collectors_.begin());
    return all_read;
  }

  Cycle write(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle done) override {
    std::vector<PortCalendar>& ports = writes_.empty() ? reads_ : writes_;
    Cycle last = done;
    for (std::size_t i = 0; i < registers.size(); ++i) {
      if (registers[i] >= kFirstPredicate) continue;
      ++counters_.registers.writes;
      last = std::max(last, access(ports, warp, registers.first(i + 1), done));
    }
    counters_.write_conflict_cycles += (last - done).count;
    return last;
  }

  void declare(CounterList& counters) override { counters_.declare(counters); }

 private:
  /// The cycle in which the last of an instruction's registers is served, after those ahead of it.
  Cycle access(std::vector<PortCalendar>& ports, WarpSlot warp,
               std::span<const std::uint16_t> registers, Cycle earliest) {
    const std::size_t bank = bank_of(warp, registers.back());
    if (meets_others_) return ports[bank].book(earliest);
    std::uint64_t ahead = 0;
    for (const std::uint16_t number : registers.first(registers.size() - 1)) {
      if (number < kFirstPredicate && bank_of(warp, number) == bank) ++ahead;
    }
    return earliest + Cycles(ahead);
  }
  std::size_t bank_of(WarpSlot warp, std::uint16_t number) const {
    return bank_of_[number + (spreads_warps_ ? warp : 0)];
  }

  Cycles read_latency_;
  bool spreads_warps_;
  bool meets_others_;
  /// Instead of a division: of a register, or of the sum of a register and a warp.
  std::array<std::uint8_t, kFirstPredicate + kMostWarps> bank_of_{};
  std::vector<PortCalendar> reads_;   ///< Of each bank; the writes as well if it has one port.
  std::vector<PortCalendar> writes_;  ///< None where banks have one port.
  std::vector<Cycle> collectors_;     ///< When each becomes free.
  std::size_t next_ = 0;              ///< The collector that is free first.
  BankedCounters counters_;
};

const OperandsRegistry::Entry banked_entry{
    "banked", "banks of registers with few ports, and collectors that wait for their values",
    [](const BankedParameters& own, const OperandDescription&) {
      return std::make_unique<Banked>(own);
    }};

}  // namespace
}  // namespace heddle::sm
