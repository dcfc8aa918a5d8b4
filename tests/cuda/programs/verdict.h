// Counts failed expectations. At its end, every program prints whether all expectations were met.
#pragma once

#include <cstdio>

inline int failures = 0;

inline void expect(bool is_met, const char* what, int line) {
  if (is_met) return;
  std::printf("line %d: expected: %s\n", line, what);
  ++failures;
}
#define EXPECT(what) expect(what, #what, __LINE__)

/// Prints the verdict, and returns the program's exit code.
inline int verdict() {
  std::printf(failures == 0 ? "passed\n" : "FAILED\n");
  return failures == 0 ? 0 : 1;
}
