#pragma once

namespace spmv_jds {

/// Rows that are stored with the same length: those of a warp.
constexpr int kWarpRows = 32;
// What constant memory has room for.
constexpr int kMostDiagonals = 64;
constexpr int kMostWarps = 4096;

}  // namespace spmv_jds
