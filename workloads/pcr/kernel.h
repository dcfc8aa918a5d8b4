#pragma once

/// Of a system, a power of two; and threads of a block. Host part and kernel share it.
constexpr int kEquations = 512;
