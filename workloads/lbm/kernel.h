#pragma once

// What host and kernels agree on.

namespace lbm {

/// Cells along x, which are a block's threads.
constexpr int kWidth = 120;

/// A cell's gas is in 19 parts (D3Q19): one rests, the others move to the cells that share a face
/// or an edge with it. Opposite directions follow each other.
constexpr int kDirections = 19;

/// Of a part's difference from what it would be in equilibrium, what collisions take in a step.
constexpr float kOmega = 1.95f;

/// How fast the lid moves, in cells a step.
constexpr float kLidX = 0.05f;
constexpr float kLidY = 0.02f;

enum Kind : unsigned char { kGas, kSolid, kUnderLid };

}  // namespace lbm
