#pragma once

/// Threads of a block, and columns that it holds in shared memory.
constexpr int kSpan = 256;
