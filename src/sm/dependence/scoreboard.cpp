#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/host_lines.h"
#include "sm/dependence/dependence.h"

namespace heddle::sm {
namespace {

/// The reasons of waits for results, from the fastest kind of result to the slowest. Availability
/// compares reasons by their numeric values, so these must have the same order.
constexpr std::array kFastestResultFirst = {
    WaitReason::fixed_latency_result, WaitReason::short_latency_result,
    WaitReason::long_latency_result, WaitReason::chip_wide_instruction};
static_assert(std::is_sorted(kFastestResultFirst.begin(), kFastestResultFirst.end()),
              "if results arrive together, the warp must wait for the slowest kind");

/// When a register can be used, and what a warp waits for until then. Both are in one integer, with
/// the cycle in the high bits, so that the maximum of several availabilities is the latest one. If
/// two registers become available in the same cycle, the slower kind of result has the larger
/// integer.
class Availability {
 public:
  constexpr Availability() = default;
  constexpr Availability(Cycle at, WaitReason reason)
      : bits_(at.number << kReasonBits | static_cast<std::uint64_t>(reason)) {}

  constexpr Cycle at() const {
    const std::uint64_t number = bits_ >> kReasonBits;
    return number == kNever ? Cycle::never() : Cycle(number);
  }
  constexpr WaitReason reason() const {
    return static_cast<WaitReason>(bits_ & ((std::uint64_t{1} << kReasonBits) - 1));
  }
  friend constexpr auto operator<=>(Availability, Availability) = default;

 private:
  static constexpr int kReasonBits = 4;
  static constexpr std::uint64_t kNever = Cycle::never().number >> kReasonBits;
  static_assert(kWaitReasons <= 1 << kReasonBits);

  std::uint64_t bits_ = static_cast<std::uint64_t>(WaitReason::fixed_latency_result);
};

/// A table with a row for each warp and, in each row, an entry for each register and predicate.
/// Rows are only as long as the programs so far need. The scoreboards of a whole chip then fit into
/// the caches of the host.
class Rows {
 public:
  Rows() = default;
  Rows(std::size_t registers, std::size_t predicates)
      : registers_(registers),
        predicates_(predicates),
        length_((registers + predicates + kEntriesPerLine - 1) / kEntriesPerLine * kEntriesPerLine),
        entries_(length_ * kMaxWarps) {}

  Availability* operator[](WarpSlot warp) { return entries_.data() + warp * length_; }
  const Availability* operator[](WarpSlot warp) const { return entries_.data() + warp * length_; }
  /// The index in a row of a register or predicate, given by its number in the IssueTable.
  /// Registers come first, then predicates. Computed without a branch.
  std::size_t index_of(std::uint16_t entry) const {
    static_assert(std::has_single_bit(kFirstPredicate) &&
                  kScoreboardEntries <= std::size_t{2} * kFirstPredicate);
    return entry - (std::size_t{entry} / kFirstPredicate) * (kFirstPredicate - registers_);
  }
  void clear(WarpSlot warp) { std::fill_n((*this)[warp], length_, Availability()); }
  /// Makes the rows longer if necessary. Their contents are kept.
  void grow(std::size_t registers, std::size_t predicates) {
    if (registers <= registers_ && predicates <= predicates_) return;
    Rows larger(std::max(registers, registers_), std::max(predicates, predicates_));
    for (WarpSlot warp = 0; warp < kMaxWarps; ++warp) {
      std::copy_n((*this)[warp], registers_, larger[warp]);
      std::copy_n((*this)[warp] + registers_, predicates_, larger[warp] + larger.registers_);
    }
    *this = std::move(larger);
  }

 private:
  static constexpr std::size_t kEntriesPerLine = kHostLineBytes / sizeof(Availability);

