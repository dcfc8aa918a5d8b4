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
  /// The enumeration value of the element at a position, from 0 to size() - 1.
  static constexpr Enum index_at(std::size_t position) { return static_cast<Enum>(position); }

  constexpr auto begin() { return values_.begin(); }
  constexpr auto end() { return values_.end(); }
  constexpr auto begin() const { return values_.begin(); }
  constexpr auto end() const { return values_.end(); }

  /// In the enumeration's order. Public, so that the array is an aggregate.
  std::array<Value, kCount> values_{};
};

}  // namespace heddle
