#include "exec/system/device_heap.h"

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "base/error.h"
#include "exec/fault/fault.h"

namespace heddle::exec {

void DeviceHeap::set_bytes(std::uint64_t bytes) {
  if (base_ != 0)
    throw InputError("the device heap's size cannot change once a kernel has used it");
  bytes_ = bytes / kAlignment * kAlignment;
}

void DeviceHeap::add_piece(std::uint64_t address, std::uint64_t bytes) {
  free_pieces_.emplace(address, bytes);
  pieces_by_size_.emplace(bytes, address);
}

void DeviceHeap::remove_piece(std::uint64_t address, std::uint64_t bytes) {
  free_pieces_.erase(address);
  pieces_by_size_.erase({bytes, address});
}

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes) {
  if (bytes == 0 || bytes > bytes_) return 0;
  if (base_ == 0) {
    try {
      base_ = memory_.reserve_heap(bytes_);
    } catch (const InputError&) {
      return 0;  // Device memory is insufficient, so the heap has no space.
    }
    add_piece(base_, bytes_);
  }
  const std::uint64_t block_bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment + kGap;
  const auto found = pieces_by_size_.lower_bound({block_bytes, 0});
  if (found == pieces_by_size_.end()) return 0;
  const auto [piece_bytes, address] = *found;
  remove_piece(address, piece_bytes);
  if (piece_bytes > block_bytes) add_piece(address + block_bytes, piece_bytes - block_bytes);
  used_blocks_.emplace(address, block_bytes);
  memory_.add_heap_block(address, bytes);
  freed_blocks_.erase(address);
  used_ += block_bytes;
  return address;
}

void DeviceHeap::free(std::uint64_t address, int lane) {
  if (address == 0) return;
  const auto found = used_blocks_.find(address);
  if (found == used_blocks_.end()) {
    raise(FaultKind::invalid_free, lane, address, 0,
          freed_blocks_.contains(address)
              ? fmt::format("free({:#x}): the block was freed before", address)
              : fmt::format("free({:#x}): malloc in a kernel did not return this address: {}",
                            address, memory_.describe(address, 1)));
  }
  std::uint64_t begin = address;
  std::uint64_t bytes = found->second;
  used_ -= bytes;
  used_blocks_.erase(found);
  memory_.remove_heap_block(address);
  freed_blocks_.insert(address);
  const auto next = free_pieces_.lower_bound(begin);
  if (next != free_pieces_.begin()) {
    const auto [before, before_bytes] = *std::prev(next);
    if (before + before_bytes == begin) {
      remove_piece(before, before_bytes);
      begin = before;
      bytes += before_bytes;
    }
  }
  const auto after = free_pieces_.find(begin + bytes);
  if (after != free_pieces_.end()) {
    const std::uint64_t after_bytes = after->second;
    remove_piece(after->first, after_bytes);
    bytes += after_bytes;
  }
  add_piece(begin, bytes);
}

}  // namespace heddle::exec
