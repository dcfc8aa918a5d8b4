#pragma once

// The issue table contains what the pipeline needs to know about each instruction of a program. It
// is computed once per program, before a launch.

#include <cstdint>
#include <span>
#include <vector>

#include "code/placement/placement.h"
#include "code/placement/pooled.h"
#include "code/program.h"
#include "sm/instructions/resource.h"
#include "sm/instructions/unit_kind.h"
#include "sm/instructions/wide_integers.h"

namespace heddle::sm {

enum class InstructionKind : std::uint8_t {
  arithmetic,
  load,
  store,
  atomic,  ///< Global, generic or shared memory.
  texture,
  branch,  ///< Anything that sets the program counter: branches, calls, returns, exits.
  barrier,
  fence,
  chip_wide,  ///< Touches state that all multiprocessors share; executed between epochs.
  other,      ///< Uses an issue slot and nothing else.
};

/// The memory that an instruction accesses. For `generic` it depends on the addresses.
enum class MemoryRoute : std::uint8_t { none, global, shared, local, constant, generic };

/// Whether the access may be one to global memory.
constexpr bool may_be_global(MemoryRoute route) {
  return route == MemoryRoute::global || route == MemoryRoute::generic;
}

struct IssueInfo {
  /// Index into IssueTable::registers_. The registers read are there, then the registers written.
  std::uint32_t first_register = 0;
  std::uint8_t reads = 0;   ///< Number of 32-bit registers and predicates that it reads.
  std::uint8_t writes = 0;  ///< Number of 32-bit registers and predicates that it writes.
  UnitKind unit = UnitKind::integer;
  InstructionKind kind = InstructionKind::arithmetic;
  MemoryRoute route = MemoryRoute::none;
  Resource resource = Resource::none;  ///< The resource that must have space for it to issue.
  /// How much memory each lane accesses: a power of two up to 16; 0 if the instruction accesses no
  /// memory, for example a texture query.
  std::uint8_t bytes_per_lane = 0;
  /// The number of hardware instructions that this instruction represents: a division, for example,
  /// is several. Unit occupancy and latency are those of that many instructions issued one by one.
  std::uint8_t expansion = 1;
  /// In cycles, by which its results are later than those of so many hardware instructions.
  std::uint16_t result_delay = 0;
  /// It issues only after all atomics that its warp has in flight have been performed. True for
  /// barriers, fences and releases.
  bool waits_for_atomics = false;
  /// A fence after which the stores of the whole chip must be visible.
  bool waits_for_stores = false;
  bool bypasses_l1 = false;  ///< A global load that must see the stores of other multiprocessors.
  /// A load that may see stores of other threads although no barrier or fence precedes it: one that
  /// is volatile or has a memory order.
  bool sees_other_threads = false;
  bool reads_time = false;
  bool post_dominates = false;  ///< It is the reconvergence point of some branch.
  bool jumps_always = false;    ///< An unguarded branch, which is resolved at decode.
  /// A guarded branch, call or exit. Where it goes if the guard is true is known at decode.
  bool is_conditional = false;
  /// The same source values give the same results in any lane and at any time.
  bool is_repeatable = false;
  /// It reads a special register that has the same value in all threads of a warp, such as the
  /// number of the block.
  bool reads_warp_special = false;
  /// The last of its registers read is the predicate of its guard, which no source operand reads.
  bool reads_guard_last = false;
  /// Its results come from global or local memory, or from textures.
  bool is_long_latency = false;
  bool jumps_back = false;  ///< A branch that may go to an earlier instruction.
  /// Its results are undefined in the lanes that its guard excludes.
  bool leaves_undefined = false;
  /// It is the first of a strand, a stretch of code at whose ends no value is kept above the main
  /// register file (code/placement/strands.h).
  bool begins_strand = false;
  /// The compiler has marked it: before it, the warp waits for its long-latency results
  /// (code/placement/long_waits.h).
  bool suspends = false;
};

/// How an instruction uses one of its registers.
struct RegisterUse {
  bool is_last_read = false;  ///< For a source: whether its value is not read again.
  bool writes_main = true;    ///< For a result: whether it is written to the main register file.
  bool is_live_out = false;   ///< For a result: whether it is used after its strand.
  /// The index of the source or destination operand of which the register is a part. A wide operand
  /// has several registers.
  std::uint8_t operand = 0;
  /// The place in an upper level of registers, above the main register file (code/placement), from
  /// which the register is read or to which it is written. Not present if none.
  code::UpperPlace place{};
  /// For a source that is read from the main register file: the upper place into which the value is
  /// also written (Gebhart, section 6.4.3). Not present if none.
  code::UpperPlace fill_place{};
};

/// Whether all lanes of a warp share the unit: special functions, memory and textures (Gebhart's
/// dissertation, section 6.2.2). Such a unit takes several cycles for the instruction of a warp, or
/// is far from the lanes.
constexpr bool is_shared(UnitKind unit) {
  return unit == UnitKind::special || unit == UnitKind::memory || unit == UnitKind::texture;
}

// The compiler calls these two to place values in levels of registers (code/placement/hierarchy.h).
bool is_long_latency(const code::Instruction& instruction);
bool is_in_shared_unit(const code::Instruction& instruction);

// Registers and predicates have common numbers: registers 0 to 255, predicates from kFirstPredicate
// on, at most 64 of them.
inline constexpr std::uint16_t kFirstPredicate = 256;
inline constexpr std::size_t kScoreboardEntries = 256 + 64;

/// What a machine decides about the instructions of a program.
struct IssueTableOptions {
  /// The first bytes of each thread's local memory are in the scratchpad, so accesses to local
  /// memory need space in the scratchpad's queue.
  bool has_private_memory = false;
  WideIntegers wide_integers = WideIntegers::two_words;
  /// For a multiplication of 32 bits; see MultiplicationDescription.
  std::uint32_t multiply_instructions = 1;
  std::uint32_t multiply_delay = 0;
};

class IssueTable {
 public:
  explicit IssueTable(const code::Program& program, const IssueTableOptions& options = {});

