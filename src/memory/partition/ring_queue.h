#pragma once

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace heddle::memory {

/// First in, first out, in a ring that grows when it is full: no allocation once it is large
/// enough.
template <class T>
class RingQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const T& front() const {
    assert(!empty());
    return ring_[first_];
  }

  void push(const T& element) {
    if (size_ == ring_.size()) grow();
    ring_[(first_ + size_++) & (ring_.size() - 1)] = element;
  }
  void pop() {
    assert(!empty());
    first_ = (first_ + 1) & (ring_.size() - 1);
    --size_;
  }

 private:
  void grow() {
    std::vector<T> larger(ring_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) {
      larger[i] = ring_[(first_ + i) & (ring_.size() - 1)];
    }
    ring_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> ring_ = std::vector<T>(8);  ///< A power of two of places.
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace heddle::memory
