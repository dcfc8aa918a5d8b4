#pragma once

// The B+ tree as the kernels and the host part of b+tree both know it.

#include <climits>

// Threads of a block: one for each slot of a node.
constexpr int kSlots = 512;
// The keys of a node at most. An unused slot follows the last key of each node.
constexpr int kMostKeys = 508;
constexpr int kMostLevels = 4;

constexpr int kLowestKey = INT_MIN;
// The key of unused slots, which is greater than every other.
constexpr int kNoKey = INT_MAX;
constexpr int kNotFound = -1;

// In an inner node, key i is the lowest key below child i; the first key of the first node of each
// level is kLowestKey. In a leaf, the keys are those of records, and child i is the index of record
// i.
struct Node {
  int keys[kSlots];
  int children[kSlots];
};
