#pragma once

// The area of a machine's multiprocessors, by part. The rest of the chip is not included, because
// no paper states its area.

#include <optional>
#include <vector>

#include "energy/area_part.h"
#include "energy/technology.h"
#include "gpu/machine.h"

namespace heddle::energy {

struct PartArea {
  const AreaPart* part = nullptr;
  SquareMicrometres per_sm = 0;   ///< Average of the multiprocessors that have it.
  std::uint32_t places = 0;       ///< Number of multiprocessors that have the part.
  SquareMicrometres of_chip = 0;  ///< Sum over all multiprocessors.
};

struct Area {
  std::vector<PartArea>
      parts{};  ///< In the technology's order, including parts that no multiprocessor has.

  SquareMicrometres chip() const;
};

/// The area of one part on a machine.
PartArea area_of(const AreaPart& part, const gpu::Machine& machine);
/// Empty if the technology states no areas. The technology must outlive the returned value.
std::optional<Area> area_of(const Technology& technology, const gpu::Machine& machine);

}  // namespace heddle::energy
