#include "base/message.h"

#include <array>
#include <cstdio>
#include <new>
#include <string>

#include "base/printable.h"
#include "base/write_signals.h"

namespace heddle {
namespace {

/// Standard error is unbuffered unless a program gave it a buffer.
void write(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

void write_to_standard_error(std::string_view text) noexcept {
  const WriteSignalBlock no_signals;
  flockfile(stderr);
  write(text);
  std::fflush(stderr);
  funlockfile(stderr);
}

void say(std::string_view message) noexcept {
  const WriteSignalBlock no_signals;
  std::string text;
  try {
    text = printable_text(with_short_lines(message));
  } catch (const std::bad_alloc&) {
    text.clear();  // Out of memory: writes the line without its text.
  }
  flockfile(stderr);
  for (const std::string_view part : std::array<std::string_view, 3>{"heddle: ", text, "\n"}) {
    write(part);
  }
  std::fflush(stderr);
  funlockfile(stderr);
}

}  // namespace heddle
