#pragma once

#include <array>
#include <cstddef>

namespace heddle {

/// The number of values of an enumeration whose values run from 0 to `last`.
template <class Enum>
constexpr std::size_t values_up_to(Enum last) {
  return static_cast<std::size_t>(last) + 1;
}

/// An array with one element for each value of an enumeration, indexed only by that enumeration.
template <class Enum, class Value, std::size_t kCount>
class EnumArray {
 public:
  constexpr Value& operator[](Enum index) { return values_[static_cast<std::size_t>(index)]; }
  constexpr const Value& operator[](Enum index) const {
    return values_[static_cast<std::size_t>(index)];
  }

  static constexpr std::size_t size() { return kCount; }
  static constexpr Enum index_at(std::size_t place) { return static_cast<Enum>(place); }

  constexpr auto begin() { return values_.begin(); }
  constexpr auto end() { return values_.end(); }
  constexpr auto begin() const { return values_.begin(); }
  constexpr auto end() const { return values_.end(); }

  std::array<Value, kCount> values_{};  ///< In the enumeration's order.
};

}  // namespace heddle
