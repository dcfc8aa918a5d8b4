#pragma once

// What the kernels and the host part agree on.

constexpr int kRadius = 8;
constexpr int kTaps = 2 * kRadius + 1;

// A thread computes kRowResults results side by side, or kColumnResults one below another.
constexpr int kRowBlockX = 16;
constexpr int kRowBlockY = 4;
constexpr int kRowResults = 8;
constexpr int kColumnBlockX = 16;
constexpr int kColumnBlockY = 8;
constexpr int kColumnResults = 8;
