#pragma once

#include <cstdint>
#include <memory>

namespace heddle::exec {

/// Where device memory lies in the host's address space.
enum class HostPlace : std::uint8_t {
  anywhere,
  /// At the device's own addresses, so that host code can dereference device pointers.
  same_address,
};

/// The effect of a kernel's access outside of all allocations.
enum class OutOfBounds : std::uint8_t {
  fault,
  /// As on a GPU, which manages memory in pages of 2 MB: an access to a page that contains an
  /// allocation is permitted. Such accesses are counted (exec/memory/stray_accesses.h).
  pages,
};

/// The default size of device memory, in bytes: 16 GB, or a quarter of this process's limit of
/// address space if that is less (twice the capacity is reserved).
std::uint64_t default_memory_capacity();

class DividedSpace;

struct MemoryOptions {
  std::uint64_t capacity = default_memory_capacity();  ///< In bytes.
  HostPlace host_place = HostPlace::anywhere;
  /// The maximum gap of invalid addresses after an allocation, in bytes. The gap is as large as the
  /// allocation if that is smaller. The gap before the first allocation has the maximum size. 0:
  /// allocations may be adjacent.
  std::uint64_t gap = std::uint64_t{64} << 10;
  OutOfBounds out_of_bounds = OutOfBounds::fault;
  /// If several programs share the device: the shared address space, and this program's part of it
  /// (exec/memory/divided_space.h). Null: the program has the device to itself.
  std::shared_ptr<const DividedSpace> space{};
  std::uint32_t part = 0;
};

}  // namespace heddle::exec
