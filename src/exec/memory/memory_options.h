#pragma once

#include <cstdint>
#include <memory>

namespace heddle::exec {

/// Where the host has device memory.
enum class HostPlace : std::uint8_t {
  anywhere,
  same_address,  ///< As on the device, so that the host's part of a program can use its pointers.
};

/// What comes of a kernel's access that lies in no allocation.
enum class OutOfBounds : std::uint8_t {
  fault,
  /// What a GPU does: it has memory in pages of 2 MB, and lets pass what lies in one that holds an
  /// allocation. Such accesses are counted (exec/memory/stray_accesses.h).
  pages,
};

/// 16 GB, or a quarter of the address space that the host lets this process have (twice the
/// capacity is reserved).
std::uint64_t default_memory_capacity();

class DividedSpace;

struct MemoryOptions {
  std::uint64_t capacity = default_memory_capacity();
  HostPlace host_place = HostPlace::anywhere;
  /// Of addresses after each allocation, and before the first, that are never valid: as many as the
  /// allocation has, and this many at most. 0: allocations may touch.
  std::uint64_t gap = std::uint64_t{64} << 10;
  OutOfBounds out_of_bounds = OutOfBounds::fault;
  /// Where several programs are on one device at once: the address space that they share, and which
  /// part of it is this one's (exec/memory/divided_space.h). Null: all of it is.
  std::shared_ptr<const DividedSpace> space{};
  std::uint32_t part = 0;
};

}  // namespace heddle::exec
