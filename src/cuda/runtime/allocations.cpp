#include "cuda/runtime/allocations.h"

#include "base/error.h"

namespace heddle::cuda {
namespace {

/// The entry that begins at or before an address; end() where there is none.
template <class Map>
auto at_or_before(const Map& map, std::uint64_t address) {
  const auto after = map.upper_bound(address);
  return after == map.begin() ? map.end() : std::prev(after);
}

}  // namespace

std::uint64_t Allocations::allocate(device::Device& device, std::uint64_t bytes, MemoryKind kind,
                                    std::uint32_t flags) {
  if (bytes == 0) return 0;
  std::uint64_t address = 0;
  try {
    address = device.allocate(bytes);
  } catch (const InputError&) {
    throw Failure{Error::memory_allocation};
  }
  live_[address] = {.bytes = bytes, .kind = kind, .flags = flags};
  return address;
}

void Allocations::free(device::Device& device, std::uint64_t address, bool host) {
  const auto found = live_.find(address);
  if (found == live_.end() || (found->second.kind == MemoryKind::host) != host) {
    throw Failure{Error::invalid_value};
  }
  device.free(address);
  live_.erase(found);
}

Allocations::Found Allocations::find(std::uint64_t address) const {
  const auto found = at_or_before(live_, address);
  if (found == live_.end() || address - found->first >= found->second.bytes) return {};
  return {.address = found->first, .allocation = found->second};
}

bool Allocations::is_registered(std::uint64_t address) const {
  const auto found = at_or_before(registered_, address);
  return found != registered_.end() && address - found->first < found->second;
}

void Allocations::register_host(std::uint64_t address, std::uint64_t bytes) {
  if (address == 0 || bytes == 0) throw Failure{Error::invalid_value};
  const auto last = at_or_before(registered_, address + bytes - 1);
  if (last != registered_.end() && last->first + last->second > address) {
    throw Failure{Error::already_registered};
  }
  registered_[address] = bytes;
}

void Allocations::unregister_host(std::uint64_t address) {
  if (registered_.erase(address) == 0) throw Failure{Error::not_registered};
}

}  // namespace heddle::cuda
