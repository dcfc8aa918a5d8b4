#pragma once

// With sanitizers tests take ten times as long. What those find hangs on which code runs, not on
// how often it does: there tests that repeat themselves with other inputs take some of these.

#include <cstdint>
#include <vector>

namespace heddle::gpu::test {

// GCC and clang each have their own way to tell.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

/// How many host threads a run is repeated with; with sanitizers once, with the last of `counts`.
inline std::vector<std::uint32_t> host_threads(std::vector<std::uint32_t> counts) {
  if (kSanitized) return {counts.back()};
  return counts;
}

}  // namespace heddle::gpu::test
