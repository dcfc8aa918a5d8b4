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
    if (paused_) return;
    StrayCount& count = by_instruction_[instruction];
    ++(kind == AccessKind::load    ? count.loads
       : kind == AccessKind::store ? count.stores
                                   : count.atomics);
  }

  /// For as long as it lives nothing is noted: what is executed is not the program.
  class Pause {
   public:
    explicit Pause(StrayAccesses& strays) : strays_(strays) { strays_.paused_ = true; }
    ~Pause() { strays_.paused_ = false; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    StrayAccesses& strays_;
  };

  /// What has been noted since the last call.
  std::map<std::uint32_t, StrayCount> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(by_instruction_, {});
  }

 private:
  std::mutex mutex_;
  bool paused_ = false;
  std::map<std::uint32_t, StrayCount> by_instruction_;
};

}  // namespace heddle::exec
