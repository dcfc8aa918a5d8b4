#pragma once

#include <cstdint>

namespace heddle::sm {

/// Banks that registers, scratchpad and L1 share (Gebhart's dissertation, section 7.3.2). They form
/// clusters. A row of 128 bytes has as many bytes in each cluster: in the bank with the row's
/// number modulo the number of banks of a cluster, which is the same bank in all clusters. A
/// register of a warp is a row, 128 bytes of the scratchpad are a row, and so is a line of the L1.
struct SharedBanks {
  static constexpr std::uint32_t kRowBytes = 128;

  std::uint32_t clusters = 8;
  /// Whether a cluster delivers bytes of several of its banks in one cycle, in sum as many as one
  /// bank has. Otherwise it delivers bytes of one bank.
  bool gathers = false;
  /// Whether accesses to one bank conflict if they are to different kinds of storage.
  bool conflicts = true;

  std::uint32_t bank_bytes() const { return kRowBytes / clusters; }
};

}  // namespace heddle::sm
