#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "exec/memory/global_memory.h"

namespace heddle::exec {

/// The heap of malloc and free in kernels: one region of device memory, reserved at first use.
/// Kernels can access allocated blocks only, and nothing between them. Addresses depend only on the
/// order of the calls: allocate() uses the smallest free range that is large enough; among several
/// of the same size, the lowest.
class DeviceHeap {
 public:
  static constexpr std::uint64_t kDefaultBytes = std::uint64_t{8} << 20;
  static constexpr std::uint64_t kAlignment = 16;  ///< As the CUDA programming guide guarantees.
  /// The gap between blocks, so that an overrun of one does not reach the next.
  static constexpr std::uint64_t kGap = 16;

  explicit DeviceHeap(GlobalMemory& memory, std::uint64_t bytes = kDefaultBytes)
      : memory_(memory), bytes_(bytes / kAlignment * kAlignment) {}
  DeviceHeap(const DeviceHeap&) = delete;
  DeviceHeap& operator=(const DeviceHeap&) = delete;

  /// Returns 0 for 0 bytes, and if the heap is exhausted.
  std::uint64_t allocate(std::uint64_t bytes);
  /// Does nothing for 0. Raises FaultKind::invalid_free if `address` is not an allocated block.
  void free(std::uint64_t address, int lane);

  /// Throws InputError once a kernel has used the heap.
  void set_bytes(std::uint64_t bytes);
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t used() const { return used_; }

 private:
  void add_piece(std::uint64_t address, std::uint64_t bytes);
  void remove_piece(std::uint64_t address, std::uint64_t bytes);

  GlobalMemory& memory_;
  std::uint64_t bytes_;
  std::uint64_t base_ = 0;  ///< 0 until first use.
  std::uint64_t used_ = 0;
  std::map<std::uint64_t, std::uint64_t> used_blocks_;  ///< Sizes in bytes, by address.
  /// Sizes in bytes, by address. No two pieces are adjacent.
  std::map<std::uint64_t, std::uint64_t> free_pieces_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  ///< Free pieces: (bytes, address).
  std::set<std::uint64_t> freed_;  ///< Freed blocks that have not been allocated again.
};

}  // namespace heddle::exec
