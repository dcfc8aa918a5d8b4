#pragma once

// The address space of a device that several programs share. Each program has a part of its own. So
// caches never confuse the data of two programs, and accesses outside of a program's allocations
// are detected as if the program were alone. The host maps all parts in one range, so that the
// distance between a device address and the host's address is the same everywhere.

#include <cstdint>
#include <memory>

#include "exec/memory/address_space.h"
#include "exec/memory/memory_options.h"
#include "exec/memory/reservation.h"

namespace heddle::exec {

class DividedSpace {
 public:
  /// The distance between the first addresses of two parts. It is the same on every host, since
  /// timing depends on addresses.
  static constexpr std::uint64_t kStride = std::uint64_t{1} << 36;
  static constexpr std::uint64_t begin_of(std::uint32_t part) {
    return kGlobalBase + part * kStride;
  }

  /// Throws InputError if a part would exceed kStride, or if the host has too little address space.
  DividedSpace(std::uint32_t parts, std::uint64_t bytes_of_each);

  /// The host's address of kGlobalBase.
  std::byte* base() const { return whole_.base(); }
  /// One part of the space, which must outlive it.
  Reservation part(std::uint32_t part, std::uint64_t bytes) const {
    return Reservation(whole_, part * kStride, bytes);
  }

 private:
  Reservation whole_;
};

/// A space for `parts` programs whose memories have these options.
std::shared_ptr<const DividedSpace> divided_space_for(const MemoryOptions& options,
                                                      std::uint32_t parts);

}  // namespace heddle::exec
