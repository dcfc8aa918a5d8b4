#pragma once

// The positions and states of threads, for messages about launches that do not end.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/lane_mask.h"
#include "exec/divergence/reconvergence_stack.h"

namespace heddle::exec {

class Block;
struct Launch;
struct Warp;

/// Threads of a warp that are at the same instruction.
struct WarpStatus {
  const Block* block = nullptr;
  std::uint32_t warp = 0;
  LaneMask lanes;  ///< Empty if the warp has not started.
  std::uint32_t pc = 0;
  std::string what{};  ///< What they do, as in "waiting at barrier 0".
  /// The cycle since which they do so; only with a timing model.
  std::optional<std::uint64_t> since = std::nullopt;
  /// Whether they wait for threads in higher entries of their reconvergence stack.
  bool is_below_others = false;
};

// Values of WarpStatus::what: for threads that run, and for those with is_below_others.
inline constexpr std::string_view kRunning = "running";
inline constexpr std::string_view kBelowOthers = "waiting for others on the same stack";

/// Describes all threads. Threads that do the same share a line. Lines are sorted by their number
/// of threads, the highest first.
std::string describe(const std::vector<WarpStatus>& statuses);

/// Describes threads that have arrived at the instruction at `pc`, as in "waiting at barrier 0".
std::string waiting_at(const Launch& launch, std::uint32_t pc, std::uint32_t barrier);

/// Adds all threads of an unfinished warp with a stack of its own. `running` describes the threads
/// of the top entry; `since` is the cycle since which threads run or wait at a barrier.
void add_statuses(const Block& block, const Warp& warp, std::string_view running,
                  std::optional<std::uint64_t> since, std::vector<WarpStatus>& statuses);
/// Adds all threads of a block that runs functionally.
void add_statuses(const Block& block, std::vector<WarpStatus>& statuses);

/// Calls each(entry, threads) for every entry of a stack, from the top, with the threads that are
/// not in an entry further up. Threads of the top entry run or have arrived; others wait for the
/// entries above or have arrived.
template <class Threads, class Each>
void for_each_place(const BasicReconvergenceStack<Threads>& stack, Each each) {
  Threads above{};
  for (std::size_t i = stack.entries().size(); i-- > 0;) {
    const auto& entry = stack.entries()[i];
    const Threads here = entry.mask.without(above);
    above = above | entry.mask;
    if (!here.empty()) each(entry, here);
  }
}

}  // namespace heddle::exec
