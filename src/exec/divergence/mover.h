#pragma once

namespace heddle::exec {

struct Barrier;
struct Warp;

/// Who moves a warp's threads, where the warp does not do so itself, with its stack.
class Mover {
 public:
  Mover() = default;
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;
  virtual ~Mover() = default;

  /// The threads of `warp` that wait at the barrier go on.
  virtual void released(Warp& warp, const Barrier& done) = 0;
};

}  // namespace heddle::exec
