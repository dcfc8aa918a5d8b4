#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

/// A table of objects, such as requests in flight, each identified by a 32-bit number. Removing an
/// object frees its number for reuse. The table grows when no number is free; otherwise it does not
/// allocate.
template <class T>
class SlotTable {
 public:
  bool empty() const { return used_slots() == 0; }
  std::size_t used_slots() const { return slots_.size() - free_.size(); }
  /// The number must be in use. The reference is valid until the next add().
  T& operator[](std::uint32_t number) { return slots_[number]; }
  const T& operator[](std::uint32_t number) const { return slots_[number]; }

  /// Returns the object's number.
  std::uint32_t add(const T& object) {
    if (free_.empty()) {
      slots_.push_back(object);
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    slots_[number] = object;
    return number;
  }
  void remove(std::uint32_t number) {
    assert(number < slots_.size());
    free_.push_back(number);
  }

 private:
  std::vector<T> slots_;
  /// A stack: the slot that was freed last is still in the cache.
  std::vector<std::uint32_t> free_;
};

}  // namespace heddle
