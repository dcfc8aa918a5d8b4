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
/// host's cache. It moves to the heap when it grows larger.
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
    grown_ = std::move(other.grown_);
    near_ = other.near_;
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
  /// `size` must not exceed the current size.
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
  T* data() { return grown_ == nullptr ? near_.data() : grown_.get(); }
  const T* data() const { return grown_ == nullptr ? near_.data() : grown_.get(); }
  void grow() {
    const std::uint32_t capacity = std::max(capacity_ * 2, Inline * 2);
    auto more = std::make_unique<T[]>(capacity);
    for (std::uint32_t i = 0; i < size_; ++i) more[i] = data()[i];
    grown_ = std::move(more);
    capacity_ = capacity;
  }

  std::unique_ptr<T[]> grown_;  ///< Null: the elements are in near_.
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = Inline;
  std::array<T, Inline> near_{};
};

}  // namespace heddle
