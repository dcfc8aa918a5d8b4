#pragma once

// What host and kernels agree on.

namespace leukocyte {

/// Points of a circle, and circles around a pixel, at most.
constexpr int kPoints = 150;
constexpr int kMostCircles = 7;
/// Pixels closer to the frame's edge are never the middle of a cell, because circles need space.
constexpr int kMargin = 19;

/// The disk in which the middle of a cell has the greatest score.
constexpr int kDiskRadius = 12;
constexpr int kDiskSide = 2 * kDiskRadius + 1;

/// The window around a cell, which is longer along the vessel.
constexpr int kWindowHeight = 41;
constexpr int kWindowWidth = 81;
constexpr int kWindowArea = kWindowHeight * kWindowWidth;

constexpr int kScoreThreads = 192;
constexpr int kDilateThreads = 176;
constexpr int kFlowThreads = 320;
static_assert(kFlowThreads > kWindowWidth + 1);
/// The first pixel of the window's last part. A part has as many pixels as there are threads.
constexpr int kLastPart = (kWindowArea - 1) / kFlowThreads * kFlowThreads;

/// The weight of smoothing, and the greatest stable step with it.
constexpr float kSmoothing = 0.5f;
constexpr float kStep = 1.0f / (8 * kSmoothing + 1);
/// Much smaller differences flow both ways, greater ones one way only.
constexpr float kSoftness = 0.01f;

/// A point of a circle: its direction from the middle, and its pixel relative to the middle.
struct CirclePoint {
  float cosine, sine;
  int column, row;
};

}  // namespace leukocyte
