#pragma once

#include <cstddef>
#include <cstdint>

#include "base/slot_table.h"
#include "exec/divergence/reconvergence_stack.h"

namespace heddle::exec {

/// The activations of functions: the calls that have not returned yet. Threads that called a
/// function together share one activation, but each of them returns on its own. The activation ends
/// when the last of these threads has returned.
class Activations {
 public:
  using Index = std::uint32_t;

  /// Adds the activation of a kernel for `threads` threads. Its depth is 1, and it has no caller.
  Index start(std::uint32_t frame_bytes, std::uint32_t threads) {
    return all_.add({.frame = {.base = 0, .top = frame_bytes}, .threads = threads});
  }
  /// Adds the activation of a function that `threads` threads of the activation `caller` have
  /// called together. `base` is the start of its frame. The threads return to `return_pc`.
  Index call(Index caller, std::uint32_t base, std::uint32_t frame_bytes, std::uint32_t return_pc,
             std::uint32_t threads) {
    return all_.add({.frame = {.base = base, .top = base + frame_bytes},
                     .threads = threads,
                     .return_pc = return_pc,
                     .caller = caller,
                     .depth = all_[caller].depth + 1});
  }
  /// Removes `threads` threads, which have returned or exited, from an activation.
  void leave(Index index, std::uint32_t threads) {
    Activation& activation = all_[index];
    activation.threads -= threads;
    if (activation.threads == 0) all_.remove(index);
  }

  CallFrame& frame(Index index) { return all_[index].frame; }
  const CallFrame& frame(Index index) const { return all_[index].frame; }
  bool is_kernel(Index index) const { return all_[index].depth == 1; }
  std::uint32_t return_pc(Index index) const { return all_[index].return_pc; }
  Index caller(Index index) const { return all_[index].caller; }
  /// The number of threads that are still in the activation.
  std::uint32_t threads(Index index) const { return all_[index].threads; }
  /// The number of activations from the kernel's to this one.
  std::size_t depth(Index index) const { return all_[index].depth; }

 private:
  struct Activation {
    CallFrame frame{};
    std::uint32_t threads = 0;  ///< The number of threads that are still in it.
    std::uint32_t return_pc = 0;
    Index caller = 0;
    std::uint32_t depth = 1;
  };

  SlotTable<Activation> all_;
};

}  // namespace heddle::exec
