#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cuda/runtime/error.h"
#include "device/device.h"

namespace heddle::cuda {

/// Ranges of host memory that the program registers (cudaHostRegister), for faster copies or for
/// access by kernels. A range that kernels access has a copy at another address in device memory.
/// The copy is updated before every kernel, and the host's memory after every kernel. The program
/// sees no difference, because the host waits for each kernel.
class RegisteredMemory {
 public:
  /// Registers a range. Throws Failure if any part of it is registered already.
  void add(std::uint64_t host, std::uint64_t bytes, std::uint32_t flags);
  /// Unregisters the range that begins at a host address. Throws Failure if none does.
  void remove(std::uint64_t host, device::Device& device);
  /// Unregisters all ranges. Called when the device has been reset.
  void clear();

  /// The flags of the range that contains a host address; nothing if none does.
  std::optional<std::uint32_t> flags_at(std::uint64_t host) const;
  /// The address in the copy for a host address. Allocates the copy if the range has none yet.
  /// Throws Failure if no range contains the address, or if device memory is exhausted.
  std::uint64_t device_address(std::uint64_t host, device::Device& device);
  /// The host address for a device address in a range's copy; nothing if it is in no copy.
  std::optional<std::uint64_t> host_address(std::uint64_t device_address) const;

  /// Updates the copies in device memory before a kernel.
  void copy_to(device::Device& device);
  /// Updates the host's memory after a kernel.
  void copy_back_from(device::Device& device);

 private:
  struct Range {
    std::uint64_t bytes = 0;
    std::uint32_t flags = 0;
    std::uint64_t copy_address = 0;  ///< 0: there is no copy; kernels do not access the range.
    /// The contents before the kernel. Only bytes that the kernel has changed are copied back,
    /// because other host threads may have written the rest.
    std::vector<std::byte> snapshot{};
  };
  using Ranges = std::map<std::uint64_t, Range>;

  /// The range that contains a host address; end() if none does.
  Ranges::const_iterator find(std::uint64_t host) const;

  Ranges ranges_;                                          ///< By host address.
  std::map<std::uint64_t, std::uint64_t> host_addresses_;  ///< Of ranges, by address of the copy.
};

}  // namespace heddle::cuda
