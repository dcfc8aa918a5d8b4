#pragma once

// The area of a machine's multiprocessors, by part. Of the rest of a chip no paper says anything.

#include <optional>
#include <vector>

#include "energy/area_part.h"
#include "energy/technology.h"
#include "gpu/machine.h"

namespace heddle::energy {

struct PartArea {
  const AreaPart* part = nullptr;
  SquareMicrometres of_each = 0;  ///< Of those multiprocessors that have it, on average.
  std::uint32_t places = 0;       ///< How many have it.
  SquareMicrometres of_chip = 0;
};

struct Area {
  std::vector<PartArea> parts{};  ///< In the technology's order; also those that nothing has.

  SquareMicrometres chip() const;
};

/// Of one part: of how many multiprocessors, and how much on all of them.
PartArea area_of(const AreaPart& part, const gpu::Machine& machine);
/// Empty where the technology states none. It must outlive what is returned.
std::optional<Area> area_of(const Technology& technology, const gpu::Machine& machine);

}  // namespace heddle::energy
