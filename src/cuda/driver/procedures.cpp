#include "cuda/driver/procedures.h"

#include <algorithm>
#include <iterator>

#include "cuda/runtime/error.h"

// The functions are declared without parameters: only their addresses are used.
#define HEDDLE_DRIVER_CALL(name, version, family) extern "C" void name();
#define HEDDLE_DRIVER_UNSUPPORTED(name, version, family) extern "C" void name();
#define HEDDLE_DRIVER_SAME(name, version, as) extern "C" void name();
#define HEDDLE_DRIVER_PER_THREAD(name, suffix) extern "C" void name##_##suffix();
#include "cuda/driver/calls.def"
#undef HEDDLE_DRIVER_CALL
#undef HEDDLE_DRIVER_UNSUPPORTED
#undef HEDDLE_DRIVER_SAME
#undef HEDDLE_DRIVER_PER_THREAD

namespace heddle::cuda::driver {
namespace {

/// One exported function. A function of the driver may have several variants, such as cuMemAlloc
/// and cuMemAlloc_v2.
struct Variant {
  std::string_view name;  ///< The exported name.
  int version;            ///< The first version of CUDA that has the function.
  void (*function)();
};

#define HEDDLE_DRIVER_PER_THREAD(name, suffix)
#define HEDDLE_DRIVER_CALL(name, version, family) {#name, version, &name},
#define HEDDLE_DRIVER_UNSUPPORTED(name, version, family) {#name, version, &name},
#define HEDDLE_DRIVER_SAME(name, version, as) {#name, version, &name},
constexpr Variant kVariants[] = {
#include "cuda/driver/calls.def"
};
#undef HEDDLE_DRIVER_CALL
#undef HEDDLE_DRIVER_UNSUPPORTED
#undef HEDDLE_DRIVER_SAME
#undef HEDDLE_DRIVER_PER_THREAD

#define HEDDLE_DRIVER_CALL(name, version, family)
#define HEDDLE_DRIVER_UNSUPPORTED(name, version, family)
#define HEDDLE_DRIVER_SAME(name, version, as)
#define HEDDLE_DRIVER_PER_THREAD(name, suffix) {#name, 0, &name##_##suffix},
/// The functions with per-thread default streams, by their names without "_ptsz" or "_ptds".
constexpr Variant kPerThreadVariants[] = {
#include "cuda/driver/calls.def"
};

/// The name without its version suffix, such as "_v2".
std::string_view without_version(std::string_view name) {
  const std::size_t size = name.size();
  const bool has_version = size > 3 && name.substr(size - 3, 2) == "_v";
  return has_version ? name.substr(0, size - 3) : name;
}

}  // namespace

Procedure find_procedure(std::string_view name, int version, bool per_thread) {
  const Variant* best = nullptr;
  bool exists_later = false;
  for (const Variant& variant : kVariants) {
    if (without_version(variant.name) != name) continue;
    if (variant.version > version) {
      exists_later = true;
    } else if (best == nullptr || variant.version > best->version) {
      best = &variant;
    }
  }
  if (best == nullptr) {
    return {.status =
                exists_later ? ProcedureStatus::not_in_version : ProcedureStatus::no_such_name};
  }
  if (per_thread) {
    const auto* const found =
        std::find_if(std::begin(kPerThreadVariants), std::end(kPerThreadVariants),
                     [&](const Variant& variant) { return variant.name == best->name; });
    if (found != std::end(kPerThreadVariants)) best = found;
  }
  return {.address = reinterpret_cast<void*>(best->function), .status = ProcedureStatus::found};
}

bool requests_per_thread_streams(std::uint64_t flags) {
  constexpr std::uint64_t kPerThreadDefault = 2;  // 1: explicitly the legacy default stream.
  if (flags > kPerThreadDefault) throw Failure{Error::invalid_value};
  return flags == kPerThreadDefault;
}

}  // namespace heddle::cuda::driver
