#pragma once

#include <cstdint>

#include "base/counters.h"

namespace heddle::sm {

/// Registers of a warp. The level below the last-result file is a cache or an operand file, by
/// whose it is; the main file counts what reaches it.
struct HierarchyCounters {
  std::uint64_t upper_reads_private = 0;
  std::uint64_t upper_reads_shared = 0;
  std::uint64_t upper_writes_private = 0;
  std::uint64_t upper_writes_shared = 0;
  std::uint64_t last_reads = 0;
  std::uint64_t last_writes = 0;
  std::uint64_t duplicate_writes = 0;
  std::uint64_t fills_private = 0;
  std::uint64_t fills_shared = 0;
  std::uint64_t last_fills = 0;
  std::uint64_t suspensions = 0;
  std::uint64_t one_from_main = 0;
  std::uint64_t two_from_main = 0;
  std::uint64_t more_from_main = 0;
  std::uint64_t operands_from_main = 0;
  std::uint64_t one_operand_from_main = 0;
  std::uint64_t two_operands_from_main = 0;
  std::uint64_t more_operands_from_main = 0;

  /// A pass reads so many registers of the main file, of so many operands.
  void count_from_main(std::size_t registers, std::size_t operands) {
    if (registers == 1) ++one_from_main;
    if (registers == 2) ++two_from_main;
    if (registers > 2) ++more_from_main;
    operands_from_main += operands;
    if (operands == 1) ++one_operand_from_main;
    if (operands == 2) ++two_operands_from_main;
    if (operands > 2) ++more_operands_from_main;
  }

  void declare(CounterList& counters) {
    counters.add("upper_reads_private", upper_reads_private, "registers",
                 "read from the cache or operand file by units of full width");
    counters.add("upper_reads_shared", upper_reads_shared, "registers",
                 "read from there by special-function, memory and texture units");
    counters.add("upper_writes_private", upper_writes_private, "registers",
                 "results of units of full width that went there");
    counters.add("upper_writes_shared", upper_writes_shared, "registers",
                 "results of the other units that went there");
    counters.add("last_reads", last_reads, "registers", "read from the last-result file");
    counters.add("last_writes", last_writes, "registers", "results that went there");
    counters.add("duplicate_writes", duplicate_writes, "registers",
                 "results that went to the main file and to a level above it: counted in both");
    counters.add("fills_private", fills_private, "registers",
                 "that units of full width read from the main file, and that were written to the "
                 "cache or operand file");
    counters.add("fills_shared", fills_shared, "registers",
                 "that the other units read from there, and that were written to it");
    counters.add("last_fills", last_fills, "registers",
                 "read from the main file, and written to the last-result file");
    counters.add("suspensions", suspensions, "warps",
                 "that lost what they had above the main file");
    counters.add("one_from_main", one_from_main, "instructions",
                 "of a warp that read one register of the main file");
    counters.add("two_from_main", two_from_main, "instructions", "that read two of it");
    counters.add("more_from_main", more_from_main, "instructions", "that read more");
    counters.add("operands_from_main", operands_from_main, "operands",
                 "of a warp's instructions, of one register or several, that the main file had a "
                 "part of");
    counters.add("one_operand_from_main", one_operand_from_main, "instructions",
                 "of a warp that read one operand of the main file");
    counters.add("two_operands_from_main", two_operands_from_main, "instructions",
                 "that read two of it");
    counters.add("more_operands_from_main", more_operands_from_main, "instructions",
                 "that read more");
  }
};

}  // namespace heddle::sm
