// A banked register file with operand collectors. A collector keeps an instruction until all its
// operands have been read (Kim et al., Warped-Preexecution, section 2).
//
// A bank of this model serves one register of all 32 lanes per cycle. Real banks are narrower, and
// several work side by side. Kim et al. (section 4) have 32 banks, which are four banks of this
// model with eight slices each. In Gebhart's dissertation (section 2.4.1), each of eight clusters
// of four lanes has four banks of 128 bits, and a warp's register is in the bank of the same number
// in every cluster. These are also four banks of this model.

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include "base/quantity.h"
#include "sm/bank_ports.h"
#include "sm/instructions/issue_table.h"
#include "sm/operands/operands.h"

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
                      "banks of the register file; a bank holds whole registers of a warp");
    parameters.choice("layout", layout, {"register", "register-and-warp"},
                      "what selects a register's bank: its number, or its number and the warp's");
    parameters.choice("ports", ports, {"1r1w", "1rw"},
                      "ports of a bank: one to read and one to write, or one for both");
    parameters.choice("conflicts", conflicts, {"all", "within-instruction"},
                      "which accesses to a bank conflict: all, or only those of the same "
                      "instruction");
    parameters.number("collectors", collectors, {.least = 1, .most = 256},
                      "operand collectors; each holds an instruction until all its operands are "
                      "read");
    parameters.number("read_cycles", read_cycles, {.unit = "core cycles", .least = 1, .most = 64},
                      "latency of a read, from the access to the bank to the operand");
  }
  static void storage(config::StorageList& list) {
    list.add({.name = "operand_collectors",
              .bits = "sm.sub_cores * operands.collectors * 3 * 32 * 32",
              .meaning = "each collector holds three operands of 32 lanes",
              .source = "our reasoning: an instruction reads up to three"});
  }
  OperandProperties properties(const OperandDescription&) const {
    return {.sketch = {count_text(banks, "bank") + ", by " + layout,
                       count_text(collectors, "collector") + ", " +
                           count_text(read_cycles, "cycle") + " to read"}};
  }
};

struct BankedCounters {
  OperandCounters registers;
  std::uint64_t read_conflicts = 0;
  std::uint64_t read_conflict_cycles = 0;
  std::uint64_t write_conflicts = 0;
  std::uint64_t write_conflict_cycles = 0;

  void declare(CounterList& counters) {
    registers.declare(counters);
    counters.add("read_conflicts", read_conflicts, "passes",
                 "whose last operands bank conflicts delayed");
    counters.add("read_conflict_cycles", read_conflict_cycles, "core cycles",
                 "that bank conflicts delayed the last operands of instructions by");
    counters.add("write_conflicts", write_conflicts, "passes",
                 "whose last results bank conflicts delayed");
    counters.add("write_conflict_cycles", write_conflict_cycles, "core cycles",
                 "that bank conflicts delayed the last results of instructions by");
  }
};

/// The cycles from which the collectors are free, in a ring, earliest first.
class Collectors {
 public:
  explicit Collectors(std::uint32_t count) : free_from_(count) {}

  Cycle first_free() const { return free_from_[first_]; }
  /// The collector that becomes free first is occupied until `until`.
  void occupy_first_free(Cycle until) {
    // Most instructions occupy their collector longest, so the search begins at the end. It ends at
    // the place of the first element, which is overwritten.
    std::size_t place = first_;
    first_ = first_ + 1 == free_from_.size() ? 0 : first_ + 1;
    while (place != first_) {
      const std::size_t before = (place == 0 ? free_from_.size() : place) - 1;
      if (free_from_[before] <= until) break;
      free_from_[place] = free_from_[before];
      place = before;
    }
    free_from_[place] = until;
  }

 private:
  std::vector<Cycle> free_from_;
  std::size_t first_ = 0;
};

