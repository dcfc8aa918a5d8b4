#pragma once

/// Threads in a block, and so columns that one holds in shared memory.
constexpr int kSpan = 256;
