#pragma once

// What both sides of heartwall know.

// A template is what a point looks like: a square around it.
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

// Levels of 0 to 255 less this are small enough that no sum leaves 32 bits.
constexpr int kMiddleGrey = 128;

// A template keeps so many eighths of itself in each frame.
constexpr int kKeptEighths = 7;

struct Point {
  int x, y;
};
