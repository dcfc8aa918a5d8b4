#include "cuda/static_runtime/entry_points.h"

#include <algorithm>
#include <vector>

// The functions are declared without parameters: only their addresses are used.
extern "C" {
#define HEDDLE_CUDA_CALL(name, family) void name();
#define HEDDLE_CUDA_UNSUPPORTED(name, family) void name();
#define HEDDLE_CUDA_PER_THREAD(name, suffix) void name##_##suffix();
#include "cuda/runtime/calls.def"
#undef HEDDLE_CUDA_CALL
#undef HEDDLE_CUDA_UNSUPPORTED
#undef HEDDLE_CUDA_PER_THREAD
}

namespace heddle::cuda {
namespace {

struct EntryPoint {
  std::string_view name;
  void (*function)();
};

#define HEDDLE_CUDA_CALL(name, family) EntryPoint{#name, &::name},
#define HEDDLE_CUDA_UNSUPPORTED(name, family) EntryPoint{#name, &::name},
#define HEDDLE_CUDA_PER_THREAD(name, suffix) EntryPoint{#name "_" #suffix, &::name##_##suffix},
auto sorted_entry_points() {
  std::vector<EntryPoint> points{
#include "cuda/runtime/calls.def"
  };
  std::sort(points.begin(), points.end(),
            [](const EntryPoint& a, const EntryPoint& b) { return a.name < b.name; });
  return points;
}

}  // namespace

std::optional<std::uint64_t> entry_point(std::string_view name) {
  static const auto points = sorted_entry_points();
  const auto found = std::lower_bound(
      points.begin(), points.end(), name,
      [](const EntryPoint& point, std::string_view key) { return point.name < key; });
  if (found == points.end() || found->name != name) return std::nullopt;
  return reinterpret_cast<std::uint64_t>(found->function);
}

}  // namespace heddle::cuda
