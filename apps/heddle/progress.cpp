#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/message.h"
#include "base/printable.h"

namespace heddle {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::show(std::string_view phase, std::string_view detail) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && phase == phase_ && now - last_ < std::chrono::milliseconds(100)) return;
  write_to_standard_error(
      fmt::format("\r\x1b[K{}{}{} ...", phase, detail.empty() ? "" : ": ", printable_line(detail)));
  shown_ = true;
  phase_ = phase;
  last_ = now;
}

void Progress::clear() {
  if (!shown_) return;
  write_to_standard_error("\r\x1b[K");
  shown_ = false;
}

}  // namespace heddle
