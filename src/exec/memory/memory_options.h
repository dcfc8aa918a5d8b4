#pragma once

#include <cstdint>
#include <memory>

namespace heddle::exec {

/// The place of device memory in the host's address space.
enum class HostPlace : std::uint8_t {
  anywhere,
  /// At the device's own addresses, so that host code can dereference device pointers.
  same_address,
};

/// The effect of a kernel's access outside of all allocations.
enum class OutOfBounds : std::uint8_t {
  fault,  ///< The launch stops with a fault.
  /// As on a GPU, which manages device memory in pages of 2 MiB and a block's shared memory in
  /// units of kSharedUnit: an access to a page that contains an allocation, or to the block's last
  /// unit, is permitted. Such accesses are counted (exec/memory/stray_accesses.h).
  pages,
};

/// GPUs since sm_80 give a block shared memory in units of this many bytes.
inline constexpr std::uint64_t kSharedUnit = 128;

/// The default size of device memory, in bytes: 16 GiB. If a quarter of this process's limit on
/// address space is less, it is that quarter, rounded down to whole MiB and at least 1 MiB. (Twice
/// the size is reserved.)
std::uint64_t default_memory_capacity();

class DividedSpace;

struct MemoryOptions {
  std::uint64_t capacity = default_memory_capacity();  ///< In bytes.
  HostPlace host_place = HostPlace::anywhere;
  /// The maximum size of the gap, a range of invalid addresses, after each allocation, in bytes.
  /// The gap is smaller if the allocation is: it is then as large as the allocation. The gap before
  /// the first allocation always has the maximum size. 0: there are no gaps.
  std::uint64_t gap = std::uint64_t{64} << 10;
  OutOfBounds out_of_bounds = OutOfBounds::fault;
  /// The address space that several programs share (exec/memory/divided_space.h). Null: the program
  /// has the device to itself.
  std::shared_ptr<const DividedSpace> space{};
  std::uint32_t part = 0;  ///< The number of this program's part of `space`.
};

}  // namespace heddle::exec
