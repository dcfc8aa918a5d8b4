#pragma once

// What host and kernel agree on.

constexpr int kTile = 4;  // pixels along each side
constexpr int kPixels = kTile * kTile;
constexpr int kThreads = 64;  // per tile

// The ways to divide 16 sorted colours into four clusters, some of them possibly empty: three cuts,
// 19 choose 3.
constexpr int kPartitions = 969;

// The principal axis is found in integers: its components have this many bits.
constexpr int kAxisBits = 14;
constexpr int kPowerSteps = 8;
