#pragma once

// Programs that are to run side by side, as command lines and experiments name them:
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
  GridShape grid = GridShape::input;
  /// A thread, that decide how many of its blocks are resident; else as for all programs.
  std::optional<std::uint32_t> registers{};
};

/// More would have few multiprocessors each, and be told apart by nobody.
inline constexpr std::size_t kMostPrograms = 8;

/// Whether a name is that of several, and no workload's own that has a '+' in it, as b+tree.
bool names_several(const std::string& name);
/// Of two to eight workloads with a '+' between each; after each, and a ':' before every one, what
/// differs from `usual`: its size, its seed, its grid, its registers ("registers=16"). Throws
/// InputError, also for a size or a grid that one does not have.
std::vector<ProgramChoice> parse_programs(const std::string& text, const ProgramChoice& usual);

}  // namespace heddle::workload
