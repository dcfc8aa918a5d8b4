#pragma once

// What the kernels and the host part agree on.

constexpr int kBlock = 512;
