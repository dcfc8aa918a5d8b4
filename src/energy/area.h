#pragma once

// The area of a machine's multiprocessors, by part. The rest of the chip is not included, because
// no paper states its area.

#include <optional>
#include <vector>

#include "energy/area_part.h"
#include "energy/technology.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// The area of a part on a machine.
struct PartArea {
  const AreaPart* part = nullptr;
  SquareMicrometres per_sm = 0;   ///< Average over `sm_count` multiprocessors; 0 if there are none.
  std::uint32_t sm_count = 0;     ///< Number of multiprocessors that have the part.
  SquareMicrometres of_chip = 0;  ///< Sum over all multiprocessors.
};

/// The areas of all parts of a technology on a machine.
struct Area {
  /// In the technology's order, including parts that no multiprocessor has.
  std::vector<PartArea> parts{};

  SquareMicrometres chip() const;  ///< Sum of all parts on the chip.
};

/// The area of one part on a machine.
PartArea area_of(const AreaPart& part, const gpu::Machine& machine);
/// The areas of all parts; empty if the technology states none. The technology must outlive the
/// returned value.
std::optional<Area> area_of(const Technology& technology, const gpu::Machine& machine);

}  // namespace heddle::energy
