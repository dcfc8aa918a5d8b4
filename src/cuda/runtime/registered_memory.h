#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cuda/runtime/error.h"
#include "device/device.h"

namespace heddle::cuda {

/// Host memory that the program registers (cudaHostRegister), for faster copies or for access by
/// kernels. A range that kernels access has a copy at another address in device memory. The copy
/// is updated before every kernel, and the host's memory after it. The program sees no difference,
/// because the host waits for each kernel.
class RegisteredMemory {
 public:
  /// Throws Failure if any part of the range is registered already.
  void add(std::uint64_t host, std::uint64_t bytes, std::uint32_t flags);
  /// Throws Failure if no range begins at the address.
  void remove(std::uint64_t host, device::Device& device);
  /// Called when the device has been reset.
  void clear();

  /// The flags of the range that contains a host address.
  std::optional<std::uint32_t> flags_at(std::uint64_t host) const;
  /// The device address for a host address in a range; kernels can access the range from then on.
  /// Throws Failure if device memory is exhausted.
  std::uint64_t device_address(std::uint64_t host, device::Device& device);
  /// The host address for a device address in a range's copy.
  std::optional<std::uint64_t> host_address(std::uint64_t device_address) const;

  /// Updates the copies in device memory before a kernel.
  void copy_to(device::Device& device);
  /// Updates the host's memory after a kernel.
  void copy_back_from(device::Device& device);

 private:
  struct Range {
    std::uint64_t bytes = 0;
    std::uint32_t flags = 0;
    std::uint64_t on_device = 0;  ///< Address of the copy; 0: kernels do not access the range.
    /// The contents before the kernel. Only bytes that the kernel has changed are copied back, as
    /// other threads of the host may have written the rest.
    std::vector<std::byte> snapshot{};
  };
  using Ranges = std::map<std::uint64_t, Range>;

  /// The range that contains a host address; end() if none does.
  Ranges::const_iterator find(std::uint64_t host) const;

  Ranges ranges_;                                     ///< By host address.
  std::map<std::uint64_t, std::uint64_t> on_device_;  ///< Host address by device address.
};

}  // namespace heddle::cuda
