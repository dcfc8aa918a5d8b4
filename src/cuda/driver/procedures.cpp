#include "cuda/driver/procedures.h"

#include <algorithm>
#include <iterator>

#include "cuda/runtime/error.h"

// Declared by their names alone: only the addresses are used, so parameters do not matter.
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

struct Known {
  std::string_view name;  ///< The exported name.
  int version;            ///< The first version of CUDA that has it.
  void (*function)();
};

#define HEDDLE_DRIVER_PER_THREAD(name, suffix)
#define HEDDLE_DRIVER_CALL(name, version, family) {#name, version, &name},
#define HEDDLE_DRIVER_UNSUPPORTED(name, version, family) {#name, version, &name},
#define HEDDLE_DRIVER_SAME(name, version, as) {#name, version, &name},
constexpr Known kKnown[] = {
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
constexpr Known kPerThread[] = {
#include "cuda/driver/calls.def"
};

/// The name without its version suffix, such as "_v2".
std::string_view plain(std::string_view name) {
  const std::size_t size = name.size();
  const bool numbered = size > 3 && name.substr(size - 3, 2) == "_v";
  return numbered ? name.substr(0, size - 3) : name;
}

}  // namespace

Procedure find_procedure(std::string_view name, int version, bool per_thread) {
  const Known* best = nullptr;
  bool later = false;
  for (const Known& known : kKnown) {
    if (plain(known.name) != name) continue;
    if (known.version > version) {
      later = true;
    } else if (best == nullptr || known.version > best->version) {
      best = &known;
    }
  }
  if (best == nullptr) {
    return {.status = later ? ProcedureStatus::not_in_version : ProcedureStatus::no_such_name};
  }
  if (per_thread) {
    const auto* const own =
        std::find_if(std::begin(kPerThread), std::end(kPerThread),
                     [&](const Known& known) { return known.name == best->name; });
    if (own != std::end(kPerThread)) best = own;
  }
  return {.address = reinterpret_cast<void*>(best->function), .status = ProcedureStatus::found};
}

bool requests_per_thread_streams(std::uint64_t flags) {
  constexpr std::uint64_t kPerThreadDefault = 2;  // 1: explicitly the legacy default stream.
  if (flags > kPerThreadDefault) throw Failure{Error::invalid_value};
  return flags == kPerThreadDefault;
}

}  // namespace heddle::cuda::driver
