#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace heddle {

/// A FIFO queue in a ring buffer that doubles its size when it is full. It does not allocate once
/// it is large enough. Removed elements are not destroyed, so a later element reuses the memory
/// that they allocated themselves.
template <class T>
class RingQueue {
 public:
  explicit RingQueue(std::size_t capacity = 8) : ring_(std::bit_ceil(capacity)) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& front() {
    assert(!empty());
    return ring_[front_];
  }
  const T& front() const {
    assert(!empty());
    return ring_[front_];
  }

  /// The element with `i` others before it: 0 is the front.
  const T& operator[](std::size_t i) const {
    assert(i < size_);
    return ring_[(front_ + i) & (ring_.size() - 1)];
  }

  void push(const T& element) {
    draft() = element;
    append();
  }
  void pop() {
    assert(!empty());
    front_ = (front_ + 1) & (ring_.size() - 1);
    // A queue that is often empty stays in the same few lines of the host's cache.
    if (--size_ == 0) front_ = 0;
  }

  /// The free element behind the last one; append() adds it to the queue. It still has the content
  /// of an earlier element. The caller may build the new element in it.
  T& draft() {
    if (size_ == ring_.size()) grow();
    return ring_[(front_ + size_) & (ring_.size() - 1)];
  }
  void append() { ++size_; }

 private:
  void grow() {
    std::vector<T> larger(ring_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) {
      larger[i] = std::move(ring_[(front_ + i) & (ring_.size() - 1)]);
    }
    ring_ = std::move(larger);
    front_ = 0;
  }

  std::vector<T> ring_;  ///< Its size is a power of two.
  std::size_t front_ = 0;
  std::size_t size_ = 0;
};

}  // namespace heddle
