#pragma once

// A register file in levels, as a compiler sees it (Gebhart's dissertation on on-chip storage for
// throughput processors, chapter 6): the main register file, above it an operand file of a few
// words a thread, and above that a last-result file of one. Words are 32 bits; a wide value is
// several words, each with a place of its own.

#include <cstdint>

#include "code/instruction.h"

namespace heddle::code {

enum class RegisterLevel : std::uint8_t { main, operand, last_result };

/// Whether there is a last-result file: one word a thread, or one for each operand slot.
enum class LastResultFile : std::uint8_t { none, unified, split };

/// As many as an instruction may have in private units: a split last-result file has one for each.
inline constexpr std::uint32_t kOperandSlots = 3;

/// How many levels one instruction may write a result to (section 6.5.5): any one or two of them,
/// one only, or the last-result and the main file but not the operand file and the main one.
enum class ResultLevels : std::uint8_t { two, one, two_but_operand_file };

/// What an access of a word takes, bank and wire, in any unit: only ratios matter (section 6.4).
/// Units of the private datapath are those of full width, the shared ones are special functions,
/// memory and texture (section 6.2.2).
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

/// Whether an instruction's results come from memory or textures, and are waited for outside the
/// active set.
using IsLongLatency = bool (*)(const Instruction&);

/// When a value gets its turn again that has found no room for all its reads, and is shortened
/// (section 6.4.2): by its worth then; at once; or after all whole ones (section 6.4.5).
enum class ShortenedTurn : std::uint8_t { by_worth, at_once, last };

/// What the compiler places values for.
struct Hierarchy {
  /// Whether the compiler places values. If not, hardware does, and all that is said of results is
  /// what has to be kept out of the last-result file, as units that cannot read it may (section
  /// 6.5.2): an UpperPlace of the operand file.
  bool managed = true;
  std::uint32_t operand_entries = 3;  ///< Words a thread; 0: there is no operand file.
  LastResultFile last_result = LastResultFile::split;
  ResultLevels result_levels = ResultLevels::two;
  bool partial_ranges = true;  ///< Section 6.4.2.
  ShortenedTurn shortened_turn = ShortenedTurn::by_worth;
  bool read_operands = true;     ///< Section 6.4.3.
  bool forward_branches = true;  ///< Section 6.4.4; else no value crosses the end of a basic block.
  /// Section 6.3. Without it, a limit study: nothing is lost where a warp is suspended.
  bool suspension_ends_strands = true;
  /// Section 6.6.1: hardware gives a warp any number of entries up to `operand_entries`, and values
  /// are placed for each (pooled.h).
  bool variable_entries = false;
  /// What comes from memory or textures goes to the main file alone. It is read in a later strand
  /// anyhow, unless nothing is lost where a warp is suspended.
  bool long_results_only_main = true;
  PlaceEnergies energies{};
  // What a machine says of its instructions:
  bool (*in_shared_unit)(const Instruction&) = nullptr;
  IsLongLatency is_long_latency = nullptr;

  friend bool operator==(const Hierarchy&, const Hierarchy&) = default;
};

}  // namespace heddle::code
