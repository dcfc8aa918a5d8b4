#pragma once

// What both sides of dxtc know.

constexpr int kTile = 4;  // pixels along each side
constexpr int kPixels = kTile * kTile;
constexpr int kThreads = 64;  // that compress one tile

// Ways to cut 16 colours in a row into four clusters, any of them empty: three cuts, 19 over 3.
constexpr int kPartitions = 969;

// The principal axis is found in integers: its components have this many bits.
constexpr int kAxisBits = 14;
constexpr int kPowerSteps = 8;
