#pragma once

// What host and kernels agree on.

namespace lbm {

/// Cells along x: one for each thread of a block.
constexpr int kWidth = 120;

/// A cell's gas is in 19 parts (D3Q19): one rests, the others move to the cells that share a face
/// or an edge with it. Opposite directions follow each other.
constexpr int kDirections = 19;

/// The relaxation factor: collisions in a step reduce a part's difference from equilibrium by this
/// multiple of it.
constexpr float kOmega = 1.95f;

/// The velocity of the lid, in cells per step.
constexpr float kLidX = 0.05f;
constexpr float kLidY = 0.02f;

enum Kind : unsigned char { kGas, kSolid, kUnderLid };

}  // namespace lbm
