#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace heddle {

/// A vector of at most `Capacity` elements, stored inside the object.
template <class T, std::size_t Capacity>
class InlineVector {
 public:
  constexpr InlineVector() = default;
  constexpr InlineVector(std::initializer_list<T> elements) {
    for (const T& element : elements) push_back(element);
  }

  static constexpr std::size_t capacity() { return Capacity; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr bool full() const { return size_ == Capacity; }
  constexpr void push_back(const T& element) {
    assert(size_ < Capacity);
    elements_[size_++] = element;
  }
  constexpr void pop_back() { --size_; }
  constexpr void clear() { size_ = 0; }
  constexpr void resize(std::size_t size) {
    assert(size <= Capacity);
    for (std::size_t i = size_; i < size; ++i) elements_[i] = T{};
    size_ = static_cast<std::uint8_t>(size);
  }

  constexpr T& operator[](std::size_t i) {
    assert(i < size_);
    return elements_[i];
  }
  constexpr const T& operator[](std::size_t i) const {
    assert(i < size_);
    return elements_[i];
  }
  constexpr T& back() { return elements_[size_ - 1]; }
  constexpr const T& back() const { return elements_[size_ - 1]; }

  constexpr T* begin() { return elements_.data(); }
  constexpr T* end() { return elements_.data() + size_; }
  constexpr const T* begin() const { return elements_.data(); }
  constexpr const T* end() const { return elements_.data() + size_; }

  friend constexpr bool operator==(const InlineVector& a, const InlineVector& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i) {
      if (!(a.elements_[i] == b.elements_[i])) return false;
    }
    return true;
  }

 private:
  static_assert(Capacity < 256);  // size_ is a byte.
  std::array<T, Capacity> elements_{};
  std::uint8_t size_ = 0;
};

}  // namespace heddle