  const IssueInfo& operator[](std::uint32_t pc) const { return infos_[pc]; }
  std::size_t size() const { return infos_.size(); }
  /// One more than the highest register number that the program uses; 0 if it uses none.
  std::size_t register_count() const { return register_count_; }
  /// One more than the highest predicate number that the program uses; 0 if it uses none.
  std::size_t predicate_count() const { return predicate_count_; }
  /// The numbers of the registers and predicates that the instruction reads. writes(): the numbers
  /// of those that it writes.
  std::span<const std::uint16_t> reads(const IssueInfo& info) const {
    return {registers_.data() + info.first_register, info.reads};
  }
  std::span<const std::uint16_t> writes(const IssueInfo& info) const {
    return {registers_.data() + info.first_register + info.reads, info.writes};
  }
  /// How each element of reads() is used. write_uses(): the same for writes().
  std::span<const RegisterUse> read_uses(const IssueInfo& info) const {
    return {uses_.data() + info.first_register, info.reads};
  }
  std::span<const RegisterUse> write_uses(const IssueInfo& info) const {
    return {uses_.data() + info.first_register + info.reads, info.writes};
  }
  /// As above, if the upper levels of registers have `entries` entries for the warp. May be called
  /// only if the program has a placement for every number of entries (code/placement/pooled.h).
  std::span<const RegisterUse> read_uses(const IssueInfo& info, std::uint32_t entries) const {
    return {uses_.data() + entries * registers_.size() + info.first_register, info.reads};
  }
  std::span<const RegisterUse> write_uses(const IssueInfo& info, std::uint32_t entries) const {
    return {uses_.data() + entries * registers_.size() + info.first_register + info.reads,
            info.writes};
  }
  /// What the strand that begins at the instruction saves. May be called only if the program has a
  /// placement for every number of entries.
  const code::StrandSavings& savings_of(const IssueInfo& info) const {
    return strand_savings_[static_cast<std::size_t>(&info - infos_.data())];
  }
  /// The registers and predicates that the instruction reads, and those that it writes.
  std::span<const std::uint16_t> reads_and_writes(const IssueInfo& info) const {
    return {registers_.data() + info.first_register,
            static_cast<std::size_t>(info.reads) + info.writes};
  }

 private:
  void add_all_uses(const code::Program& program);

  std::vector<IssueInfo> infos_;
  std::vector<std::uint16_t> registers_;
  /// One for each element of registers_. If the program has a placement for every number of
  /// entries, the list contains one such sequence for each number of entries, from 0 on.
  std::vector<RegisterUse> uses_;
  std::vector<code::StrandSavings> strand_savings_;  ///< By instruction; may be empty.
  std::size_t register_count_ = 0;
  std::size_t predicate_count_ = 0;
};

}  // namespace heddle::sm
