#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace heddle {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::tell(std::string_view what) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && now - last_ < std::chrono::milliseconds(100)) return;
  fmt::print(stderr, "\r\x1b[K{} ...", what);
  std::fflush(stderr);
  shown_ = true;
  last_ = now;
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace heddle
