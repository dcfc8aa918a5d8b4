#pragma once

/// Threads of a block, and the most options in constant memory.
constexpr int kSelectBlock = 256;
constexpr int kMostOptions = 256;
