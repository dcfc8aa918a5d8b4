#pragma once

// What host and kernels agree on.

namespace leukocyte {

/// Points of a circle, and circles around a pixel, at most.
constexpr int kPoints = 150;
constexpr int kMostCircles = 7;
/// Pixels this close to the frame's edge are nobody's middle: circles need room.
constexpr int kMargin = 19;

/// Of the disk that a pixel is the greatest in.
constexpr int kDiskRadius = 12;
constexpr int kDiskSide = 2 * kDiskRadius + 1;

/// What is followed of a cell: a window around it, longer along the vessel.
constexpr int kWindowHeight = 41;
constexpr int kWindowWidth = 81;
constexpr int kWindowArea = kWindowHeight * kWindowWidth;

constexpr int kScoreThreads = 192;
constexpr int kDilateThreads = 176;
constexpr int kFlowThreads = 320;
static_assert(kFlowThreads > kWindowWidth + 1);
/// Where the last of the window's parts starts, of as many pixels as there are threads.
constexpr int kLastPart = (kWindowArea - 1) / kFlowThreads * kFlowThreads;

/// How strongly a field is smoothed, and the step that this allows.
constexpr float kSmoothing = 0.5f;
constexpr float kStep = 1.0f / (8 * kSmoothing + 1);
/// Differences much less than this flow both ways, others one way only.
constexpr float kSoftness = 0.01f;

/// The point of a circle: which way it is from the middle, and which pixel it is in.
struct CirclePoint {
  float cosine, sine;
  int column, row;
};

}  // namespace leukocyte
