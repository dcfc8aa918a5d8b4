#pragma once

// What the pipeline needs to know of each instruction of a program, found once.

#include <cstdint>
#include <span>
#include <vector>

#include "code/placement/placement.h"
#include "code/placement/pooled.h"
#include "code/program.h"
#include "sm/resource.h"
#include "sm/units/unit_kind.h"

namespace heddle::sm {

enum class InstructionKind : std::uint8_t {
  arithmetic,
  load,
  store,
  atomic,  ///< On global or generic memory; those on shared memory alone as well.
  texture,
  branch,  ///< Whatever may set the program counter: branches, calls, returns, exits.
  barrier,
  fence,
  chip_wide,  ///< Touches what all multiprocessors share, and is executed between epochs.
  other,      ///< Takes an issue slot and nothing else.
};

/// Where a memory instruction goes; `generic` is found out from its addresses.
enum class MemoryRoute : std::uint8_t { none, global, shared, local, constant, generic };

struct IssueInfo {
  /// Into IssueTable::registers: those read, then those written.
  std::uint32_t first_register = 0;
  std::uint8_t reads = 0;  ///< 32-bit registers and predicates.
  std::uint8_t writes = 0;
  UnitKind unit = UnitKind::integer;
  InstructionKind kind = InstructionKind::arithmetic;
  MemoryRoute route = MemoryRoute::none;
  Resource resource = Resource::none;  ///< That there must be room in.
  /// A power of two to 16; 0: it accesses nothing, as a texture's query.
  std::uint8_t bytes_per_lane = 0;
  /// It stands for a sequence of so many instructions on hardware (a division): the unit is taken,
  /// and the result comes, as if they were issued one by one.
  std::uint8_t expansion = 1;
  /// It must not be seen before the atomics that its warp has under way: barriers, fences,
  /// releases.
  bool waits_for_atomics = false;
  /// A fence after which no thread may see less than the whole chip has stored.
  bool waits_for_stores = false;
  bool bypasses_l1 = false;  ///< A global load that is to find what others stored.
  bool reads_time = false;
  bool post_dominates = false;  ///< Some branch's sides meet here.
  bool jumps_always = false;    ///< A branch without a guard, which is resolved when it is decoded.
  /// A branch with a guard, of whose two ways both are known when it is decoded.
  bool is_conditional = false;
  /// The same sources give the same results, in any lane and at any time.
  bool repeatable = false;
  bool long_latency = false;  ///< Its results come from global or local memory, or textures.
  bool jumps_back = false;    ///< A branch that may go to an instruction before it.
  /// Nobody asks what its results are in the lanes that its guard excludes.
  bool leaves_undefined = false;
  bool begins_strand = false;  ///< code/placement/placement.h
  bool suspends = false;       ///< Likewise.
};

/// How an instruction uses one of its registers, beside its number.
struct RegisterUse {
  bool last = false;         ///< A source whose value is not read again.
  bool main = true;          ///< Of a result: whether it goes to the main file.
  bool live_out = false;     ///< A result that its strand does not use up.
  std::uint8_t operand = 0;  ///< Which source or destination it belongs to, a wide one has several.
  code::UpperPlace place{};  ///< Above the main file, that it is read from, or written to.
  code::UpperPlace fills{};  ///< A source that is written there as well.
};

/// Units that a warp's lanes share are those that take it several cycles, or that lie apart from
/// them: special functions, memory and textures (Gebhart's dissertation, section 6.2.2).
constexpr bool is_shared(UnitKind unit) {
  return unit == UnitKind::special || unit == UnitKind::memory || unit == UnitKind::texture;
}

// What a compiler that places values in levels of registers asks (code/placement/hierarchy.h).
bool is_long_latency(const code::Instruction& instruction);
bool is_in_shared_unit(const code::Instruction& instruction);

/// Registers and predicates in one numbering, as the dependence logic counts them.
inline constexpr std::uint16_t kFirstPredicate = 256;
inline constexpr std::size_t kScoreboardEntries = 256 + 64;

class IssueTable {
 public:
  /// `has_private_memory`: local memory begins in the scratchpad, whose queue it waits for.
  explicit IssueTable(const code::Program& program, bool has_private_memory = false);

  const IssueInfo& operator[](std::uint32_t pc) const { return infos_[pc]; }
  std::size_t size() const { return infos_.size(); }
  /// One more than the highest that is named, of each.
  std::size_t registers() const { return register_count_; }
  std::size_t predicates() const { return predicate_count_; }
  std::span<const std::uint16_t> reads(const IssueInfo& info) const {
    return {registers_.data() + info.first_register, info.reads};
  }
  std::span<const std::uint16_t> writes(const IssueInfo& info) const {
    return {registers_.data() + info.first_register + info.reads, info.writes};
  }
  // The same for each of these.
  std::span<const RegisterUse> read_uses(const IssueInfo& info) const {
    return {uses_.data() + info.first_register, info.reads};
  }
  std::span<const RegisterUse> write_uses(const IssueInfo& info) const {
    return {uses_.data() + info.first_register + info.reads, info.writes};
  }
  // Where the program is placed for any number of entries (code/placement/pooled.h): with so many.
  std::span<const RegisterUse> read_uses(const IssueInfo& info, std::uint32_t entries) const {
    return {uses_.data() + entries * registers_.size() + info.first_register, info.reads};
  }
  std::span<const RegisterUse> write_uses(const IssueInfo& info, std::uint32_t entries) const {
    return {uses_.data() + entries * registers_.size() + info.first_register + info.reads,
            info.writes};
  }
  const code::StrandWorth& worth(const IssueInfo& info) const {
    return worth_[static_cast<std::size_t>(&info - infos_.data())];
  }
  std::span<const std::uint16_t> all(const IssueInfo& info) const {
    return {registers_.data() + info.first_register,
            static_cast<std::size_t>(info.reads) + info.writes};
  }

 private:
  void add_all_uses(const code::Program& program);

  std::vector<IssueInfo> infos_;
  std::vector<std::uint16_t> registers_;
  std::vector<RegisterUse> uses_;         ///< By entries, where their number varies.
  std::vector<code::StrandWorth> worth_;  ///< By instruction; or none.
  std::size_t register_count_ = 0;
  std::size_t predicate_count_ = 0;
};

}  // namespace heddle::sm
