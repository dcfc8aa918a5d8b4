// Counts failed expectations; every program prints at its end whether all held.
#pragma once

#include <cstdio>

inline int failures = 0;

inline void expect(bool right, const char* what, int line) {
  if (right) return;
  std::printf("line %d: expected: %s\n", line, what);
  ++failures;
}
#define EXPECT(what) expect(what, #what, __LINE__)

inline int verdict() {
  std::printf(failures == 0 ? "passed\n" : "FAILED\n");
  return failures == 0 ? 0 : 1;
}
