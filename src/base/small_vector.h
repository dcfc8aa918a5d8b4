#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace heddle {

/// A vector that stores up to `Inline` elements inside the object, near its other members in the
/// host's cache. It moves them to the heap when it grows larger.
template <class T, std::uint32_t Inline>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SmallVector() = default;
  SmallVector(const SmallVector& other) { *this = other; }
  SmallVector(SmallVector&& other) noexcept : SmallVector() { *this = std::move(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this == &other) return *this;
    clear();
    for (const T& element : other) push_back(element);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    heap_elements_ = std::move(other.heap_elements_);
    inline_elements_ = other.inline_elements_;
    size_ = other.size_;
    capacity_ = other.capacity_;
    other.capacity_ = Inline;
    other.size_ = 0;
    return *this;
  }
  ~SmallVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() { size_ = 0; }
  void push_back(T element) {
    if (size_ == capacity_) grow();
    data()[size_++] = element;
  }
  void pop_back() {
    assert(size_ > 0);
    --size_;
  }
  /// Keeps the first `size` elements; `size` must not exceed the current size.
  void shrink(std::size_t size) {
    assert(size <= size_);
    size_ = static_cast<std::uint32_t>(size);
  }

  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

 private:
  T* data() { return heap_elements_ == nullptr ? inline_elements_.data() : heap_elements_.get(); }
  const T* data() const {
    return heap_elements_ == nullptr ? inline_elements_.data() : heap_elements_.get();
  }
  void grow() {
    const std::uint32_t capacity = std::max(capacity_ * 2, Inline * 2);
    auto larger = std::make_unique<T[]>(capacity);
    for (std::uint32_t i = 0; i < size_; ++i) larger[i] = data()[i];
    heap_elements_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<T[]> heap_elements_;  ///< Null if the elements are in inline_elements_.
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = Inline;
  std::array<T, Inline> inline_elements_{};
};

}  // namespace heddle
