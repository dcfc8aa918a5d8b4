#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace heddle {

/// First in, first out, in a ring that doubles when it is full: no allocation once it is large
/// enough, and elements keep what they have allocated themselves.
template <class T>
class RingQueue {
 public:
  explicit RingQueue(std::size_t room = 8) : ring_(std::bit_ceil(room)) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& front() {
    assert(!empty());
    return ring_[first_];
  }
  const T& front() const {
    assert(!empty());
    return ring_[first_];
  }

  /// The element that comes after `i` others.
  const T& operator[](std::size_t i) const {
    assert(i < size_);
    return ring_[(first_ + i) & (ring_.size() - 1)];
  }

  void push(const T& element) {
    draft() = element;
    append();
  }
  void pop() {
    assert(!empty());
    first_ = (first_ + 1) & (ring_.size() - 1);
    // Those that are often empty stay in the same few lines of the host's cache.
    if (--size_ == 0) first_ = 0;
  }

  /// The element that append() would append, with what was last left in it; until then it may be
  /// built there, or not.
  T& draft() {
    if (size_ == ring_.size()) grow();
    return ring_[(first_ + size_) & (ring_.size() - 1)];
  }
  void append() { ++size_; }

 private:
  void grow() {
    std::vector<T> larger(ring_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) {
      larger[i] = std::move(ring_[(first_ + i) & (ring_.size() - 1)]);
    }
    ring_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> ring_;  ///< A power of two of places.
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace heddle
