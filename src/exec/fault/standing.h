#pragma once

// Where threads are and what they do there, for messages about launches that do not end.

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
struct Standing {
  const Block* block = nullptr;
  std::uint32_t warp = 0;
  LaneMask lanes;  ///< None, where the warp has not started.
  std::uint32_t pc = 0;
  std::string what{};                                 ///< "waiting at barrier 0"
  std::optional<std::uint64_t> since = std::nullopt;  ///< A cycle, where there is time.
  bool is_below_others = false;                       ///< On a stack: it waits for those above.
};

// What threads do that run, and that wait for those above them on their stack.
inline constexpr std::string_view kRunning = "running";
inline constexpr std::string_view kBelowOthers = "waiting for others on the same stack";

/// A line for those that are alike, wherever they are; of many lines the ones with most threads.
std::string describe(const std::vector<Standing>& standings);

/// "waiting at barrier 0": what threads do that have arrived at the instruction at `pc`.
std::string waiting_at(const Launch& launch, std::uint32_t pc, std::uint32_t barrier);

/// Adds all threads of a warp that has not finished and moves by its own stack; `running` is what
/// those do that are about to execute, or wait at a barrier, since `since`.
void add_standings(const Block& block, const Warp& warp, std::string_view running,
                   std::optional<std::uint64_t> since, std::vector<Standing>& standings);
/// Adds those of a block that runs without time.
void add_standings(const Block& block, std::vector<Standing>& standings);

/// each(entry, threads) for each entry of a stack, from the top, and the threads that are there and
/// not further up: those of the top entry run, or have arrived; others wait for those above them,
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
