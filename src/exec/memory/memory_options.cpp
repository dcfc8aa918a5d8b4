#include "exec/memory/memory_options.h"

#include <sys/resource.h>

#include <algorithm>

namespace heddle::exec {

std::uint64_t default_memory_capacity() {
  constexpr std::uint64_t kMaxDefault = std::uint64_t{16} << 30;
  constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kMaxDefault;
  return std::clamp<std::uint64_t>(limit.rlim_cur / 4 / kMegabyte * kMegabyte, kMegabyte,
                                   kMaxDefault);
}

}  // namespace heddle::exec
