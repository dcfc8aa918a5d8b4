#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cell_reference.h"
#include "fehlberg.h"
#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::myocyte_host {
namespace {

using myocyte::Cell;
using ::myocyte::Conductances;
using myocyte::integrate;
using ::myocyte::kBlock;
using ::myocyte::kPotential;
using myocyte::Rounded;
using myocyte::Values;

/// The tolerance of a step's error, as a share of each variable's scale.
constexpr double kTolerance = 1e-4;

/// The duration in milliseconds, after a shock that opens the sodium channels.
double duration_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 0.3;
    case Size::small:
      return 20;
    case Size::medium:
      return 100;
    case Size::large:
    case Size::paper:
      break;
  }
  return 310;
}

/// A cell at rest.
constexpr Cell<double> kAtRest{-85.23,   8.604,    136.89, 1.26e-4, 3.64,   3.6e-4, 0.9073,
                               0.00172,  0.7444,   0.7045, 0.00621, 0.4712, 0.0095, 2.42e-8,
                               0.999998, 3.373e-5, 0.7888, 0.9755,  0.9953};
/// The scale of each variable; gates are between 0 and 1.
constexpr Cell<double> kScales{100, 10, 100, 1e-3, 4, 0.1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

class Myocyte final : public HostProgram {
 public:
  Myocyte(Size size, std::uint64_t seed)
      : duration_(duration_of(size)), start_(kAtRest.begin(), kAtRest.end()) {
    Random random(seed);
    for (float Conductances::*const conductance :
         {&Conductances::sodium, &Conductances::calcium, &Conductances::rapid, &Conductances::slow,
          &Conductances::transient, &Conductances::rectifier}) {
      conductances_.*conductance *= random.uniform_float(0.8F, 1.2F);
    }
    start_[kPotential] = random.uniform(-50, -45);
  }

  void run(Gpu& device) override {
    const auto state = device.allocate<float>(start_.size(), "state");
    const auto rates = device.allocate<float>(start_.size(), "rates");
    evaluations_.clear();
    const auto evaluate = [&](const Values& values) {
      Evaluation evaluation;
      for (const double value : values) evaluation.state.push_back(static_cast<float>(value));
      device.write(state, evaluation.state);
      device.launch("cell_rates", {.grid = {2}, .block = {kBlock}}, state, conductances_, rates);
      evaluation.rates = device.download(rates);
      evaluations_.push_back(evaluation);
      return Values(evaluation.rates.begin(), evaluation.rates.end());
    };
    steps_ = integrate(evaluate, start_, scales(), kTolerance, duration_);
  }

  CheckResult check() const override {
    CheckResult check;
    check_rates(check);
    check_end(check);
    return check;
  }

 private:
  struct Evaluation {
    std::vector<float> state, rates;
  };

  static Values scales() { return {kScales.begin(), kScales.end()}; }

  /// Checks all evaluations of the device, each from its input.
  void check_rates(CheckResult& check) const {
    std::vector<double> shares;
    for (const Evaluation& evaluation : evaluations_) {
      const Cell<Rounded> rates =
          rates_at(Values(evaluation.state.begin(), evaluation.state.end()));
      for (std::size_t i = 0; i < rates.size(); ++i) {
        shares.push_back((static_cast<double>(evaluation.rates[i]) - rates.at(i).value) /
                         rates.at(i).error);
      }
    }
    check.close(
        "rates' errors / their bounds", shares, std::vector<double>(shares.size()),
        {.absolute = 2,
         .reason = "a rounding of 2^-24 in every operation and CUDA's bounds for expf, expm1f "
                   "and logf; twice that, because the order of operations may differ"});
  }

  /// Checks the final state, with shorter steps and rates in double precision.
  void check_end(CheckResult& check) const {
    const auto evaluate = [&](const Values& values) {
      Values rates;
      for (const Rounded& rate : rates_at(values)) rates.push_back(rate.value);
      return rates;
    };
    const Values want =
        integrate(evaluate, start_, scales(), kTolerance / 10, duration_).back().values;
    std::vector<double> got_shares, want_shares;
    for (std::size_t i = 0; i < want.size(); ++i) {
      got_shares.push_back(steps_.back().values[i] / kScales.at(i));
      want_shares.push_back(want[i] / kScales.at(i));
    }
    check.close("the cell at the end / scales", got_shares, want_shares,
                {.absolute = 50 * kTolerance,
                 .reason = "a step's error is below 1e-4 of the scales; while the sodium channels "
                           "open, early errors grow up to fifty-fold"});
  }

  Cell<Rounded> rates_at(const Values& values) const {
    Cell<Rounded> state{};
    for (std::size_t i = 0; i < state.size(); ++i) state.at(i) = Rounded::exact(values[i]);
    return rates_of(state, conductances_);
  }

  double duration_;
  Values start_;
  Conductances conductances_;
  std::vector<Evaluation> evaluations_;  ///< All evaluations of the device.
  std::vector<myocyte::Step> steps_;
};

const Registration kRegistration({
    .name = "myocyte",
    .summary = "A heart muscle cell's action potential: nineteen equations, few and long threads",
    .papers = {"simt Section 5.5"},
    .kernels = {{"cell_rates", {kBlock}}},
    .make = make_program<Myocyte>,
});

}  // namespace
}  // namespace heddle::workload::myocyte_host
