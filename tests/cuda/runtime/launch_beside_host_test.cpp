// Launches that wait for the host. The functions here stand for kernels.

#include "cuda/runtime/launch_beside_host.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace heddle::cuda {
namespace {

struct Host {
  /// Executes a kernel that polls `flag` until it is not 0. Its result is the flag, or -1 if
  /// nothing can change the flag any more.
  void launch_polling_kernel() {
    beside.start([this] {
      while (flag == 0) {
        ++polls;
        if (!beside.wait_for_host({{.place = &flag, .bytes = 4, .value = 0}}, "k")) {
          result = -1;
          return;
        }
      }
      result = flag;
    });
  }

  std::atomic<int> flag = 0;
  std::atomic<int> polls = 0;
  int result = 0;
  SessionMutex mutex;
  LaunchBesideHost beside{mutex, [] { return false; }};
};

TEST(LaunchBesideHost, EndsWithinTheCallIfItDoesNotWait) {
  Host host;
  const std::scoped_lock lock(host.mutex);
  host.flag = 5;
  host.launch_polling_kernel();
  EXPECT_FALSE(host.beside.is_in_flight());
  EXPECT_EQ(host.result, 5);
}

TEST(LaunchBesideHost, ThrowsItsErrorInTheCall) {
  Host host;
  const std::scoped_lock lock(host.mutex);
  EXPECT_THROW(host.beside.start([] { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_FALSE(host.beside.is_in_flight());
}

TEST(LaunchBesideHost, GoesOnWhenTheHostChangesTheMemory) {
  Host host;
  const std::scoped_lock lock(host.mutex);
  host.launch_polling_kernel();
  EXPECT_TRUE(host.beside.waits());
  EXPECT_EQ(host.polls, 1) << "went on without a change";
  host.flag = 7;
  host.beside.finish();
  EXPECT_EQ(host.result, 7);
  EXPECT_EQ(host.polls, 1);
}

TEST(LaunchBesideHost, GoesOnWhenTheHostHasCalled) {
  Host host;
  {
    const std::scoped_lock lock(host.mutex);
    host.launch_polling_kernel();
    host.beside.note_call();
  }
  while (host.polls < 2) std::this_thread::yield();
  const std::scoped_lock lock(host.mutex);
  host.flag = 1;
  host.beside.finish();
}

TEST(LaunchBesideHost, NeedsNoCallOfTheHost) {
  Host host;
  {
    const std::scoped_lock lock(host.mutex);
    host.launch_polling_kernel();
  }
  host.flag = 9;
  while (true) {
    const std::scoped_lock lock(host.mutex);
    if (!host.beside.is_in_flight()) break;
  }
  EXPECT_EQ(host.result, 9);
}

TEST(LaunchBesideHost, IsLostIfTheWholeProgramWaitsForIt) {
  Host host;
  const std::scoped_lock lock(host.mutex);
  host.launch_polling_kernel();
  host.beside.finish();
  EXPECT_EQ(host.result, -1);
}

TEST(LaunchBesideHost, IsNotLostWhileAnotherThreadRuns) {
  Host host;
  std::atomic<bool> is_launched = false;
  std::thread writer([&] {
    while (!is_launched) std::this_thread::yield();
    // Succeeds only if the thread that waits has given the mutex up, which it has locked twice.
    const std::scoped_lock lock(host.mutex);
    host.flag = 3;
  });
  {
    const std::scoped_lock once(host.mutex);
    const std::scoped_lock twice(host.mutex);
    host.launch_polling_kernel();
    is_launched = true;
    host.beside.finish();
  }
  EXPECT_EQ(host.result, 3);
  writer.join();
}

}  // namespace
}  // namespace heddle::cuda
