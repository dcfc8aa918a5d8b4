#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "exec/observation/access_observer.h"

namespace heddle::sm {

/// The accesses to global memory that the warps of a multiprocessor make in an epoch. The chip
/// forwards them to the observers of the launches between epochs, because observers take the
/// accesses of all multiprocessors one after another.
class AccessLog final : public exec::AccessObserver {
 public:
  /// `now`: the cycle of the multiprocessor, which must outlive the log.
  explicit AccessLog(const Cycle& now) : now_(now) {}

  void access(const exec::ObservedAccess& access) override {
    entries_.push_back({.at = now_, .access = access, .addresses = *access.addresses});
  }
  void end_warp(const exec::ObservedWarp& warp) override {
    entries_.push_back({.at = now_, .access = {.warp = warp, .lanes = {}}});
  }

  /// What a warp has done in a cycle.
  struct Entry {
    Cycle at;
    exec::ObservedAccess access;  ///< Without lanes: the warp has ended.
    std::array<std::uint64_t, 32> addresses{};

    /// Reports the entry to the observer of the launch.
    void forward() const;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  void clear() { entries_.clear(); }

 private:
  const Cycle& now_;
  std::vector<Entry> entries_;
};

}  // namespace heddle::sm
