#pragma once

#include <cstdint>

#include "base/counters.h"

namespace heddle::sm {

/// Counters of accesses to the levels of registers above the main register file; declare()
/// describes them. The unit is a register of a warp. The upper level is a small last-result file.
/// The level below it is a register cache (policy 'register-cache') or an operand file ('managed').
/// The main file counts its own accesses.
///
/// "private" and "shared" in a name say which execution units read or write. Private units have
/// full width: each lane has its own. The lanes of a warp share the units for special functions,
/// memory and textures.
struct HierarchyCounters {
  std::uint64_t operand_file_reads_private = 0;
  std::uint64_t operand_file_reads_shared = 0;
  std::uint64_t operand_file_writes_private = 0;
  std::uint64_t operand_file_writes_shared = 0;
  std::uint64_t last_reads = 0;
  std::uint64_t last_writes = 0;
  std::uint64_t duplicate_writes = 0;
  std::uint64_t fills_private = 0;
  std::uint64_t fills_shared = 0;
  std::uint64_t last_fills = 0;
  std::uint64_t suspensions = 0;
  std::uint64_t one_registers_from_main = 0;
  std::uint64_t two_registers_from_main = 0;
  std::uint64_t more_registers_from_main = 0;
  std::uint64_t operands_from_main = 0;
  std::uint64_t one_operand_from_main = 0;
  std::uint64_t two_operands_from_main = 0;
  std::uint64_t more_operands_from_main = 0;

  /// Counts a pass that reads `registers` registers of `operands` operands from the main file.
  void count_from_main(std::size_t registers, std::size_t operands) {
    if (registers == 1) ++one_registers_from_main;
    if (registers == 2) ++two_registers_from_main;
    if (registers > 2) ++more_registers_from_main;
    operands_from_main += operands;
    if (operands == 1) ++one_operand_from_main;
    if (operands == 2) ++two_operands_from_main;
    if (operands > 2) ++more_operands_from_main;
  }

  void declare(CounterList& counters) {
    counters.add("operand_file_reads_private", operand_file_reads_private, "registers",
                 "read from the cache or operand file by units of full width");
    counters.add("operand_file_reads_shared", operand_file_reads_shared, "registers",
                 "read from the cache or operand file by special-function, memory and texture "
                 "units");
    counters.add("operand_file_writes_private", operand_file_writes_private, "registers",
                 "results of units of full width written to the cache or operand file");
    counters.add("operand_file_writes_shared", operand_file_writes_shared, "registers",
                 "results of the other units written to the cache or operand file");
    counters.add("last_reads", last_reads, "registers", "read from the last-result file");
    counters.add("last_writes", last_writes, "registers",
                 "results written to the last-result file");
    counters.add("duplicate_writes", duplicate_writes, "registers",
                 "results written to the main file and to a level above it; counted in both");
    counters.add("fills_private", fills_private, "registers",
                 "that units of full width read from the main file and that were then written to "
                 "the cache or operand file");
    counters.add("fills_shared", fills_shared, "registers",
                 "that the other units read from the main file and that were then written to the "
                 "cache or operand file");
    counters.add("last_fills", last_fills, "registers",
                 "read from the main file and then written to the last-result file");
    counters.add("suspensions", suspensions, "warps",
                 "that were suspended and lost their values above the main file");
    counters.add("one_registers_from_main", one_registers_from_main, "instructions",
                 "of a warp that read one register from the main file");
    counters.add("two_registers_from_main", two_registers_from_main, "instructions",
                 "that read two registers from the main file");
    counters.add("more_registers_from_main", more_registers_from_main, "instructions",
                 "that read more than two registers from the main file");
    counters.add("operands_from_main", operands_from_main, "operands",
                 "of a warp's instructions, each of one register or more, that were read at least "
                 "partly from the main file");
    counters.add("one_operand_from_main", one_operand_from_main, "instructions",
                 "of a warp that read one operand from the main file");
    counters.add("two_operands_from_main", two_operands_from_main, "instructions",
                 "that read two operands from the main file");
    counters.add("more_operands_from_main", more_operands_from_main, "instructions",
                 "that read more than two operands from the main file");
  }
};

}  // namespace heddle::sm
