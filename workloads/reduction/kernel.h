#pragma once

// What kernel and host part agree on.

constexpr unsigned kThreads = 256;  ///< Of a block.
constexpr unsigned kPerThread = 4;  ///< Numbers that a thread adds up by itself.
constexpr unsigned kPerBlock = kThreads * kPerThread;
