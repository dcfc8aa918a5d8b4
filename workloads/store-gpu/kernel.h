#pragma once

// What host and kernel agree on.

constexpr int kChunkBytes = 128;
constexpr int kChunkWords = kChunkBytes / 4;
// Threads of a block, and chunks that it stages: 16 KB of shared memory.
constexpr int kThreads = 128;

struct Digest {
  unsigned words[4];
};
