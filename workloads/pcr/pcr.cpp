#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::pcr_host {
namespace {

std::size_t systems_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 7;
    case Size::small:
      return 150;
    case Size::medium:
      return 700;
    case Size::large:
    case Size::paper:
      break;
  }
  return 4'000;
}

/// The coefficients and right-hand sides of many systems, kEquations each, one after the other.
struct Systems {
  std::vector<float> lower, diagonal, upper, right;
};

/// Gaussian elimination from the first equation to the last, and back substitution.
std::vector<double> eliminate(const Systems& systems, std::size_t first) {
  std::vector<double> upper(kEquations), solution(kEquations);
  double upper_before = 0;
  double right_before = 0;
  for (std::size_t i = 0; i < kEquations; ++i) {
    const double lower = systems.lower[first + i];
    const double pivot = systems.diagonal[first + i] - lower * upper_before;
    upper_before = upper[i] = systems.upper[first + i] / pivot;
    right_before = solution[i] = (systems.right[first + i] - lower * right_before) / pivot;
  }
  for (std::size_t i = kEquations - 1; i-- > 0;) solution[i] -= upper[i] * solution[i + 1];
  return solution;
}

class Pcr final : public HostProgram {
 public:
  /// Generates rods after an implicit time step of heat: the heat of a piece before the step equals
  /// its heat after it minus the inflow from both sides.
  Pcr(Size size, std::uint64_t seed) {
    Random random(seed);
    const std::size_t systems = systems_of(size);
    for (std::size_t system = 0; system < systems; ++system) {
      float conducts = 0;  // No flow through the ends.
      float temperature = random.uniform_float(0, 100);
      for (int i = 0; i < kEquations; ++i) {
        const float conducts_next = i + 1 < kEquations ? random.uniform_float(0.05F, 0.5F) : 0;
        if (random.below(40) == 0) temperature = random.uniform_float(0, 100);
        systems_.lower.push_back(-conducts);
        systems_.diagonal.push_back(1 + conducts + conducts_next);
        systems_.upper.push_back(-conducts_next);
        systems_.right.push_back(temperature);
        conducts = conducts_next;
      }
    }
  }

  void run(Gpu& device) override {
    const std::size_t equations = systems_.right.size();
    const Array<float> lower = device.upload(systems_.lower, "lower");
    const Array<float> diagonal = device.upload(systems_.diagonal, "diagonal");
    const Array<float> upper = device.upload(systems_.upper, "upper");
    const Array<float> right = device.upload(systems_.right, "right");
    const Array<float> solutions = device.allocate<float>(equations, "solutions");
    device.launch("solve_tridiagonal",
                  {.grid = {static_cast<std::uint32_t>(equations / kEquations)},
                   .block = {static_cast<std::uint32_t>(kEquations)}},
                  lower, diagonal, upper, right, solutions);
    solutions_ = device.download(solutions);
  }

  CheckResult check() const override {
    std::vector<double> got, want;
    for (std::size_t first = 0; first < solutions_.size(); first += kEquations) {
      const std::vector<double> solution = eliminate(systems_, first);
      double greatest = 0;
      for (const double value : solution) greatest = std::max(greatest, std::abs(value));
      for (std::size_t i = 0; i < solution.size(); ++i) {
        got.push_back(static_cast<double>(solutions_[first + i]) / greatest);
        want.push_back(solution[i] / greatest);
      }
    }
    // The two off-diagonal coefficients of an equation are together at most half its diagonal,
    // after one step a third, then an eighth, then next to nothing. The terms of a new equation
    // have five roundings each. Their size relative to the result and the spread of errors give 38
    // roundings of the greatest unknown for the first step, 19 and 12 for the next ones, 10 for
    // each of the other five, and 20 for the last pairs.
    CheckResult check;
    check.close("unknowns / the greatest of their system", got, want,
                {.absolute = 139 * 0x1p-24,
                 .reason = "139 roundings of 2^-24, for a diagonal at least twice the rest"});
    return check;
  }

 private:
  Systems systems_;
  std::vector<float> solutions_;
};

const Registration kRegistration({
    .name = "pcr",
    .summary = "Tridiagonal systems by parallel cyclic reduction, a block a system",
    .papers = {"storage Table 4.3"},
    .kernels = {{"solve_tridiagonal", {kEquations}}},
    .make = make_program<Pcr>,
});

}  // namespace
}  // namespace heddle::workload::pcr_host
