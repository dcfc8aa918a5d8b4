#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "exec/memory/global_memory.h"

namespace heddle::exec {

/// The heap of malloc and free in kernels: one region of device memory, reserved at first use.
/// Kernels can access allocated blocks only, and nothing between them. Addresses depend only on the
/// order of the calls. allocate() uses the smallest free piece that is large enough and, among
/// pieces of the same size, the lowest one.
class DeviceHeap {
 public:
  /// The default size of the heap, as in CUDA.
  static constexpr std::uint64_t kDefaultBytes = std::uint64_t{8} << 20;
  /// The alignment of blocks in bytes, as the CUDA programming guide guarantees.
  static constexpr std::uint64_t kAlignment = 16;
  /// The number of bytes after each block that belong to no block. An overrun of up to so many
  /// bytes does not reach the next block.
  static constexpr std::uint64_t kGap = 16;

  explicit DeviceHeap(GlobalMemory& memory, std::uint64_t bytes = kDefaultBytes)
      : memory_(memory), bytes_(bytes / kAlignment * kAlignment) {}
  DeviceHeap(const DeviceHeap&) = delete;
  DeviceHeap& operator=(const DeviceHeap&) = delete;

  /// Allocates a block, and returns its address. Returns 0 if `bytes` is 0 or the heap is
  /// exhausted.
  std::uint64_t allocate(std::uint64_t bytes);
  /// Frees the block at `address`; does nothing if `address` is 0. Raises FaultKind::invalid_free,
  /// for the thread in `lane`, if there is no allocated block at `address`.
  void free(std::uint64_t address, int lane);

  /// Sets the size of the heap. Throws InputError if a kernel has already used the heap.
  void set_bytes(std::uint64_t bytes);
  std::uint64_t bytes() const { return bytes_; }
  /// The bytes of all allocated blocks, with the gaps after them.
  std::uint64_t used() const { return used_; }

 private:
  void add_piece(std::uint64_t address, std::uint64_t bytes);
  void remove_piece(std::uint64_t address, std::uint64_t bytes);

  GlobalMemory& memory_;
  std::uint64_t bytes_;
  std::uint64_t base_ = 0;  ///< The heap's address; 0 until first use.
  std::uint64_t used_ = 0;
  /// The sizes of allocated blocks with their gaps, in bytes, by address.
  std::map<std::uint64_t, std::uint64_t> used_blocks_;
  /// The sizes of free pieces, in bytes, by address. No two pieces are adjacent.
  std::map<std::uint64_t, std::uint64_t> free_pieces_;
  /// The free pieces as pairs (bytes, address).
  std::set<std::pair<std::uint64_t, std::uint64_t>> pieces_by_size_;
  /// The addresses of freed blocks at which no block has been allocated since.
  std::set<std::uint64_t> freed_blocks_;
};

}  // namespace heddle::exec
