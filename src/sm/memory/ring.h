#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace heddle::sm {

/// A queue whose elements stay where they are built, in room that is used again; it doubles when it
/// is short.
template <class Element>
class Ring {
 public:
  explicit Ring(std::size_t room = 8) : elements_(std::bit_ceil(room)) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  Element& front() {
    assert(size_ > 0);
    return elements_[first_];
  }
  const Element& front() const {
    assert(size_ > 0);
    return elements_[first_];
  }
  void pop_front() {
    assert(size_ > 0);
    first_ = (first_ + 1) & (elements_.size() - 1);
    --size_;
  }

  /// The element that append() would append, with what was last left in it; until then it may be
  /// built there, or not.
  Element& draft() {
    if (size_ == elements_.size()) grow();
    return elements_[(first_ + size_) & (elements_.size() - 1)];
  }
  void append() { ++size_; }

 private:
  void grow() {
    std::vector<Element> larger(elements_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) {
      larger[i] = std::move(elements_[(first_ + i) & (elements_.size() - 1)]);
    }
    elements_ = std::move(larger);
    first_ = 0;
  }

  std::vector<Element> elements_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace heddle::sm
