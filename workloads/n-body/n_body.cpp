#include <cmath>
#include <utility>
#include <vector>

#include "kernel.h"
#include "reference.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::n_body_host {
namespace {

using n_body::Body;
using n_body::kThreads;
using n_body::Velocity;

/// The host uses the floats of the GPU, because floats do not represent these decimals exactly.
constexpr n_body::Step kStep{.interval = 0.016F, .softening_squared = 0.01F, .damping = 0.995F};

struct Extent {
  std::uint32_t bodies;
  int steps;
};

/// Sizes that are not multiples of the block.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {200, 2};
    case Size::small:
      return {1'000, 2};
    case Size::medium:
      return {2'000, 3};
    case Size::large:
    case Size::paper:
      break;
  }
  return {5'000, 3};
}

class NBody final : public HostProgram {
 public:
  /// A rotating ball: bodies anywhere in a sphere, with a total mass of 1.
  NBody(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    while (bodies_.size() < extent_.bodies) {
      Body body{.x = random.uniform_float(-1, 1),
                .y = random.uniform_float(-1, 1),
                .z = random.uniform_float(-1, 1),
                .mass = random.uniform_float(0.5F, 1.5F) / static_cast<float>(extent_.bodies)};
      if (body.x * body.x + body.y * body.y + body.z * body.z > 1) continue;
      bodies_.push_back(body);
      velocities_.push_back({.x = -body.y + random.uniform_float(-0.1F, 0.1F),
                             .y = body.x + random.uniform_float(-0.1F, 0.1F),
                             .z = random.uniform_float(-0.1F, 0.1F),
                             .unused = 0});
    }
  }

  void run(Gpu& device) override {
    Array<Body> before = device.upload(bodies_, "bodies");
    Array<Body> after = device.allocate<Body>(bodies_.size(), "bodies after");
    const Array<Velocity> velocities = device.upload(velocities_, "velocities");
    for (int i = 0; i < extent_.steps; ++i) {
      device.launch("step_bodies",
                    {.grid = {(extent_.bodies + kThreads - 1) / kThreads}, .block = {kThreads}},
                    before, after, velocities, static_cast<int>(extent_.bodies), kStep);
      std::swap(before, after);
    }
    moved_ = device.download(before);
    moved_velocities_ = device.download(velocities);
  }

  CheckResult check() const override {
    std::vector<BoundedBody> bodies;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Body& body = bodies_[i];
      const Velocity& velocity = velocities_[i];
      bodies.push_back({.position = {body.x, body.y, body.z},
                        .velocity = {velocity.x, velocity.y, velocity.z},
                        .mass = body.mass});
    }
    for (int i = 0; i < extent_.steps; ++i) bodies = step_on_host(bodies, kStep);

    std::vector<double> positions, want_positions, velocities, want_velocities;
    std::vector<float> masses, want_masses;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const BoundedBody& want = bodies[i];
      const Vector position{moved_[i].x, moved_[i].y, moved_[i].z};
      const Vector velocity{moved_velocities_[i].x, moved_velocities_[i].y, moved_velocities_[i].z};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        positions.push_back(position[axis] / want.position_error);
        want_positions.push_back(want.position[axis] / want.position_error);
        velocities.push_back(velocity[axis] / want.velocity_error);
        want_velocities.push_back(want.velocity[axis] / want.velocity_error);
      }
      masses.push_back(moved_[i].mass);
      want_masses.push_back(bodies_[i].mass);
    }
    CheckResult check;
    const Bound bound{
        .absolute = 1.001,
        .reason = "the roundings of single precision, added up along with the motion"};
    check.close("positions / their bounds", positions, want_positions, bound);
    check.close("velocities / their bounds", velocities, want_velocities, bound);
    check.close("masses", masses, want_masses, {.reason = "they are copied"});
    return check;
  }

 private:
  Extent extent_;
  std::vector<Body> bodies_, moved_;
  std::vector<Velocity> velocities_, moved_velocities_;
};

const Registration kRegistration({
    .name = "n-body",
    .summary = "Bodies that attract each other, all pairs, in time steps",
    .papers = {"storage Table 4.2", "storage Table 4.3"},
    .kernels = {{"step_bodies", {kThreads}}},
    .make = make_program<NBody>,
});

}  // namespace
}  // namespace heddle::workload::n_body_host
