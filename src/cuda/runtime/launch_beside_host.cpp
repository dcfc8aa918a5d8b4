#include "cuda/runtime/launch_beside_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/background_thread.h"
#include "base/message.h"
#include "base/own_thread.h"

namespace heddle::cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// The time between two looks at the memory that a kernel polls.
constexpr std::chrono::microseconds kLookInterval(100);
/// After this time, the kernel goes on even if that memory has not changed: its threads may read
/// other memory, too.
constexpr std::chrono::seconds kLongestPause(1);
/// After this time, a message says for what the kernel waits.
constexpr std::chrono::seconds kTimeToNotice(10);

/// The number of threads in this process that are not Heddle's.
std::size_t threads_of_program() {
  std::size_t count = 0;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream file(task.path() / "comm");
    std::string name;
    if (std::getline(file, name) && name != kOwnThreadName) ++count;
  }
  return count;
}

bool has_changed(const PolledMemory& polled) {
  std::uint64_t value = 0;
  std::memcpy(&value, polled.place, polled.bytes);
  return value != polled.value;
}

}  // namespace

void LaunchBesideHost::set(State state) {
  state_ = state;
  changed_.notify_all();
}

void LaunchBesideHost::start(std::function<void()> launch) {
  state_ = State::runs;
  error_ = nullptr;
  calls_ = 0;
  is_noticed_ = false;
  last_polled_.clear();
  if (!start_background_thread([this, launch] { run(launch); })) {
    state_ = State::ended;
    return launch();  // Without a thread, it cannot wait for the host.
  }
  is_awaited_ = true;
  mutex_.wait(changed_, [&] { return state_ != State::runs; });
  is_awaited_ = false;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void LaunchBesideHost::run(const std::function<void()>& launch) {
  const std::scoped_lock lock(mutex_);
  try {
    launch();
  } catch (...) {
    // The session has the error of the kernel itself. This is an error of the launch.
    if (is_awaited_) error_ = std::current_exception();
  }
  set(State::ended);
}

void LaunchBesideHost::finish() {
  if (!is_in_flight()) return;
  ++finishing_;
  mutex_.wait(changed_, [&] { return !is_in_flight(); });
  --finishing_;
}

bool LaunchBesideHost::is_lost() const {
  return finishing_ != 0 && finishing_ >= threads_of_program();
}

void LaunchBesideHost::notice_once(const std::string& kernel) {
  if (is_noticed_ || Clock::now() - unchanged_since_ < kTimeToNotice) return;
  is_noticed_ = true;
  const PolledMemory& polled = last_polled_.front();
  say(fmt::format("kernel '{}' waits until the host changes the {} bytes at {:#x}, which are {:#x}",
                  kernel, polled.bytes, reinterpret_cast<std::uintptr_t>(polled.place),
                  polled.value));
}

bool LaunchBesideHost::wait_for_host(const std::vector<PolledMemory>& polled,
                                     const std::string& kernel) {
  if (!is_in_flight()) return false;
  const Clock::time_point began = Clock::now();
  if (polled != last_polled_) {
    last_polled_ = polled;
    unchanged_since_ = began;
  }
  const std::uint64_t calls_before = calls_;
  const auto may_go_on = [&] {
    return calls_ != calls_before || Clock::now() - began > kLongestPause ||
           std::any_of(polled.begin(), polled.end(), has_changed);
  };
  set(State::waits);
  bool is_hopeless = false;
  // While the process ends, the thread waits for the end.
  while (is_ending_() || (!may_go_on() && !is_hopeless)) {
    mutex_.wait_for(changed_, kLookInterval);
    notice_once(kernel);
    is_hopeless = is_lost() && !may_go_on();
  }
  state_ = State::runs;
  return !is_hopeless;
}

}  // namespace heddle::cuda
