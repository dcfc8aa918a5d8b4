#pragma once

// Sanitizers make tests ten times slower. What they find depends on the code that runs, not on how
// often: with them, tests that repeat themselves use fewer inputs.

#include <cstdint>
#include <vector>

namespace heddle::gpu::test {

// GCC and clang report sanitizers in different ways.
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

/// The numbers of host threads with which a run is repeated; with sanitizers only the last of
/// `counts`.
inline std::vector<std::uint32_t> host_threads(std::vector<std::uint32_t> counts) {
  if (kSanitized) return {counts.back()};
  return counts;
}

}  // namespace heddle::gpu::test
