#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/barrier.h"
#include "exec/launch.h"
#include "exec/row.h"
#include "exec/warp.h"

namespace heddle::exec {

/// One running block of a launch: its warps, their registers, its memories and barriers. It is made
/// once and started for one block after another.
class Block {
 public:
  explicit Block(const Launch& launch);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  void start(std::uint64_t index);
  /// Runs for at most `budget` warp instructions, warp after warp, and returns how many it took.
  /// Throws SimulatedFault.
  std::uint64_t run(std::uint64_t budget);

  bool finished() const { return running_warps_ == 0; }
  std::uint64_t index() const { return index_; }
  std::uint64_t warp_instructions() const;
  std::uint64_t thread_instructions() const;
  const Launch& launch() const { return launch_; }
  const std::vector<Warp>& warps() const { return warps_; }
  const std::array<Barrier, kBarriers>& barriers() const { return barriers_; }
  /// The threads of the warps that still run: what a barrier without a count waits for.
  std::uint32_t running_threads() const { return running_warps_ * 32; }

  /// Executes a `barrier` instruction for the active lanes of a warp's top entry (barrier.cpp).
  void arrive_at_barrier(Warp& warp, const Decoded& decoded);

 private:
  void release_barrier(std::uint32_t id);
  void run_warp(Warp& warp, std::uint64_t budget);
  void finish_warp(Warp& warp);

  const Launch& launch_;
  std::uint64_t index_ = 0;
  std::uint32_t running_warps_ = 0;
  std::vector<Warp> warps_;
  std::vector<Row> registers_;
  std::vector<std::uint32_t> predicates_;
  std::vector<Row> local_;
  std::vector<Row> shared_;  ///< Rows for their alignment; shared memory is bytes.
  std::array<Barrier, kBarriers> barriers_{};
};

}  // namespace heddle::exec
