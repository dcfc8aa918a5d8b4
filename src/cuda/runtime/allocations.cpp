#include "cuda/runtime/allocations.h"

#include "base/error.h"

namespace heddle::cuda {
std::uint64_t Allocations::allocate(device::Device& device, std::uint64_t bytes, MemoryKind kind,
                                    std::uint32_t flags) {
  if (bytes == 0) return 0;
  std::uint64_t address = 0;
  try {
    address = device.allocate(bytes);
  } catch (const InputError&) {
    throw Failure{Error::memory_allocation};
  }
  if (kind != MemoryKind::device) ++shared_with_host_;
  allocations_[address] = {.bytes = bytes, .kind = kind, .flags = flags};
  return address;
}

void Allocations::free(device::Device& device, std::uint64_t address, bool is_host) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end() || (found->second.kind == MemoryKind::host) != is_host) {
    throw Failure{Error::invalid_value};
  }
  device.free(address);
  if (found->second.kind != MemoryKind::device) --shared_with_host_;
  allocations_.erase(found);
}

Allocations::Entry Allocations::find(std::uint64_t address) const {
  const auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) return {};
  const auto found = std::prev(next);
  if (address - found->first >= found->second.bytes) return {};
  return {.address = found->first, .allocation = found->second};
}

}  // namespace heddle::cuda
