#include "exec/memory/global_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "exec/memory/divided_space.h"

namespace heddle::exec {
namespace {

/// The size of a granule, in bytes. Allocations start at granules and take whole granules: the CUDA
/// programming guide guarantees this alignment for cudaMalloc.
constexpr std::uint64_t kGranule = 256;
/// The maximum number of freed allocations that are remembered, for messages about their use.
constexpr std::size_t kMaxRememberedFrees = 1 << 16;
/// An access that begins fewer bytes than this past the end of an allocation is taken for an
/// overrun of the allocation.
constexpr std::uint64_t kOverrunLimit = 64;

/// The size of the address space, in bytes. It exceeds the capacity because of the gaps after
/// allocations, and so that fragmentation does not make a part of the memory unusable.
std::uint64_t address_space_for(const MemoryOptions& options) {
  return options.capacity * 2 + options.gap + (std::uint64_t{1} << 20);
}

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

/// The size of an allocation of `bytes` bytes, in whole granules. An empty allocation takes a
/// granule too, so that its address is unique.
constexpr std::uint64_t span_of(std::uint64_t bytes) {
  return round_up(std::max<std::uint64_t>(bytes, 1), kGranule);
}

/// The bytes of address space that an allocation occupies. A block of the heap of malloc in kernels
/// occupies only its own bytes.
std::uint64_t span_of(const Allocation& allocation) {
  return allocation.kind == AllocationKind::heap ? allocation.bytes : span_of(allocation.bytes);
}

std::string_view noun_of(AllocationKind kind) {
  switch (kind) {
    case AllocationKind::buffer:
      return "allocation";
    case AllocationKind::variable:
      return "variable";
    case AllocationKind::constant:
      return "constant variable";
    case AllocationKind::array:
      return "array";
    case AllocationKind::heap:
      return "allocation by malloc in a kernel";
  }
  return "allocation";
}

std::string describe_allocation(const Allocation& allocation, std::string_view state = "") {
  const std::string what = allocation.name.empty()
                               ? fmt::format("{}{}", state, noun_of(allocation.kind))
                               : fmt::format("{}'{}'", state, allocation.name);
  return fmt::format("{} ({} bytes at {:#x})", what, allocation.bytes, allocation.address);
}

/// Returns the options with a gap of whole granules, at most as large as the memory. Throws
/// InputError if the capacity is too large.
MemoryOptions checked(MemoryOptions options) {
  constexpr std::uint64_t kMaxCapacity = std::uint64_t{1} << 44;
  if (options.capacity > kMaxCapacity) {
    throw InputError(
        fmt::format("device memory of {} bytes is more than the largest that can be simulated, {}",
                    options.capacity, kMaxCapacity));
  }
  options.gap = round_up(std::min(options.gap, options.capacity), kGranule);
  return options;
}

Reservation reservation_for(const MemoryOptions& options) {
  if (options.space) return options.space->part(options.part, address_space_for(options));
  return Reservation(address_space_for(options),
                     options.host_place == HostPlace::same_address ? kGlobalBase : 0);
}

}  // namespace

std::shared_ptr<const DividedSpace> divided_space_for(const MemoryOptions& options,
                                                      std::uint32_t parts) {
  return std::make_shared<const DividedSpace>(parts, address_space_for(checked(options)));
}

GlobalMemory::GlobalMemory(const MemoryOptions& options)
    : options_(checked(options)),
      begin_(options_.space ? DividedSpace::begin_of(options_.part) : kGlobalBase),
      reservation_(reservation_for(options_)),
      base_(options_.space ? options_.space->base() : reservation_.base()),
      top_(begin_ + options_.gap) {}

std::uint64_t GlobalMemory::allocate(std::uint64_t bytes, AllocationOptions options) {
  const std::uint64_t address = take(bytes, options);
  forget_freed(address, address + span_of(bytes));
  live_allocations_.emplace(address,
                            Allocation{address, bytes, std::move(options.name), options.kind});
  return address;
}

std::uint64_t GlobalMemory::reserve_heap(std::uint64_t bytes) {
  return take(bytes, {.name = "the device heap", .kind = AllocationKind::heap});
}

std::uint64_t GlobalMemory::take(std::uint64_t bytes, const AllocationOptions& options) {
  const std::uint64_t bytes_left = capacity() - used_;
  if (bytes > bytes_left || span_of(bytes) > bytes_left) {
    throw InputError(fmt::format("out of device memory: {} bytes requested{}, {} of {} are free",
                                 bytes,
                                 options.name.empty() ? "" : fmt::format(" for '{}'", options.name),
                                 bytes_left, capacity()));
  }
  const std::uint64_t span = span_of(bytes);
  const std::uint64_t address = take_range(span, std::max(options.alignment, kGranule));
  reservation_.commit(address + span - begin_);
  // Stray stores, if permitted, may have written to the range before.
  if (options_.out_of_bounds == OutOfBounds::pages) {
    reservation_.discard(address - begin_, span);
  }
  used_ += span;
  ++generation_;
  return address;
}

void GlobalMemory::add_heap_block(std::uint64_t address, std::uint64_t bytes) {
  forget_freed(address, address + bytes);
  ++generation_;
  live_allocations_.emplace(address, Allocation{address, bytes, "", AllocationKind::heap});
}

void GlobalMemory::remove_heap_block(std::uint64_t address) {
  const auto block = live_allocations_.find(address);
  Allocation allocation = std::move(block->second);
  live_allocations_.erase(block);
  ++generation_;
  remember_freed(std::move(allocation));
}

std::uint64_t GlobalMemory::gap_of(std::uint64_t span) const {
  return std::min(span, options_.gap);
}

std::uint64_t GlobalMemory::take_range(std::uint64_t span, std::uint64_t alignment) {
  const std::uint64_t extent = span + gap_of(span);
  const std::uint64_t end_of_space = begin_ + reservation_.bytes();
  const std::uint64_t unused = round_up(top_, alignment);
  if (unused <= end_of_space && extent <= end_of_space - unused) {
    if (unused != top_) release_range(top_, unused);
    top_ = unused + extent;
    return unused;
  }
  for (auto range = free_ranges_.begin(); range != free_ranges_.end(); ++range) {
    const auto [begin, end] = *range;
    const std::uint64_t address = round_up(begin, alignment);
    if (address > end || extent > end - address) continue;
    free_ranges_.erase(range);
    if (begin != address) free_ranges_.emplace(begin, address);
    if (address + extent != end) free_ranges_.emplace(address + extent, end);
    return address;
  }
  throw InputError(
      fmt::format("out of device memory: {} bytes are free, but no contiguous {} bytes",
                  capacity() - used_, span));
}

void GlobalMemory::release_range(std::uint64_t begin, std::uint64_t end) {
  const auto next = free_ranges_.lower_bound(begin);
  if (next != free_ranges_.begin()) {
    const auto previous = std::prev(next);
    if (previous->second == begin) {
      begin = previous->first;
      free_ranges_.erase(previous);
    }
  }
  if (next != free_ranges_.end() && next->first == end) {
    end = next->second;
    free_ranges_.erase(next);
  }
  free_ranges_.emplace(begin, end);
}

void GlobalMemory::free(std::uint64_t address, AllocationKind kind) {
  const auto found = live_allocations_.find(address);
  if (found == live_allocations_.end()) {
    const Allocation* freed = find_freed(address);
    if (freed != nullptr && freed->address == address) {
      throw InputError(fmt::format("{:#x} is freed twice: it is freed {}", address,
                                   describe_allocation(*freed)));
    }
    throw InputError(fmt::format("{:#x} cannot be freed: it is not the start of an allocation, {}",
                                 address, describe(address, 1)));
  }
  if (found->second.kind != kind) {
    throw InputError(fmt::format("{:#x} cannot be freed as {}: it is {} {}", address, noun_of(kind),
                                 noun_of(found->second.kind), describe_allocation(found->second)));
  }
  const std::uint64_t span = span_of(found->second.bytes);
  reservation_.discard(address - begin_, span);
  used_ -= span;
  ++generation_;
  Allocation allocation = std::move(found->second);
  live_allocations_.erase(found);
  release_range(address, address + span + gap_of(span));
  remember_freed(std::move(allocation));
}

void GlobalMemory::remember_freed(Allocation allocation) {
  if (freed_allocations_.size() >= kMaxRememberedFrees) {
    freed_allocations_.erase(freed_by_number_.begin()->second);
    freed_by_number_.erase(freed_by_number_.begin());
  }
  const std::uint64_t address = allocation.address;
  freed_by_number_.emplace(free_count_, address);
  freed_allocations_.emplace(address, Freed{std::move(allocation), free_count_});
  ++free_count_;
}

void GlobalMemory::forget_freed(std::uint64_t begin, std::uint64_t end) {
  auto first = freed_allocations_.lower_bound(begin);
  if (first != freed_allocations_.begin()) {
    const auto previous = std::prev(first);
    if (previous->first + span_of(previous->second.allocation) > begin) first = previous;
  }
  while (first != freed_allocations_.end() && first->first < end) {
    freed_by_number_.erase(first->second.number);
    first = freed_allocations_.erase(first);
  }
}

const Allocation* GlobalMemory::find(std::uint64_t address) const {
  const auto next = live_allocations_.upper_bound(address);
  if (next == live_allocations_.begin()) return nullptr;
  const Allocation& allocation = std::prev(next)->second;
  return address - allocation.address < allocation.bytes ? &allocation : nullptr;
}

const Allocation* GlobalMemory::find_freed(std::uint64_t address) const {
  const auto next = freed_allocations_.upper_bound(address);
  if (next == freed_allocations_.begin()) return nullptr;
  const Allocation& allocation = std::prev(next)->second.allocation;
  return address - allocation.address < span_of(allocation) ? &allocation : nullptr;
}

bool GlobalMemory::was_freed(std::uint64_t address) const {
  return find(address) == nullptr && find_freed(address) != nullptr;
}

bool GlobalMemory::permits_stray(std::uint64_t address, std::uint64_t bytes,
                                 std::uint32_t instruction, AccessKind kind) {
  constexpr std::uint64_t kPage = std::uint64_t{2} << 20;
  if (options_.out_of_bounds != OutOfBounds::pages) return false;
  for (std::uint64_t page = address / kPage * kPage; page < address + bytes; page += kPage) {
    const auto next = live_allocations_.lower_bound(page + kPage);
    if (next == live_allocations_.begin()) return false;
    const Allocation& last = std::prev(next)->second;
    if (last.address + last.bytes <= page) return false;
  }
  if (!reservation_.is_committed(address - begin_, bytes)) return false;
  strays_.note(instruction, kind);
  return true;
}

bool GlobalMemory::permits_shared_stray(std::uint64_t offset, std::uint64_t bytes,
                                        std::uint64_t shared_bytes, std::uint32_t instruction,
                                        AccessKind kind) {
  if (options_.out_of_bounds != OutOfBounds::pages || offset + bytes <= shared_bytes) return false;
  const std::uint64_t allocated = (shared_bytes + kSharedUnit - 1) / kSharedUnit * kSharedUnit;
  if (offset + bytes > allocated) return false;
  strays_.note(instruction, kind);
  return true;
}

std::string GlobalMemory::describe(std::uint64_t address, std::uint64_t bytes) const {
  if (const Allocation* inside = find(address)) {
    const std::uint64_t bytes_left = inside->bytes - (address - inside->address);
    if (bytes > bytes_left) {
      return fmt::format("reaching {} bytes past the end of {}", bytes - bytes_left,
                         describe_allocation(*inside));
    }
    return fmt::format("{} bytes into {}", address - inside->address, describe_allocation(*inside));
  }
  const auto next = live_allocations_.upper_bound(address);
  const Allocation* before = next == live_allocations_.begin() ? nullptr : &std::prev(next)->second;
  const Allocation* after = next == live_allocations_.end() ? nullptr : &next->second;
  const std::uint64_t overrun = before == nullptr ? 0 : address - (before->address + before->bytes);
  if (const Allocation* freed = find_freed(address)) {
    const std::string what = describe_allocation(*freed, "freed ");
    // The message names the live allocation first: its overrun is the more likely cause.
    return before != nullptr && overrun < kOverrunLimit
               ? fmt::format("{} bytes past the end of {}, {} bytes into {}", overrun,
                             describe_allocation(*before), address - freed->address, what)
               : fmt::format("{} bytes into {}", address - freed->address, what);
  }
  if (before == nullptr && after == nullptr) return "no device memory is allocated";
  if (before != nullptr && (after == nullptr || overrun <= after->address - address)) {
    return fmt::format("{} bytes past the end of {}", overrun, describe_allocation(*before));
  }
  return fmt::format("{} bytes before the start of {}", after->address - address,
                     describe_allocation(*after));
}

std::byte* GlobalMemory::check_host_access(std::uint64_t address, std::uint64_t bytes,
                                           const char* verb) const {
  const Allocation* allocation = find(address);
  if (allocation == nullptr || bytes > allocation->bytes - (address - allocation->address)) {
    throw InputError(fmt::format("cannot {} {} bytes at {:#x}: {}", verb, bytes, address,
                                 describe(address, bytes)));
  }
  return host(address);
}

void GlobalMemory::read(std::uint64_t address, std::span<std::byte> to) const {
  if (to.empty()) return;
  std::memcpy(to.data(), check_host_access(address, to.size(), "read"), to.size());
}

void GlobalMemory::write(std::uint64_t address, std::span<const std::byte> from) {
  if (from.empty()) return;
  std::memcpy(check_host_access(address, from.size(), "write"), from.data(), from.size());
}

void GlobalMemory::fill(std::uint64_t address, std::uint8_t value, std::uint64_t bytes) {
  if (bytes == 0) return;
  std::byte* const to = check_host_access(address, bytes, "fill");
  if (value == 0) {
    reservation_.discard(address - begin_, bytes);
  } else {
    std::memset(to, value, bytes);
  }
}

void GlobalMemory::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  if (bytes == 0) return;
  const std::byte* const source = check_host_access(from, bytes, "read");
  std::memmove(check_host_access(to, bytes, "write"), source, bytes);
}

}  // namespace heddle::exec
