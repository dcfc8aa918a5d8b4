#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cuda/runtime/error.h"
#include "device/device.h"

namespace heddle::cuda {

/// Memory of the program's own that it registers, to be copied faster or to be reached by kernels.
/// For those it has another address on the device, with memory there that is made equal to the
/// host's before every kernel, and the host's to it afterwards: that makes no difference, as
/// kernels run while the host waits for them.
class RegisteredMemory {
 public:
  /// Throws Failure for what is registered already, in part or whole.
  void add(std::uint64_t host, std::uint64_t bytes, std::uint32_t flags);
  /// Throws Failure for what is no range's start.
  void remove(std::uint64_t host, device::Device& device);
  /// The device, with all that it has, is gone.
  void clear();

  /// The flags of the range that an address of the host lies in.
  std::optional<std::uint32_t> flags_at(std::uint64_t host) const;
  /// Of an address of the host in a range, which kernels may reach from now on. Throws Failure
  /// where there is no room.
  std::uint64_t device_address(std::uint64_t host, device::Device& device);
  /// The host's address of what kernels reach at one of the device's.
  std::optional<std::uint64_t> host_address(std::uint64_t device_address) const;

  /// Before a kernel, and after it.
  void give_to(device::Device& device);
  void take_from(device::Device& device);

 private:
  struct Range {
    std::uint64_t bytes = 0;
    std::uint32_t flags = 0;
    std::uint64_t on_device = 0;  ///< 0: no kernel has asked for it.
    /// What the kernel was given. What it did not change may have been written by the host's other
    /// threads since.
    std::vector<std::byte> given{};
  };
  using Ranges = std::map<std::uint64_t, Range>;

  /// The range that an address of the host lies in; end() where there is none.
  Ranges::const_iterator find(std::uint64_t host) const;

  Ranges ranges_;                                     ///< By the host's address.
  std::map<std::uint64_t, std::uint64_t> on_device_;  ///< The host's address by the device's.
};

}  // namespace heddle::cuda
