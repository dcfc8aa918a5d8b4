#pragma once

// What kernel and host part agree on.

constexpr unsigned kThreads = 256;  ///< Per block.
constexpr unsigned kPerThread = 4;  ///< Numbers that a thread adds.
constexpr unsigned kPerBlock = kThreads * kPerThread;
