#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace heddle::device {

/// The bytes of a kernel's arguments, in the order of its parameters.
class Arguments {
 public:
  template <class T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    add_bytes(&value, sizeof value);
  }
  void add_bytes(const void* bytes, std::size_t size) {
    std::vector<std::byte>& argument = values_.emplace_back(size);
    if (size != 0) std::memcpy(argument.data(), bytes, size);
  }

  std::size_t size() const { return values_.size(); }  ///< Number of arguments.
  const std::vector<std::byte>& operator[](std::size_t i) const { return values_[i]; }

 private:
  std::vector<std::vector<std::byte>> values_;
};

}  // namespace heddle::device
