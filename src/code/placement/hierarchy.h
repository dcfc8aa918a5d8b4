#pragma once

// The hierarchy of register files that the compiler manages (Gebhart's dissertation on on-chip
// storage for throughput processors, chapter 6; section numbers in this folder refer to it). It has
// three levels:
// - The main register file (MRF) is the lowest level.
// - The operand register file (ORF), called operand file here, has a few words per thread.
// - The last-result file (LRF) has one word per thread, or one for each operand slot.
// The operand file and the last-result file are the upper levels. A word has 32 bits; each word of
// a wide value has its own place. Upper levels keep values only within a strand: a part of the code
// at whose beginning they are empty (section 6.3; strands.h).

#include <cstdint>

#include "code/instruction.h"

namespace heddle::code {

enum class RegisterLevel : std::uint8_t { main, operand, last_result };

/// The organisation of the last-result file: none, one word per thread, or one word per thread for
/// each operand slot.
enum class LastResultFile : std::uint8_t { none, unified, split };

/// The number of operand slots: source operands that an instruction of a private unit (see
/// PlaceEnergies) can have. A split last-result file has one word for each slot.
inline constexpr std::uint32_t kOperandSlots = 3;

/// The levels to which one instruction may write the same result (section 6.5.5).
enum class ResultLevels : std::uint8_t {
  two,                   ///< Up to two, in any combination.
  one,                   ///< Only one.
  two_not_operand_file,  ///< Up to two, except the operand file together with the main file.
};

/// The energy of an access to one word, bank and wires together. The unit is arbitrary, since only
/// ratios matter (section 6.4). Private units are the execution units that each lane has for
/// itself. Shared units serve several lanes: special functions, memory and texture (section 6.2.2).
struct PlaceEnergies {
  double main_read = 0;
  double main_write = 0;
  double operand_read_private = 0;
  double operand_read_shared = 0;
  double operand_write_private = 0;
  double operand_write_shared = 0;
  double last_result_read = 0;
  double last_result_write = 0;

  double read(RegisterLevel level, bool in_shared_unit) const {
    if (level == RegisterLevel::main) return main_read;
    if (level == RegisterLevel::last_result) return last_result_read;
    return in_shared_unit ? operand_read_shared : operand_read_private;
  }
  double write(RegisterLevel level, bool in_shared_unit) const {
    if (level == RegisterLevel::main) return main_write;
    if (level == RegisterLevel::last_result) return last_result_write;
    return in_shared_unit ? operand_write_shared : operand_write_private;
  }

  friend bool operator==(const PlaceEnergies&, const PlaceEnergies&) = default;
};

/// Says whether an instruction is a long-latency operation: its results come from memory or
/// textures. A warp that needs a pending result of one is suspended: it leaves the active set, the
/// warps among which a scheduler chooses.
using IsLongLatency = bool (*)(const Instruction&);

/// When a value that did not fit is tried again with a shorter live range, which ends at an earlier
/// read (section 6.4.2).
enum class ShortenedOrder : std::uint8_t {
  by_savings,  ///< In its turn: values are tried by the energy that they save per issue slot.
  immediate,   ///< At once.
  last,        ///< After all values with their whole live ranges (section 6.4.5).
};

/// The register hierarchy for which the compiler places values.
struct Hierarchy {
  /// Whether the compiler places values. If not, hardware does. The compiler then only marks
  /// results that shared units may read, since these must not be in the last-result file: they get
  /// an UpperPlace in the operand file (section 6.5.2).
  bool managed = true;
  std::uint32_t operand_entries = 3;  ///< Words per thread; 0: no operand file.
  LastResultFile last_result = LastResultFile::split;
  ResultLevels result_levels = ResultLevels::two;
  bool partial_ranges = true;  ///< Whether live ranges may be shortened to fit (section 6.4.2).
  ShortenedOrder shortened_order = ShortenedOrder::by_savings;
  /// Whether an upper level can also keep values that the strand only reads, several times (section
  /// 6.4.3).
  bool read_operands = true;
  /// Whether a strand can contain several basic blocks. If not, no value in an upper level crosses
  /// a block boundary (section 6.4.4).
  bool forward_branches = true;
  /// Whether a strand ends where a warp is suspended (section 6.3). If not (a limit study), the
  /// upper levels keep their contents during suspension.
  bool suspension_ends_strands = true;
  /// Whether a strand also ends at a barrier, since a warp that waits at one is suspended.
  bool barriers_end_strands = true;
  /// Whether the number of operand-file entries that hardware gives a warp varies from strand to
  /// strand, up to `operand_entries`. Values are then placed for each number (section 6.6.1;
  /// pooled.h).
  bool variable_entries = false;
  /// Whether results of long-latency operations are written to the main file only. Upper levels
  /// could not serve their reads anyway if suspension ends strands.
  bool long_results_only_main = true;
  PlaceEnergies energies{};
  // The configuration of the simulated GPU provides these two functions.
  /// Says whether a shared unit executes an instruction.
  bool (*in_shared_unit)(const Instruction&) = nullptr;
  IsLongLatency is_long_latency = nullptr;

  friend bool operator==(const Hierarchy&, const Hierarchy&) = default;
};

}  // namespace heddle::code
