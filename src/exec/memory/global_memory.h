#pragma once

// A program's device memory: allocations of the host, the program's global and constant variables,
// arrays for textures, and the heap of malloc in kernels. It begins at kGlobalBase of the generic
// address space, or further up if several programs share the device (exec/memory/divided_space.h).
// It is one contiguous range of the host's memory, so that the distance between a device address
// and the host's address is the same everywhere.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "exec/memory/address_space.h"
#include "exec/memory/memory_options.h"
#include "exec/memory/reservation.h"
#include "exec/memory/stray_accesses.h"

namespace heddle::exec {

enum class AllocationKind : std::uint8_t {
  buffer,    ///< An allocation of the host.
  variable,  ///< A __device__ variable.
  constant,  ///< A __constant__ variable: kernels cannot store to it.
  array,     ///< The texels of an array, for textures and surfaces.
  heap,      ///< A block that malloc in a kernel returned.
};

struct AllocationOptions {
  std::string name = {};  ///< For messages; may be empty.
  AllocationKind kind = AllocationKind::buffer;
  std::uint64_t alignment = 256;  ///< A power of two, at least 256.
};

struct Allocation {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::string name;
  AllocationKind kind = AllocationKind::buffer;

  bool writable() const { return kind != AllocationKind::constant; }
};

/// The allocator of device memory. Addresses depend only on the order of the calls. Addresses that
/// were never used are taken first, in ascending order. Freed ranges are reused only when none are
/// left, the lowest first, so that uses of freed memory are detected.
class GlobalMemory {
 public:
  explicit GlobalMemory(const MemoryOptions& options = {});

  /// Allocates zeroed bytes. Throws InputError if memory is exhausted.
  std::uint64_t allocate(std::uint64_t bytes, AllocationOptions options = {});
  /// Throws InputError if `address` is not the start of a live allocation of that kind.
  void free(std::uint64_t address, AllocationKind kind = AllocationKind::buffer);

  /// Reserves memory for malloc in kernels. Kernels can access only blocks added by
  /// add_heap_block().
  std::uint64_t reserve_heap(std::uint64_t bytes);
  void add_heap_block(std::uint64_t address, std::uint64_t bytes);
  void remove_heap_block(std::uint64_t address);

  /// Accesses by the host. Each range must lie within one allocation; otherwise InputError is
  /// thrown.
  void read(std::uint64_t address, std::span<std::byte> to) const;
  void write(std::uint64_t address, std::span<const std::byte> from);
  void fill(std::uint64_t address, std::uint8_t value, std::uint64_t bytes);
  /// The ranges may overlap.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);

  /// The live allocation that contains `address`, or null.
  const Allocation* find(std::uint64_t address) const;
  /// Whether `address` was in an allocation that has been freed, and is in no live one.
  bool was_freed(std::uint64_t address) const;
  /// Describes an access of `bytes` bytes relative to the nearest allocation, as in "12 bytes past
  /// the end of 'buf' (4096 bytes at 0x1000000000)".
  std::string describe(std::uint64_t address, std::uint64_t bytes) const;

  /// Whether a kernel's access outside of all allocations is permitted (OutOfBounds::pages). If so,
  /// it is counted as a stray access of `instruction`.
  bool permits_stray(std::uint64_t address, std::uint64_t bytes, std::uint32_t instruction,
                     AccessKind kind);
  StrayAccesses& strays() { return strays_; }

  std::uint64_t capacity() const { return options_.capacity; }
  /// Whether an address belongs to this device memory, allocated or not.
  bool reserves(std::uint64_t address) const { return address - begin_ < reservation_.bytes(); }
  std::uint64_t used() const { return used_; }
  std::size_t allocation_count() const { return live_.size(); }
  /// A number that changes with every allocation and every free. Earlier lookups are then invalid.
  std::uint64_t epoch() const { return epoch_; }
  /// The location of a byte of device memory in the host's memory.
  std::byte* host(std::uint64_t address) const { return base_ + (address - kGlobalBase); }

 private:
  std::uint64_t take(std::uint64_t bytes, const AllocationOptions& options);
  std::uint64_t take_range(std::uint64_t span, std::uint64_t alignment);
  std::uint64_t gap_of(std::uint64_t span) const;
  void release_range(std::uint64_t begin, std::uint64_t end);
  void remember_freed(Allocation allocation);
  void forget_freed(std::uint64_t begin, std::uint64_t end);
  const Allocation* find_freed(std::uint64_t address) const;
  std::byte* check_host_access(std::uint64_t address, std::uint64_t bytes, const char* verb) const;

  MemoryOptions options_;
  std::uint64_t begin_;  ///< The first address of this memory.
  Reservation reservation_;
  std::byte* base_;  ///< The host's address of kGlobalBase.
  std::uint64_t used_ = 0;
  std::uint64_t epoch_ = 1;
  std::uint64_t top_;  ///< All addresses from here on were never allocated.
  std::map<std::uint64_t, Allocation> live_;
  struct Freed {
    Allocation allocation;
    std::uint64_t number = 0;  ///< The running number of this free.
  };
  std::map<std::uint64_t, Freed> freed_;
  /// The addresses of freed_, by the number of the free. The oldest entry is dropped first.
  std::map<std::uint64_t, std::uint64_t> freed_order_;
  std::uint64_t frees_ = 0;
  /// The ends of free ranges, by beginning. No two ranges are adjacent.
  std::map<std::uint64_t, std::uint64_t> free_ranges_;
  StrayAccesses strays_;
};

}  // namespace heddle::exec
