#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace heddle::exec {

enum class AccessKind : std::uint8_t { load, store, atomic };

/// Lanes' accesses outside of every allocation that were let pass, by what they did.
struct StrayCount {
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t atomics = 0;

  StrayCount& operator+=(const StrayCount& other) {
    loads += other.loads;
    stores += other.stores;
    atomics += other.atomics;
    return *this;
  }
};

/// Those of a launch, by the instruction that made them. Multiprocessors note theirs at once.
class StrayAccesses {
 public:
  void note(std::uint32_t instruction, AccessKind kind) {
    const std::scoped_lock lock(mutex_);
    StrayCount& count = by_instruction_[instruction];
    ++(kind == AccessKind::load    ? count.loads
       : kind == AccessKind::store ? count.stores
                                   : count.atomics);
  }

  /// What has been noted since the last call.
  std::map<std::uint32_t, StrayCount> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(by_instruction_, {});
  }

 private:
  std::mutex mutex_;
  std::map<std::uint32_t, StrayCount> by_instruction_;
};

}  // namespace heddle::exec
