#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <thread>
#include <vector>

#include "cuda/runtime/graph_calls.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda {

// NOLINTBEGIN(readability-identifier-naming)
HEDDLE_CUDA_EXPORT Error cudaLaunchHostFunc(abi::StreamHandle stream, abi::HostFunction function,
                                            void* data);
// NOLINTEND(readability-identifier-naming)

namespace {

/// Captures a host function in a new stream, and makes an executable graph of it. The stream does
/// not synchronise with the legacy default stream, which other threads may use meanwhile.
abi::ExecutableHandle capture_function(abi::HostFunction function, void* data) {
  abi::StreamHandle stream = nullptr;
  abi::GraphHandle graph = nullptr;
  abi::ExecutableHandle executable = nullptr;
  EXPECT_EQ(cudaStreamCreateWithPriority(&stream, Stream::kNonBlocking, 0), Error::success);
  EXPECT_EQ(cudaStreamBeginCapture(stream, abi::CaptureMode::thread_local_only), Error::success);
  EXPECT_EQ(cudaLaunchHostFunc(stream, function, data), Error::success);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), Error::success);
  EXPECT_EQ(cudaGraphInstantiateWithFlags(&executable, graph, 0), Error::success);
  EXPECT_EQ(cudaGraphDestroy(graph), Error::success);
  EXPECT_EQ(cudaStreamDestroy(stream), Error::success);
  return executable;
}

void count(void* number) { ++*static_cast<int*>(number); }

void run_in_threads(int threads, const std::function<void(int)>& body) {
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) running.emplace_back(body, i);
  for (std::thread& thread : running) thread.join();
}

TEST(GraphLaunch, ExecutesLaunchesOfSeveralThreadsOneAfterTheOther) {
  for (const int threads : {1, 2, 4}) {
    int calls = 0;  // Not atomic: two launches of one graph never run at the same time.
    const abi::ExecutableHandle executable = capture_function(count, &calls);
    run_in_threads(threads, [&](int) {
      for (int i = 0; i < 100; ++i) EXPECT_EQ(cudaGraphLaunch(executable, nullptr), Error::success);
    });
    EXPECT_EQ(calls, 100 * threads);
    EXPECT_EQ(cudaGraphExecDestroy(executable), Error::success);
  }
  Session::instance().reset();  // Other tests require that the runtime has not been used.
}

TEST(GraphLaunch, CapturesInSeveralThreadsAreIndependent) {
  std::array<int, 4> calls{};
  run_in_threads(4, [&](int thread) {
    for (int i = 0; i < 20; ++i) {
      const abi::ExecutableHandle executable = capture_function(count, &calls[thread]);
      EXPECT_EQ(cudaGraphLaunch(executable, nullptr), Error::success);
      EXPECT_EQ(cudaGraphExecDestroy(executable), Error::success);
    }
  });
  for (const int number : calls) EXPECT_EQ(number, 20);
  Session::instance().reset();
}

/// The executable graph that launch_again() launches, and the result.
struct Relaunch {
  abi::ExecutableHandle executable = nullptr;
  Error error = Error::success;
};
void launch_again(void* data) {
  auto& relaunch = *static_cast<Relaunch*>(data);
  relaunch.error = cudaGraphLaunch(relaunch.executable, nullptr);
}
void destroy_executable(void* data) {
  auto& relaunch = *static_cast<Relaunch*>(data);
  relaunch.error = cudaGraphExecDestroy(relaunch.executable);
}

TEST(GraphLaunch, HostFunctionCannotLaunchItsGraphButCanDestroyIt) {
  Relaunch relaunch;
  relaunch.executable = capture_function(launch_again, &relaunch);
  EXPECT_EQ(cudaGraphLaunch(relaunch.executable, nullptr), Error::success);
  EXPECT_EQ(relaunch.error, Error::not_permitted);
  relaunch.executable = capture_function(destroy_executable, &relaunch);
  EXPECT_EQ(cudaGraphLaunch(relaunch.executable, nullptr), Error::success);
  EXPECT_EQ(relaunch.error, Error::success);
  EXPECT_EQ(cudaGraphLaunch(relaunch.executable, nullptr), Error::invalid_value);
  Session::instance().reset();
}

}  // namespace
}  // namespace heddle::cuda
