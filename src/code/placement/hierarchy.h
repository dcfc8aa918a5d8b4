#pragma once

// The hierarchy of register files that the compiler manages (Gebhart's dissertation on on-chip
// storage for throughput processors, chapter 6; section numbers in this folder refer to it). The
// main register file (MRF) is the lowest level. Above it is an operand register file (ORF), called
// operand file here, of a few words per thread. Above that is a last-result file (LRF) of one word
// per thread or a few. The ORF and the LRF are the upper levels. Words are 32 bits; each word of a
// wide value has its own place.

#include <cstdint>

#include "code/instruction.h"

namespace heddle::code {

enum class RegisterLevel : std::uint8_t { main, operand, last_result };

/// The organisation of the last-result file: none, one word per thread, or one word per thread for
/// each operand slot.
enum class LastResultFile : std::uint8_t { none, unified, split };

/// The maximum number of operands of an instruction in private units. A split last-result file has
/// one word for each of these slots.
inline constexpr std::uint32_t kOperandSlots = 3;

/// The levels to which one instruction may write the same result (section 6.5.5): up to two, in any
/// combination; only one; or up to two, but not both the operand file and the main file.
enum class ResultLevels : std::uint8_t { two, one, two_not_operand_file };

/// The energy of an access to one word, bank and wires together, in arbitrary units: only ratios
/// matter (section 6.4). Private units are the execution units that each lane has for itself.
/// Shared units serve several lanes: special functions, memory and texture (section 6.2.2).
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

/// Whether an instruction is a long-latency operation: its results come from memory or textures. A
/// warp that needs a pending one is suspended, which takes it out of the active set.
using IsLongLatency = bool (*)(const Instruction&);

/// When the allocator retries a value that did not fit, with a live range shortened to its first
/// reads (section 6.4.2): in order of its energy savings per slot; at once; or after it has tried
/// all whole live ranges (section 6.4.5).
enum class ShortenedOrder : std::uint8_t { by_savings, immediate, last };

/// The register hierarchy for which the compiler places values.
struct Hierarchy {
  /// Whether the compiler places values. If not, hardware does. The compiler then only keeps
  /// results out of the last-result file that shared units may read: they get an UpperPlace in the
  /// operand file (section 6.5.2).
  bool managed = true;
  std::uint32_t operand_entries = 3;  ///< Words per thread; 0: no operand file.
  LastResultFile last_result = LastResultFile::split;
  ResultLevels result_levels = ResultLevels::two;
  bool partial_ranges = true;  ///< Whether live ranges may be shortened (section 6.4.2).
  ShortenedOrder shortened_order = ShortenedOrder::by_savings;
  /// Whether values that the strand does not write, but reads several times, can also be kept in an
  /// upper level (section 6.4.3).
  bool read_operands = true;
  /// Whether a strand can contain several basic blocks. If not, no value in an upper level crosses
  /// a block boundary (section 6.4.4).
  bool forward_branches = true;
  /// Whether a strand ends where a warp is suspended (section 6.3). If not (a limit study), the
  /// upper levels keep their contents during suspension.
  bool suspension_ends_strands = true;
  /// Whether hardware gives a warp any number of entries up to `operand_entries` for each strand,
  /// so that values are placed for each number (section 6.6.1; pooled.h).
  bool variable_entries = false;
  /// Whether results of long-latency operations are written to the main file only. If suspension
  /// ends strands, these results are read in a later strand anyway.
  bool long_results_only_main = true;
  PlaceEnergies energies{};
  // The machine classifies instructions:
  bool (*in_shared_unit)(const Instruction&) = nullptr;
  IsLongLatency is_long_latency = nullptr;

  friend bool operator==(const Hierarchy&, const Hierarchy&) = default;
};

}  // namespace heddle::code
