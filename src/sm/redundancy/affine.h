#pragma once

#include <cstdint>
#include <span>

#include "base/lane_mask.h"

namespace heddle::sm {

/// Whether a number other than 0, the stride, exists such that each value is base + lane * stride,
/// in arithmetic modulo 2^bits. `values`: one for each lane of the set, lowest lane first. `bits`:
/// 1 to 64. Equal values and single values are not affine.
bool is_affine(LaneMask lanes, std::span<const std::uint64_t> values, int bits);

}  // namespace heddle::sm
