#pragma once

// The B+ tree as the kernels and the host part of b+tree both know it.

#include <climits>

// Threads of a block, one a slot of a node.
constexpr int kSlots = 512;
// So that there is an unused slot behind the last key of each node.
constexpr int kMostKeys = 508;
constexpr int kMostLevels = 4;

constexpr int kLowestKey = INT_MIN;
// What unused slots hold: greater than every key.
constexpr int kNoKey = INT_MAX;
constexpr int kNotFound = -1;

// Of an inner node, key i is the lowest in the tree of child i, but for the first node of each
// level, whose first key is kLowestKey. Of a leaf, the keys are those of records, and child i is
// the place of record i.
struct Node {
  int keys[kSlots];
  int children[kSlots];
};
