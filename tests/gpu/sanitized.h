#pragma once

// Whether the tests are compiled with a sanitizer. Sanitizers make tests about ten times slower,
// and repetitions of the same code find no further errors. Some tests therefore use fewer inputs.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::gpu::test {

// GCC defines macros for its sanitizers; clang has __has_feature.
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

/// The numbers of host threads with which a test repeats a run: `counts`, or with sanitizers only
/// its last element.
inline std::vector<std::uint32_t> host_threads(std::vector<std::uint32_t> counts) {
  if (kSanitized) return {counts.back()};
  return counts;
}

/// The workloads with which a test repeats a run: `names`, or with sanitizers only the last of
/// them.
inline std::vector<std::string> tested_workloads(std::vector<std::string> names) {
  if (kSanitized) return {std::move(names.back())};
  return names;
}

}  // namespace heddle::gpu::test
