#pragma once

namespace heddle::exec {

struct Barrier;
struct Warp;

/// Decides where the threads of a warp continue if the warp does not use its own reconvergence
/// stack.
class ThreadControl {
 public:
  ThreadControl() = default;
  ThreadControl(const ThreadControl&) = delete;
  ThreadControl& operator=(const ThreadControl&) = delete;
  virtual ~ThreadControl() = default;

  /// Resumes the threads of `warp` that wait at a barrier. `released` is the barrier as it was when
  /// it was released.
  virtual void on_release(Warp& warp, const Barrier& released) = 0;
};

}  // namespace heddle::exec
