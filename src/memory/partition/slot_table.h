#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

namespace heddle::memory {

/// Things under way, each under a 32-bit token, which is free for another one when the thing is
/// removed. Grows as needed, and does not allocate after that.
template <class T>
class SlotTable {
 public:
  bool empty() const { return free_.size() == slots_.size(); }
  T& operator[](std::uint32_t token) { return slots_[token]; }

  std::uint32_t add(const T& thing) {
    if (free_.empty()) {
      slots_.push_back(thing);
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t token = free_.back();
    free_.pop_back();
    slots_[token] = thing;
    return token;
  }
  void remove(std::uint32_t token) {
    assert(token < slots_.size());
    free_.push_back(token);
  }

 private:
  std::vector<T> slots_;
  std::vector<std::uint32_t> free_;  ///< A stack: the slot used last is still in the cache.
};

}  // namespace heddle::memory
