#pragma once

// Describes where threads are and what they do, for messages about launches that do not end.

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

/// A memory location that threads access when they make no progress.
struct WatchedLocation {
  bool is_atomic = false;     ///< Whether an atomic, not a load or store, accesses it.
  bool is_shared = false;     ///< Whether it is in shared, not in global memory.
  std::uint64_t address = 0;  ///< The address in that memory.
  std::uint32_t bytes = 0;    ///< The size of the access.
  std::uint64_t value = 0;    ///< The bytes at the address, at most the first 8.
};

/// The status of those threads of a warp that are at the same instruction.
struct WarpStatus {
  const Block* block = nullptr;
  std::uint32_t warp = 0;  ///< The warp's number in its block.
  LaneMask lanes;          ///< Empty if the warp has not started.
  std::uint32_t pc = 0;
  std::string what{};  ///< What the threads do, as in "waiting at barrier 0".
  /// The cycle in which the threads began to do so; only with a timing model.
  std::optional<std::uint64_t> since = std::nullopt;
  /// Whether the threads wait for threads in higher entries of their reconvergence stack.
  bool is_below_others = false;
  /// What the threads read again and again; only for threads that make no progress.
  std::optional<WatchedLocation> watched = std::nullopt;
};

// Values of WarpStatus::what: for threads that run, and for threads with is_below_others.
inline constexpr std::string_view kRunning = "running";
inline constexpr std::string_view kBelowOthers = "waiting for others on the same stack";

/// Describes all threads. Threads that do the same at the same instruction share a line. The lines
/// with the most threads come first.
std::string describe(const std::vector<WarpStatus>& statuses);

/// Describes threads that have arrived at the instruction at `pc`, a barrier or a bar.warp.sync, as
/// in "waiting at barrier 0". `barrier` is the number of the barrier.
std::string waiting_at(const Launch& launch, std::uint32_t pc, std::uint32_t barrier);

/// Adds the statuses of all threads of an unfinished warp with a stack of its own. `running` says
/// what the threads of the top entry do. `since` is the cycle since which threads run or wait at a
/// barrier.
void add_statuses(const Block& block, const Warp& warp, std::string_view running,
                  std::optional<std::uint64_t> since, std::vector<WarpStatus>& statuses);
/// Adds the statuses of all threads of a block that runs without timing.
void add_statuses(const Block& block, std::vector<WarpStatus>& statuses);

/// Calls each(entry, threads) for every entry of a stack, from the top. `threads` are the entry's
/// threads that are in no higher entry; entries without such threads are left out. Threads of the
/// top entry run or have arrived at a barrier. Threads of other entries wait for the entries above
/// or have arrived.
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
