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

/// A workload to run and how to run it.
struct ProgramChoice {
  const Workload* workload = nullptr;
  Size size = Size::small;
  std::uint64_t seed = 1;
  GridChoice grid = GridChoice::input;
  /// Registers per thread, which determine how many blocks are resident. If empty, the choice for
  /// all programs applies (lab::RegisterChoice in lab/registers.h).
  std::optional<std::uint32_t> registers{};
};

/// The maximum number of programs that run side by side. With more, each would have only few
/// multiprocessors.
inline constexpr std::size_t kMaxPrograms = 8;

/// Whether `text` names several programs, separated by '+'. A '+' may also be part of a workload's
/// name ("b+tree").
bool names_several_programs(const std::string& text);
/// Parses one to kMaxPrograms workloads that are separated by '+'. Options that override `defaults`
/// may follow each workload, each after a ':': size, seed, grid, registers ("registers=16"). Throws
/// InputError for a mistake, and for a size or grid that a workload does not have.
std::vector<ProgramChoice> parse_programs(const std::string& text, const ProgramChoice& defaults);

}  // namespace heddle::workload
