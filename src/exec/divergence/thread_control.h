#pragma once

namespace heddle::exec {

struct Barrier;
struct Warp;

/// Controls the threads of a warp that does not use its own reconvergence stack.
class ThreadControl {
 public:
  ThreadControl() = default;
  ThreadControl(const ThreadControl&) = delete;
  ThreadControl& operator=(const ThreadControl&) = delete;
  virtual ~ThreadControl() = default;

  /// Resumes the threads of `warp` that wait at the barrier `done`, which has been released.
  virtual void on_release(Warp& warp, const Barrier& done) = 0;
};

}  // namespace heddle::exec
