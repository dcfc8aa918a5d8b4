#pragma once

/// The equations of a system, a power of two, and the threads of a block.
constexpr int kEquations = 512;
