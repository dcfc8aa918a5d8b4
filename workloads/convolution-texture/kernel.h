#pragma once

// What the kernels and the host part agree on.

constexpr int kRadius = 8;
constexpr int kTaps = 2 * kRadius + 1;
constexpr int kBlockX = 16;
constexpr int kBlockY = 12;
