#pragma once

// GlobalMemory is a program's device memory. It contains allocations of the host, the program's
// global and constant variables, arrays for textures, and the heap of malloc in kernels. It begins
// at the generic address kGlobalBase or, if several programs share the device, at a higher address
// (exec/memory/divided_space.h). It is one contiguous range of the host's address space, so that
// the distance between a device address and its host address is the same everywhere.

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

/// An allocation in device memory.
struct Allocation {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::string name;
  AllocationKind kind = AllocationKind::buffer;

  /// Whether kernels may store to it.
  bool is_writable() const { return kind != AllocationKind::constant; }
};

/// Device memory and its allocator. The addresses of allocations depend only on the sequence of
/// calls. Addresses that were never used are taken first, in ascending order. Freed ranges are
/// reused, the lowest first, only when no unused addresses are left. Uses of freed memory are then
/// detected for as long as possible.
class GlobalMemory {
 public:
  explicit GlobalMemory(const MemoryOptions& options = {});

  /// Allocates zeroed bytes, and returns their address. Throws InputError if memory is exhausted.
  std::uint64_t allocate(std::uint64_t bytes, AllocationOptions options = {});
  /// Frees an allocation. Throws InputError if `address` is not the start of a live allocation of
  /// that kind.
  void free(std::uint64_t address, AllocationKind kind = AllocationKind::buffer);

  /// Reserves memory for the heap of malloc in kernels, and returns its address. Kernels can access
  /// only those parts of it that add_heap_block() has added. Throws InputError if memory is
  /// exhausted.
  std::uint64_t reserve_heap(std::uint64_t bytes);
  void add_heap_block(std::uint64_t address, std::uint64_t bytes);
  void remove_heap_block(std::uint64_t address);

  // Accesses by the host. Each range must lie within one live allocation; otherwise InputError is
  // thrown.
  void read(std::uint64_t address, std::span<std::byte> to) const;
  void write(std::uint64_t address, std::span<const std::byte> from);
  void fill(std::uint64_t address, std::uint8_t value, std::uint64_t bytes);
  /// The ranges may overlap.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);

  /// The live allocation that contains `address`; null if there is none.
  const Allocation* find(std::uint64_t address) const;
  /// Whether `address` is in no live allocation, but was in one that has been freed.
  bool was_freed(std::uint64_t address) const;
  /// Describes an access of `bytes` bytes relative to the nearest allocation, as in "12 bytes past
  /// the end of 'buf' (4096 bytes at 0x1000000000)".
  std::string describe(std::uint64_t address, std::uint64_t bytes) const;

  /// Whether a kernel's access outside of all allocations is permitted (OutOfBounds::pages). If it
  /// is, counts it as a stray access of the instruction at program counter `instruction`.
  bool permits_stray(std::uint64_t address, std::uint64_t bytes, std::uint32_t instruction,
                     AccessKind kind);
  /// Likewise for an access to shared memory, at an offset in the shared memory of a block that has
  /// `shared_bytes` bytes of it.
  bool permits_shared_stray(std::uint64_t offset, std::uint64_t bytes, std::uint64_t shared_bytes,
                            std::uint32_t instruction, AccessKind kind);
  StrayAccesses& strays() { return strays_; }

  /// The size of device memory, in bytes.
  std::uint64_t capacity() const { return options_.capacity; }
  /// Whether the address belongs to this program's device memory, allocated or not.
  bool reserves(std::uint64_t address) const { return address - begin_ < reservation_.bytes(); }
  /// The bytes in use, in whole granules of 256 bytes.
  std::uint64_t used() const { return used_; }
  std::size_t allocation_count() const { return live_allocations_.size(); }
  /// A number that changes with every allocation and every free. Results of find() are valid only
  /// as long as it has not changed.
  std::uint64_t generation() const { return generation_; }
  /// The location of a byte of device memory in the host's memory.
  std::byte* host(std::uint64_t address) const { return base_ + (address - kGlobalBase); }

 private:
  /// Takes memory from the capacity and from the address space. Throws InputError if there is too
  /// little.
  std::uint64_t take(std::uint64_t bytes, const AllocationOptions& options);
  std::uint64_t take_range(std::uint64_t span, std::uint64_t alignment);
  /// The size of the gap after an allocation that occupies `span` bytes.
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
  std::uint64_t generation_ = 1;
  std::uint64_t top_;  ///< Neither this address nor a higher one was ever allocated.
  std::map<std::uint64_t, Allocation> live_allocations_;  ///< By address.
  struct Freed {
    Allocation allocation;
    std::uint64_t number = 0;  ///< The number of frees before this one.
  };
  std::map<std::uint64_t, Freed> freed_allocations_;  ///< By address.
  /// The addresses of freed allocations, by Freed::number. The oldest is forgotten first.
  std::map<std::uint64_t, std::uint64_t> freed_by_number_;
  std::uint64_t free_count_ = 0;
  /// The end addresses of the free ranges, by start address. No two ranges are adjacent.
  std::map<std::uint64_t, std::uint64_t> free_ranges_;
  StrayAccesses strays_;
};

}  // namespace heddle::exec
