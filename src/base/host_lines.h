#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace heddle {

/// The size of a cache line of the host: that of x86-64 processors and of most arm64 ones.
inline constexpr std::size_t kHostLineBytes = 64;

/// Allocates memory that begins at a cache line of the host.
template <class T>
struct LineAllocator {
  using value_type = T;

  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kHostLineBytes}));
  }
  void deallocate(T* first, std::size_t) {
    ::operator delete (first, std::align_val_t{kHostLineBytes});
  }
  template <class Other>
  friend bool operator==(LineAllocator, LineAllocator<Other>) {
    return true;
  }
};

/// A vector whose storage begins at a cache line of the host. Elements whose size is that of whole
/// lines therefore never share a line.
template <class T>
using LineVector = std::vector<T, LineAllocator<T>>;

/// Prefetches all cache lines of an object into the host's cache. The function is always inlined,
/// because the compiler would remove a call to a function that has no other effect.
[[gnu::always_inline]] inline void prefetch_lines(const void* first, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(first);
  for (std::size_t at = 0; at < bytes; at += kHostLineBytes) __builtin_prefetch(begin + at);
}

}  // namespace heddle
