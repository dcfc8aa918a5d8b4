#include "cuda/runtime/registered_memory.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace heddle::cuda {
namespace {

/// The number of bytes compared at a time.
constexpr std::size_t kChunkBytes = 4096;

std::byte* pointer_to(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

/// Copies the bytes of `now` that differ from `before`.
void copy_changes(std::byte* to, const std::byte* now, const std::byte* before, std::size_t bytes) {
  for (std::size_t begin = 0; begin < bytes; begin += kChunkBytes) {
    const std::size_t end = std::min(begin + kChunkBytes, bytes);
    if (std::memcmp(now + begin, before + begin, end - begin) == 0) continue;
    for (std::size_t i = begin; i < end; ++i) {
      if (now[i] != before[i]) to[i] = now[i];
    }
  }
}

}  // namespace

void RegisteredMemory::add(std::uint64_t host, std::uint64_t bytes, std::uint32_t flags) {
  if (host == 0 || bytes == 0 || bytes > ~host) throw Failure{Error::invalid_value};
  const auto next = ranges_.lower_bound(host + bytes);
  if (next != ranges_.begin()) {
    const auto last = std::prev(next);
    if (last->first + last->second.bytes > host) throw Failure{Error::already_registered};
  }
  ranges_[host] = {.bytes = bytes, .flags = flags};
}

void RegisteredMemory::remove(std::uint64_t host, device::Device& device) {
  const auto found = ranges_.find(host);
  if (found == ranges_.end()) throw Failure{Error::not_registered};
  if (const std::uint64_t address = found->second.copy_address; address != 0) {
    host_addresses_.erase(address);
    device.free(address);
  }
  ranges_.erase(found);
}

void RegisteredMemory::clear() {
  ranges_.clear();
  host_addresses_.clear();
}

RegisteredMemory::Ranges::const_iterator RegisteredMemory::find(std::uint64_t host) const {
  const auto next = ranges_.upper_bound(host);
  if (next == ranges_.begin()) return ranges_.end();
  const auto found = std::prev(next);
  return host - found->first < found->second.bytes ? found : ranges_.end();
}

std::optional<std::uint32_t> RegisteredMemory::flags_at(std::uint64_t host) const {
  const auto found = find(host);
  if (found == ranges_.end()) return std::nullopt;
  return found->second.flags;
}

std::uint64_t RegisteredMemory::device_address(std::uint64_t host, device::Device& device) {
  const auto found = find(host);
  if (found == ranges_.end()) throw Failure{Error::invalid_value};
  Range& range = ranges_.at(found->first);
  if (range.copy_address == 0) {
    try {
      range.copy_address = device.allocate(range.bytes);
    } catch (const InputError&) {
      throw Failure{Error::memory_allocation};
    }
    host_addresses_[range.copy_address] = found->first;
  }
  return range.copy_address + (host - found->first);
}

std::optional<std::uint64_t> RegisteredMemory::host_address(std::uint64_t device_address) const {
  const auto next = host_addresses_.upper_bound(device_address);
  if (next == host_addresses_.begin()) return std::nullopt;
  const auto& [begin, host] = *std::prev(next);
  if (device_address - begin >= ranges_.at(host).bytes) return std::nullopt;
  return host + (device_address - begin);
}

void RegisteredMemory::copy_to(device::Device& device) {
  for (const auto& [address, host] : host_addresses_) {
    Range& range = ranges_.at(host);
    range.snapshot.assign(pointer_to(host), pointer_to(host) + range.bytes);
    std::memcpy(device.memory().host(address), range.snapshot.data(), range.bytes);
  }
}

void RegisteredMemory::copy_back_from(device::Device& device) {
  for (const auto& [address, host] : host_addresses_) {
    const Range& range = ranges_.at(host);
    copy_changes(pointer_to(host), device.memory().host(address), range.snapshot.data(),
                 range.bytes);
  }
}

}  // namespace heddle::cuda
