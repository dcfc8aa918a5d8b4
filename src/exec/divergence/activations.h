#pragma once

#include <cstddef>
#include <cstdint>

#include "base/slot_table.h"
#include "exec/divergence/reconvergence_stack.h"

namespace heddle::exec {

/// The calls that have not returned, of threads that return individually. Threads that called a
/// function together share one activation until the last of these threads has returned.
class Activations {
 public:
  using Index = std::uint32_t;

  /// Adds the activation of a kernel, which no thread returns from, for `threads` threads.
  Index start(std::uint32_t frame_bytes, std::uint32_t threads) {
    return all_.add({.frame = {.base = 0, .top = frame_bytes}, .threads = threads});
  }
  /// Adds the activation of a function that `threads` threads of `caller` have called together.
  Index call(Index caller, std::uint32_t base, std::uint32_t frame_bytes, std::uint32_t return_pc,
             std::uint32_t threads) {
    return all_.add({.frame = {.base = base, .top = base + frame_bytes},
                     .threads = threads,
                     .return_pc = return_pc,
                     .caller = caller,
                     .depth = all_[caller].depth + 1});
  }
  /// Removes `threads` threads that have returned or exited.
  void leave(Index index, std::uint32_t threads) {
    Activation& left = all_[index];
    left.threads -= threads;
    if (left.threads == 0) all_.remove(index);
  }

  CallFrame& frame(Index index) { return all_[index].frame; }
  const CallFrame& frame(Index index) const { return all_[index].frame; }
  bool is_kernel(Index index) const { return all_[index].depth == 1; }
  std::uint32_t return_pc(Index index) const { return all_[index].return_pc; }
  Index caller(Index index) const { return all_[index].caller; }
  std::uint32_t threads(Index index) const { return all_[index].threads; }
  std::size_t depth(Index index) const { return all_[index].depth; }

 private:
  struct Activation {
    CallFrame frame{};
    std::uint32_t threads = 0;
    std::uint32_t return_pc = 0;
    Index caller = 0;
    std::uint32_t depth = 1;
  };

  SlotTable<Activation> all_;
};

}  // namespace heddle::exec
