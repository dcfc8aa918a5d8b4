#pragma once

// A program's device memory: what the host allocates, the program's global and constant variables,
// arrays for textures, and the heap of malloc in kernels. It begins at kGlobalBase of the generic
// address space, or further up where programs share that (exec/memory/divided_space.h), and is one
// contiguous range of the host's, so that the distance between a device address and the host's is
// the same everywhere.

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
  buffer,    ///< What the host allocates.
  variable,  ///< A __device__ variable.
  constant,  ///< A __constant__ variable: kernels cannot store to it.
  array,     ///< The texels of an array, for textures and surfaces.
  heap,      ///< What malloc in a kernel returned.
};

struct AllocationOptions {
  std::string name = {};  ///< For messages; may be empty.
  AllocationKind kind = AllocationKind::buffer;
  std::uint64_t alignment = 256;  ///< A power of two; 256 is the least.
};

struct Allocation {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::string name;
  AllocationKind kind = AllocationKind::buffer;

  bool writable() const { return kind != AllocationKind::constant; }
};

/// Addresses depend on nothing but the order of the calls: fresh ones, upwards, while there are
/// any; only then the lowest that were freed, so that what uses freed memory is found out.
class GlobalMemory {
 public:
  explicit GlobalMemory(const MemoryOptions& options = {});

  /// The bytes are zero. Throws InputError where there is no room.
  std::uint64_t allocate(std::uint64_t bytes, AllocationOptions options = {});
  /// Throws InputError for what is not the start of a live allocation of that kind.
  void free(std::uint64_t address, AllocationKind kind = AllocationKind::buffer);

  /// Room for malloc in kernels: kernels cannot access it but for the blocks of it that are lent.
  std::uint64_t reserve_heap(std::uint64_t bytes);
  void lend_block(std::uint64_t address, std::uint64_t bytes);
  void take_block_back(std::uint64_t address);

  /// What the host reads and writes; each must lie within one allocation, or InputError is thrown.
  void read(std::uint64_t address, std::span<std::byte> to) const;
  void write(std::uint64_t address, std::span<const std::byte> from);
  void fill(std::uint64_t address, std::uint8_t value, std::uint64_t bytes);
  /// The ranges may overlap.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);

  /// The live allocation that `address` lies in, or null.
  const Allocation* find(std::uint64_t address) const;
  /// True where an allocation that was freed held `address`, and none holds it now.
  bool was_freed(std::uint64_t address) const;
  /// How an access of `bytes` bytes relates to the nearest allocation, as in "12 bytes past the end
  /// of 'buf' (4096 bytes at 0x1000000000)".
  std::string describe(std::uint64_t address, std::uint64_t bytes) const;

  /// Whether a kernel may access bytes that lie in no allocation; `instruction` is then noted.
  bool lets_pass(std::uint64_t address, std::uint64_t bytes, std::uint32_t instruction,
                 AccessKind kind);
  StrayAccesses& strays() { return strays_; }

  std::uint64_t capacity() const { return options_.capacity; }
  /// Whether an address is one of device memory, allocated or not.
  bool reserves(std::uint64_t address) const { return address - begin_ < reservation_.bytes(); }
  std::uint64_t used() const { return used_; }
  std::size_t allocation_count() const { return live_.size(); }
  /// Changes with every allocation and every free: what was found out before holds no longer.
  std::uint64_t epoch() const { return epoch_; }
  /// The host's copy of a byte of device memory.
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
  std::uint64_t begin_;  ///< Its first address.
  Reservation reservation_;
  std::byte* base_;  ///< Where the host has kGlobalBase.
  std::uint64_t used_ = 0;
  std::uint64_t epoch_ = 1;
  std::uint64_t top_;  ///< Where the addresses begin that were never given out.
  std::map<std::uint64_t, Allocation> live_;
  struct Freed {
    Allocation allocation;
    std::uint64_t number = 0;  ///< Of all frees.
  };
  std::map<std::uint64_t, Freed> freed_;
  std::map<std::uint64_t, std::uint64_t>
      freed_order_;  ///< Number to address: the oldest is forgotten first.
  std::uint64_t frees_ = 0;
  std::map<std::uint64_t, std::uint64_t> free_ranges_;  ///< Begin to end; no two touch.
  StrayAccesses strays_;
};

}  // namespace heddle::exec
