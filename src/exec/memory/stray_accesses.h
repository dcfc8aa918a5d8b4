#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace heddle::exec {

enum class AccessKind : std::uint8_t { load, store, atomic };

/// The numbers of stray accesses, counted by lane. A stray access is a permitted access outside of
/// all allocations, or outside of the block's shared memory (OutOfBounds::pages).
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

/// Counts stray accesses by instruction. Several host threads may call note() concurrently.
class StrayAccesses {
 public:
  /// Counts an access of one lane. `instruction` is the program counter.
  void note(std::uint32_t instruction, AccessKind kind) {
    const std::scoped_lock lock(mutex_);
    if (paused_) return;
    StrayCount& count = by_instruction_[instruction];
    ++(kind == AccessKind::load    ? count.loads
       : kind == AccessKind::store ? count.stores
                                   : count.atomics);
  }

  /// Suspends counting while it exists, for code that executes copies of the program's threads.
  class Pause {
   public:
    explicit Pause(StrayAccesses& strays) : strays_(strays) { strays_.paused_ = true; }
    ~Pause() { strays_.paused_ = false; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    StrayAccesses& strays_;
  };

  /// Returns the counts since the last call, by program counter, and clears them.
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
