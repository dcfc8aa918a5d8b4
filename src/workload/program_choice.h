#pragma once

// Parses the programs that run side by side, as named in command lines and experiments:
// "bfs:small:7+scan:tiny".

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workload/workload.h"

namespace heddle::workload {

struct ProgramChoice {
  const Workload* workload = nullptr;
  Size size = Size::small;
  std::uint64_t seed = 1;
  GridChoice grid = GridChoice::input;
  /// Registers per thread that determine how many blocks are resident. Empty: the same choice as
  /// for all programs.
  std::optional<std::uint32_t> registers{};
};

/// With more programs, each would have only few multiprocessors.
inline constexpr std::size_t kMostPrograms = 8;

/// Whether a name denotes several programs. A workload's own name may contain a '+' (b+tree).
bool names_several_programs(const std::string& name);
/// Parses up to kMostPrograms workloads that are separated by '+'. Each may be followed by options
/// that override `defaults`, each after a ':': size, seed, grid, registers ("registers=16"). Throws
/// InputError, also for a size or a grid that a workload lacks.
std::vector<ProgramChoice> parse_programs(const std::string& text, const ProgramChoice& defaults);

}  // namespace heddle::workload