  std::size_t registers_ = 0;
  std::size_t predicates_ = 0;
  std::size_t length_ = 0;  ///< Length of a row, in entries: whole cache lines of the host.
  LineVector<Availability> entries_;
};

/// An instruction waits for the registers that it reads (RAW hazards) and for those that it writes
/// (WAW hazards). WAR hazards do not occur: registers are read in program order, at issue, so a
/// later write cannot overtake a read.
///
/// With a bypass, a register has one availability for each unit that the bypass connects, and one
/// for all other readers. An instruction that writes the register waits as long as one that reads
/// it in the same unit would. This is safe, because an instruction writes later than it reads.
template <bool kBypass>
class Scoreboard final : public Dependence, public RegisterTimes {
 public:
  explicit Scoreboard(const Bypass& bypass) : bypass_(bypass) {}

  void start(WarpSlot warp, const IssueTable& table) override {
    for (Rows& rows : rows_) {
      rows.grow(table.register_count(), table.predicate_count());
      rows.clear(warp);
    }
  }
  void issue(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
             const Issued& issued) override {
    for (std::size_t reader = 0; reader < kReaders; ++reader) {
      const Availability results(usable_from(reader, issued), issued.reason);
      Availability* const row = rows_[reader][warp];
      for (const std::uint16_t entry : table.writes(instruction)) {
        row[rows_[reader].index_of(entry)] = results;
      }
    }
  }
  void complete(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction, std::uint32_t,
                Cycle done) override {
    for (Rows& rows : rows_) {
      Availability* const row = rows[warp];
      for (const std::uint16_t entry : table.writes(instruction)) {
        Availability& result = row[rows.index_of(entry)];
        result = Availability(done, result.reason());
      }
    }
  }
  Readiness ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next, LaneMask,
                  Cycle) override {
    const Rows& rows = rows_[reader_of(next.unit)];
    const Availability* const row = rows[warp];
    Availability latest;
    for (const std::uint16_t entry : table.reads_and_writes(next)) {
      latest = std::max(latest, row[rows.index_of(entry)]);
    }
    return {latest.at(), latest.reason()};
  }
  const RegisterTimes* register_times() const override { return kBypass ? nullptr : this; }
  Cycle available_from(WarpSlot warp, std::uint16_t entry) const override {
    const Rows& rows = rows_.back();
    return rows[warp][rows.index_of(entry)].at();
  }

 private:
  /// The readers are the units that the bypass connects, and a last one that stands for all other
  /// units, which read the register file.
  static constexpr std::size_t kReaders = kBypass ? Bypass::kUnits + 1 : 1;
  static constexpr std::size_t reader_of(UnitKind unit) {
    return std::min(static_cast<std::size_t>(unit), kReaders - 1);
  }
  Cycle usable_from(std::size_t reader, const Issued& issued) const {
    if constexpr (kBypass) {
      const auto unit = static_cast<UnitKind>(reader);
      if (bypass_.connects(issued.forwarded_from, unit)) {
        return bypass_.earliest_issue(issued.forwarded_from, unit, issued.computed);
      }
    }
    return issued.done;
  }

  Bypass bypass_;
  std::array<Rows, kReaders> rows_;
};

struct ScoreboardParameters {
  static DependenceProperties properties(const DependenceDescription&) {
    return {.records_registers = true};
  }
  static void storage(config::StorageList& list) {
    list.add({.name = "scoreboard",
              .bits = "sm.warps * 2 * sm.registers_per_thread",
              .meaning = "two bits for each register of each warp",
              .source = "Kim et al., section 5.3: 126 bits a warp of 63 registers"});
  }
};

const DependenceRegistry::Entry scoreboard_entry{
    "scoreboard", "a warp's next instruction waits for the registers that it reads or writes",
    [](const ScoreboardParameters&, const DependencePlace& place) -> std::unique_ptr<Dependence> {
      if (place.bypass.is_present()) return std::make_unique<Scoreboard<true>>(place.bypass);
      return std::make_unique<Scoreboard<false>>(place.bypass);
    }};

}  // namespace
}  // namespace heddle::sm
