#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/message.h"
#include "base/printable.h"

namespace heddle {

Progress::Progress() : is_terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::show(std::string_view phase, std::string_view detail) {
  if (!is_terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (is_shown_ && phase == phase_ && now - last_time_ < std::chrono::milliseconds(100)) return;
  write_to_standard_error(
      fmt::format("\r\x1b[K{}{}{} ...", phase, detail.empty() ? "" : ": ", printable_line(detail)));
  is_shown_ = true;
  phase_ = phase;
  last_time_ = now;
}

void Progress::clear() {
  if (!is_shown_) return;
  write_to_standard_error("\r\x1b[K");
  is_shown_ = false;
}

}  // namespace heddle
