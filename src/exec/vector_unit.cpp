#include "exec/vector_unit.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "base/error.h"

namespace heddle::exec {

namespace lanes_baseline {
Handler select_handler(const code::Instruction& instruction);
}
#ifdef HEDDLE_LANES_AVX2
namespace lanes_avx2 {
Handler select_handler(const code::Instruction& instruction);
}
#endif
#ifdef HEDDLE_LANES_AVX512
namespace lanes_avx512 {
Handler select_handler(const code::Instruction& instruction);
}
#endif

namespace {

std::vector<VectorUnit> find_units() {
  std::vector<VectorUnit> units;
#if defined(__x86_64__)
  __builtin_cpu_init();
  [[maybe_unused]] const bool avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("popcnt");
#endif
#ifdef HEDDLE_LANES_AVX512
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    units.push_back({"avx512", lanes_avx512::select_handler});
  }
#endif
#ifdef HEDDLE_LANES_AVX2
  if (avx2) units.push_back({"avx2", lanes_avx2::select_handler});
#endif
  units.push_back({"baseline", lanes_baseline::select_handler});
  return units;
}

}  // namespace

const std::vector<VectorUnit>& vector_units() {
  static const std::vector<VectorUnit> units = find_units();
  return units;
}

const VectorUnit& best_vector_unit() {
  const char* requested = std::getenv("HEDDLE_VECTOR_UNIT");
  if (requested == nullptr || *requested == '\0') return vector_units().front();
  std::string names;
  for (const VectorUnit& unit : vector_units()) {
    if (unit.name == requested) return unit;
    names += names.empty() ? "" : ", ";
    names += unit.name;
  }
  throw InputError(
      fmt::format("HEDDLE_VECTOR_UNIT is '{}'; this processor has: {}", requested, names));
}

}  // namespace heddle::exec
