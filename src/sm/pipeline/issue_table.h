#pragma once

// The issue table: what the pipeline needs to know about each instruction of a program. It is
// computed in advance.

#include <cstdint>
#include <span>
#include <vector>

#include "code/placement/placement.h"
#include "code/placement/pooled.h"
#include "code/program.h"
#include "sm/stalls/resource.h"
#include "sm/units/unit_kind.h"

namespace heddle::sm {

enum class InstructionKind : std::uint8_t {
  arithmetic,
  load,
  store,
  atomic,  ///< Global, generic or shared memory.
  texture,
  branch,  ///< Sets the program counter: branches, calls, returns, exits.
  barrier,
  fence,
  chip_wide,  ///< Touches state that all multiprocessors share; executed between epochs.
  other,      ///< Uses an issue slot and nothing else.
};

/// The memory that an instruction accesses. For `generic` it depends on the addresses.
enum class MemoryRoute : std::uint8_t { none, global, shared, local, constant, generic };

struct IssueInfo {
  /// Index into IssueTable::registers_: registers read, then registers written.
  std::uint32_t first_register = 0;
  std::uint8_t reads = 0;   ///< Number of 32-bit registers and predicates that it reads.
  std::uint8_t writes = 0;  ///< Number of those that it writes.
  UnitKind unit = UnitKind::integer;
  InstructionKind kind = InstructionKind::arithmetic;
  MemoryRoute route = MemoryRoute::none;
  Resource resource = Resource::none;  ///< The resource that must have space for it to issue.
  /// A power of two up to 16; 0 if no memory is accessed, as by a texture query.
  std::uint8_t bytes_per_lane = 0;
  /// The number of hardware instructions that it represents: more than one for a division, for
  /// example. The unit is busy, and the result is available, as if these were issued one by one.
  std::uint8_t expansion = 1;
  /// It issues only after all atomics that its warp has in flight have been performed: barriers,
  /// fences, releases.
  bool waits_for_atomics = false;
  /// A fence after which the stores of the whole chip must be visible.
  bool waits_for_stores = false;
  bool bypasses_l1 = false;  ///< A global load that must see the stores of other multiprocessors.
  bool reads_time = false;
  bool post_dominates = false;  ///< The reconvergence point of some branch.
  bool jumps_always = false;    ///< An unguarded branch, which is resolved at decode.
  /// A guarded branch both of whose targets are known at decode.
  bool is_conditional = false;
  /// The same source values give the same results in any lane and at any time.
  bool repeatable = false;
  bool long_latency = false;  ///< Its results come from global or local memory, or from textures.
  bool jumps_back = false;    ///< A branch that may go to an earlier instruction.
  /// Its results are undefined in the lanes that its guard excludes.
  bool leaves_undefined = false;
  bool begins_strand = false;  ///< See code/placement/placement.h.
  bool suspends = false;       ///< The compiler's mark: see code/placement/placement.h.
};

/// How an instruction uses one of its registers.
struct RegisterUse {
  bool last = false;      ///< For a source: whether its value is not read again.
  bool main = true;       ///< For a result: whether it is written to the main register file.
  bool live_out = false;  ///< For a result: whether it is used after its strand.
  /// The index of the source or destination operand of which the register is a part. A wide operand
  /// has several registers.
  std::uint8_t operand = 0;
  /// The place above the main register file from which it is read, or to which it is written.
  code::UpperPlace place{};
  code::UpperPlace fill_place{};  ///< For a source: the place to which it is written, too.
};

/// Whether the lanes of a warp share the unit: special functions, memory and textures (Gebhart's
/// dissertation, section 6.2.2). A warp's instruction takes several cycles there, or the unit is
/// far from the lanes.
constexpr bool is_shared(UnitKind unit) {
  return unit == UnitKind::special || unit == UnitKind::memory || unit == UnitKind::texture;
}

// Used by the compiler, to place values in levels of registers (code/placement/hierarchy.h).
bool is_long_latency(const code::Instruction& instruction);
bool is_in_shared_unit(const code::Instruction& instruction);

// The dependence logic numbers registers from 0 on, and predicates from kFirstPredicate on.
inline constexpr std::uint16_t kFirstPredicate = 256;
inline constexpr std::size_t kScoreboardEntries = 256 + 64;

class IssueTable {
 public:
  /// `has_private_memory`: the first bytes of each thread's local memory are in the scratchpad, so
  /// accesses to local memory need space in the scratchpad's queue.
  explicit IssueTable(const code::Program& program, bool has_private_memory = false);

  const IssueInfo& operator[](std::uint32_t pc) const { return infos_[pc]; }
  std::size_t size() const { return infos_.size(); }
  /// One more than the highest register number, and predicate number, in the program.
  std::size_t registers() const { return register_count_; }
  std::size_t predicates() const { return predicate_count_; }
  std::span<const std::uint16_t> reads(const IssueInfo& info) const {
    return {registers_.data() + info.first_register, info.reads};
  }
  std::span<const std::uint16_t> writes(const IssueInfo& info) const {
    return {registers_.data() + info.first_register + info.reads, info.writes};
  }
  // How each register of reads(), and of writes(), is used.
  std::span<const RegisterUse> read_uses(const IssueInfo& info) const {
    return {uses_.data() + info.first_register, info.reads};
  }
  std::span<const RegisterUse> write_uses(const IssueInfo& info) const {
    return {uses_.data() + info.first_register + info.reads, info.writes};
  }
  // The same if the upper levels of registers have `entries` entries for the warp. Only if the
  // program is placed for any number of entries (code/placement/pooled.h).
  std::span<const RegisterUse> read_uses(const IssueInfo& info, std::uint32_t entries) const {
    return {uses_.data() + entries * registers_.size() + info.first_register, info.reads};
  }
  std::span<const RegisterUse> write_uses(const IssueInfo& info, std::uint32_t entries) const {
    return {uses_.data() + entries * registers_.size() + info.first_register + info.reads,
            info.writes};
  }
  /// What the strand that begins at the instruction saves. Only if the program is placed for any
  /// number of entries.
  const code::StrandSavings& savings_of(const IssueInfo& info) const {
    return strand_savings_[static_cast<std::size_t>(&info - infos_.data())];
  }
  /// The registers and predicates that the instruction reads, and those that it writes.
  std::span<const std::uint16_t> all(const IssueInfo& info) const {
    return {registers_.data() + info.first_register,
            static_cast<std::size_t>(info.reads) + info.writes};
  }

 private:
  void add_all_uses(const code::Program& program);

  std::vector<IssueInfo> infos_;
  std::vector<std::uint16_t> registers_;
  /// One for each element of registers_. If the number of entries varies, this is repeated for each
  /// number of entries, from 0 on.
  std::vector<RegisterUse> uses_;
  std::vector<code::StrandSavings> strand_savings_;  ///< By instruction; may be empty.
  std::size_t register_count_ = 0;
  std::size_t predicate_count_ = 0;
};

}  // namespace heddle::sm
