#pragma once

// What host and kernels agree on.

// A template is the square of pixels around a point. Larger ones can be cut, but not tracked.
constexpr int kTemplateRadius = 6;
constexpr int kTemplateSide = 2 * kTemplateRadius + 1;
constexpr int kTemplateArea = kTemplateSide * kTemplateSide;

// How far a point may move from one frame to the next, along each axis.
constexpr int kReach = 10;
constexpr int kPlacesSide = 2 * kReach + 1;
constexpr int kPlaces = kPlacesSide * kPlacesSide;

constexpr int kWindowSide = kTemplateSide + 2 * kReach;
constexpr int kWindowArea = kWindowSide * kWindowSide;

constexpr int kCutThreads = 256;
constexpr int kTrackThreads = 512;

// The templates of Rodinia's version of the program, and its blocks.
constexpr int kRodiniaTemplateRadius = 25;
constexpr int kRodiniaThreads = 512;

// Subtracted from the levels of 0 to 255, so that all sums fit 32 bits.
constexpr int kMiddleGrey = 128;

// A template keeps this many eighths of its values in each frame.
constexpr int kKeptEighths = 7;

struct Point {
  int x, y;
};
