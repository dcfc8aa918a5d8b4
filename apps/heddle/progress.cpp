#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace heddle {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::tell(std::string_view phase, std::string_view detail) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && phase == phase_ && now - last_ < std::chrono::milliseconds(100)) return;
  fmt::print(stderr, "\r\x1b[K{}{}{} ...", phase, detail.empty() ? "" : ": ", detail);
  std::fflush(stderr);
  shown_ = true;
  phase_ = phase;
  last_ = now;
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace heddle
