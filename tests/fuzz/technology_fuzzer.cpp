// Fuzzes descriptions of technologies: any text is either accepted or rejected.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "energy/technology.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle::energy;
  try {
    const Technology technology =
        read_technology({reinterpret_cast<const char*>(data), size}, "fuzz", "fuzz.toml");
    // An accepted energy must have a source. It must be finite and not negative, or be included in
    // another energy.
    for (const auto& energy : technology.energies) {
      if (!energy) continue;
      if (energy->origin.source.empty() ||
          energy->points.empty() != energy->included_in.has_value())
        __builtin_trap();
      if (energy->included_in) continue;
      for (const EventEnergy::Point& point : energy->points) {
        const auto picojoules = energy->picojoules(point.size);
        if (!picojoules || !std::isfinite(*picojoules) || *picojoules < 0) __builtin_trap();
      }
    }
    for (const auto& power : technology.powers) {
      if (power && (power->origin.source.empty() || !(power->watts >= 0))) __builtin_trap();
    }
  } catch (const heddle::InputError&) {
  }
  return 0;
}
