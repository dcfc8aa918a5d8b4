#include "crashes.h"

#include <execinfo.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <utility>

#include "base/printable.h"
#include "exit_code.h"

namespace heddle::cuda {
namespace {

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
/// The innermost function of a crash is at most this deep below the library's.
constexpr int kMaxFrames = 64;

/// What explains a crash. Each is a node of a list that only grows, because the handler may read it
/// at any time.
struct Explanation {
  std::vector<CodeRange> code;
  std::string line;
  const Explanation* next = nullptr;
};

std::atomic<const Explanation*>& explanations() {
  static std::atomic<const Explanation*>& first = *new std::atomic<const Explanation*>(nullptr);
  return first;
}

bool contains(const Explanation& explanation, const void* address) {
  const auto number = reinterpret_cast<std::uint64_t>(address);
  for (const CodeRange& range : explanation.code) {
    if (range.begin <= number && number < range.end) return true;
  }
  return false;
}

/// The explanation of a crash in the functions of this thread; null if there is none.
const Explanation* explanation_of_crash() {
  void* frames[kMaxFrames];
  const int count = ::backtrace(frames, kMaxFrames);
  for (int i = 0; i < count; ++i) {
    for (const Explanation* one = explanations(); one != nullptr; one = one->next) {
      if (contains(*one, frames[i])) return one;
    }
  }
  return nullptr;
}

void handle(int signal) {
  if (const Explanation* const found = explanation_of_crash()) {
    // Nothing can be done if the line cannot be written.
    [[maybe_unused]] const ::ssize_t written =
        ::write(STDERR_FILENO, found->line.data(), found->line.size());
    ::_exit(static_cast<int>(ExitCode::bad_input));
  }
  // The signal arrives again when it is no longer blocked, at the end of this function.
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

void explain_crashes(std::vector<CodeRange> code, const std::string& message) {
  // The first call loads a library, which a handler must not do.
  void* frame = nullptr;
  ::backtrace(&frame, 1);
  explanations() = new Explanation{.code = std::move(code),
                                   .line = printable_text(fmt::format(
                                       "heddle: the program crashed in a library: {}\n", message)),
                                   .next = explanations()};
  for (const int signal : kCrashes) {
    struct ::sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;
    action.sa_handler = &handle;
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace heddle::cuda
