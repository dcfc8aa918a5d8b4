#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "exec/memory/global_memory.h"

namespace heddle::exec {

/// The memory of malloc and free in kernels: one region of device memory, taken when it is first
/// needed, of which kernels can access the blocks that they were given and nothing between them.
/// Addresses depend on nothing but the order of the calls: the smallest free piece that is
/// large enough is used, of those the lowest.
class DeviceHeap {
 public:
  static constexpr std::uint64_t kDefaultBytes = std::uint64_t{8} << 20;
  static constexpr std::uint64_t kAlignment = 16;  ///< As the CUDA programming guide promises.
  /// Between blocks, so that to run over the end of one is not to be in the next.
  static constexpr std::uint64_t kGap = 16;

  explicit DeviceHeap(GlobalMemory& memory, std::uint64_t bytes = kDefaultBytes)
      : memory_(memory), bytes_(bytes / kAlignment * kAlignment) {}
  DeviceHeap(const DeviceHeap&) = delete;
  DeviceHeap& operator=(const DeviceHeap&) = delete;

  /// 0 for no bytes, and where there is no room.
  std::uint64_t allocate(std::uint64_t bytes);
  /// Does nothing for 0. Raises FaultKind::invalid_free for what allocate() did not return, or what
  /// was freed since.
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
  std::uint64_t base_ = 0;  ///< 0 until it is needed.
  std::uint64_t used_ = 0;
  std::map<std::uint64_t, std::uint64_t> used_blocks_;         ///< Address to bytes.
  std::map<std::uint64_t, std::uint64_t> free_pieces_;         ///< Address to bytes; no two touch.
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  ///< The same as (bytes, address).
  std::set<std::uint64_t> freed_;  ///< Blocks that were freed, until they are given out again.
};

}  // namespace heddle::exec