/// Banks serve accesses in the order in which they are booked. The time of most writes is known at
/// issue, and they are booked then. If one port serves reads and writes, such writes precede the
/// reads of later instructions. A write of data from memory waits for the few reads that are
/// booked.
///
/// With conflicts 'within-instruction', each access of an instruction to a bank after its first
/// costs a cycle, and accesses of different instructions do not conflict. Gebhart's dissertation
/// counts conflicts in this way (section 4.2), because its register file has enough bandwidth and
/// buffers for accesses of different instructions (section 2.4.1).
///
/// With unified storage, the banks also serve the scratchpad and the L1 (share_ports()).
class Banked final : public Operands {
 public:
  explicit Banked(const BankedParameters& parameters)
      : read_latency_(parameters.read_cycles),
        layout_uses_warp_(parameters.layout == "register-and-warp"),
        all_accesses_conflict_(parameters.conflicts == "all"),
        ports_(parameters.banks, parameters.ports == "1rw" ? BankPorts::Ports::shared
                                                           : BankPorts::Ports::read_and_write),
        collectors_(parameters.collectors) {
    for (std::size_t i = 0; i < bank_of_.size(); ++i) {
      bank_of_[i] = static_cast<std::uint8_t>(i % parameters.banks);
    }
  }

  Cycle free_from(Cycle now) const override { return std::max(now, collectors_.first_free()); }
  Cycles read_latency() const override { return read_latency_; }

  Cycle read(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle now) override {
    assert(collectors_.first_free() <= now);
    const Accesses accesses = access_all(ports_.reads(), warp, registers, now);
    if (accesses.count == 0) return now;
    counters_.registers.reads += accesses.count;
    counters_.read_conflicts += accesses.last > now ? 1U : 0U;
    counters_.read_conflict_cycles += (accesses.last - now).count;
    const Cycle all_read = accesses.last + read_latency_;
    collectors_.occupy_first_free(all_read);
    return all_read;
  }

  Cycle write(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle done) override {
    const Accesses accesses = access_all(ports_.writes(), warp, registers, done);
    counters_.registers.writes += accesses.count;
    counters_.write_conflicts += accesses.last > done ? 1U : 0U;
    counters_.write_conflict_cycles += (accesses.last - done).count;
    return accesses.last;
  }

  std::uint32_t banks() const override { return ports_.banks(); }
  std::uint32_t bank_of(WarpSlot warp, std::uint16_t number) const override {
    return bank_of_[number + (layout_uses_warp_ ? warp : 0)];
  }
  BankPorts* share_ports() override {
    are_ports_shared_ = true;
    return &ports_;
  }
  void declare(CounterList& counters) override { counters_.declare(counters); }

 private:
  struct Accesses {
    std::uint64_t count = 0;
    Cycle last;  ///< The cycle of the last one.
  };
  /// Books an access for each of an instruction's registers, in `earliest` or later.
  Accesses access_all(std::vector<PortCalendar>& ports, WarpSlot warp,
                      std::span<const std::uint16_t> registers, Cycle earliest) {
    Accesses accesses{.last = earliest};
    for (std::size_t i = 0; i < registers.size(); ++i) {
      if (registers[i] >= kFirstPredicate) continue;
      ++accesses.count;
      Cycle at;
      if (all_accesses_conflict_) {
        at = ports[bank_of(warp, registers[i])].book(earliest);
      } else {
        at = earliest + earlier_accesses(warp, registers.first(i + 1));
        if (are_ports_shared_) ports[bank_of(warp, registers[i])].mark(at);
      }
      accesses.last = std::max(accesses.last, at);
    }
    return accesses;
  }
  /// How many of the registers before the last one are in the bank of the last one.
  Cycles earlier_accesses(WarpSlot warp, std::span<const std::uint16_t> registers) const {
    const std::size_t bank = bank_of(warp, registers.back());
    std::uint64_t count = 0;
    for (const std::uint16_t number : registers.first(registers.size() - 1)) {
      if (number < kFirstPredicate && bank_of(warp, number) == bank) ++count;
    }
    return Cycles(count);
  }

  Cycles read_latency_;
  bool layout_uses_warp_;
  bool all_accesses_conflict_;
  /// The bank by register number, or by the sum of register number and warp slot. The table saves a
  /// division.
  std::array<std::uint8_t, kFirstPredicate + kMaxWarps> bank_of_{};
  BankPorts ports_;
  bool are_ports_shared_ = false;  ///< Whether other accesses depend on the bookings.
  Collectors collectors_;
  BankedCounters counters_;
};

const OperandsRegistry::Entry banked_entry{
    "banked", "register banks with few ports, and operand collectors",
    [](const BankedParameters& parameters, const OperandDescription&) {
      return std::make_unique<Banked>(parameters);
    }};

}  // namespace
}  // namespace heddle::sm
