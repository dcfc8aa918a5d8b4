#include "cell_reference.h"

namespace heddle::workload::myocyte {
namespace {

using namespace ::myocyte;

using State = Cell<Rounded>;

/// A constant, with the kernel's value.
Rounded constant(float value) { return Rounded::exact(static_cast<double>(value)); }

/// A Boltzmann function of the potential; it rises, or falls if `width` is negative.
Rounded share(const State& cell, double middle, double width) {
  return 1.0 / (1.0 + exp((middle - cell[kPotential]) / width));
}

/// The equilibrium potential of an ion's concentrations (Nernst).
Rounded resting(Rounded outside, Rounded inside) {
  return constant(kThermal) * log(outside / inside);
}

/// The factor x / (e^x - 1) of the Goldman equation, which is 1 at 0.
Rounded goldman(Rounded x) { return x.value == 0 ? Rounded::exact(1) : x / expm1(x); }

/// Currents out of the cell, by their ion.
struct Flows {
  Rounded sodium, sodium_leak, rectifier, transient, rapid, slow, plateau, calcium, calcium_leak,
      calcium_pump, exchanger, sodium_pump;
};

Rounded exchanger(const State& cell) {
  const auto cube = [](Rounded x) { return x * x * x; };
  const Rounded volts = cell[kPotential] / constant(kThermal);
  const Rounded back = exp(-0.65 * volts);
  const Rounded forth = exp(0.35 * volts);
  const Rounded outside = cube(constant(kSodiumOutside));
  const Rounded calcium_outside = constant(kCalciumOutside);
  const Rounded drive =
      forth * cube(cell[kSodium]) * calcium_outside - back * outside * cell[kCalcium] * 2.5;
  const Rounded saturation = (cube(87.5) + outside) * (1.38 + calcium_outside) * (1.0 + 0.1 * back);
  return constant(kExchanger) * drive / saturation;
}

Flows flows_of(const State& cell, const Conductances& conductances) {
  const Rounded v = cell[kPotential];
  const Rounded over_sodium = v - resting(constant(kSodiumOutside), cell[kSodium]);
  const Rounded over_potassium = v - resting(constant(kPotassiumOutside), cell[kPotassium]);
  const Rounded over_calcium = v - 0.5 * resting(constant(kCalciumOutside), cell[kCalcium]);
  // The slow channels also pass a little sodium.
  const Rounded over_mixed =
      v - resting(constant(kPotassiumOutside) + 0.03 * constant(kSodiumOutside),
                  cell[kPotassium] + 0.03 * cell[kSodium]);

  Flows flows;
  flows.sodium = constant(conductances.sodium) * cell[kM] * cell[kM] * cell[kM] * cell[kH] *
                 cell[kJ] * over_sodium;
  flows.sodium_leak = constant(kSodiumLeak) * over_sodium;
  const Rounded alpha = 0.1 / (1.0 + exp(0.06 * (over_potassium - 200.0)));
  const Rounded beta =
      (3.0 * exp(0.0002 * (over_potassium + 100.0)) + exp(0.1 * (over_potassium - 10.0))) /
      (1.0 + exp(-0.5 * over_potassium));
  flows.rectifier = constant(conductances.rectifier) * (alpha / (alpha + beta)) * over_potassium;
  flows.transient = constant(conductances.transient) * cell[kR] * cell[kS] * over_potassium;
  flows.rapid = constant(conductances.rapid) * cell[kXr1] * cell[kXr2] * over_potassium;
  flows.slow = constant(conductances.slow) * square(cell[kXs]) * over_mixed;
  flows.plateau = constant(kPlateau) * share(cell, 25, 5.98) * over_potassium;

  const Rounded x = 2.0 * (v - 15.0) / constant(kThermal);
  flows.calcium = constant(conductances.calcium) * cell[kD] * cell[kF] * cell[kF2] * cell[kFCass] *
                  2.0 * constant(kFaraday) * goldman(x) *
                  (0.25 * cell[kCleft] * exp(x) - constant(kCalciumOutside));
  flows.calcium_leak = constant(kCalciumLeak) * over_calcium;
  flows.calcium_pump =
      constant(kCalciumPump) * cell[kCalcium] / (constant(kCalciumPumpHalf) + cell[kCalcium]);
  flows.exchanger = exchanger(cell);
  const Rounded blocked =
      1.0 + 0.1245 * exp(-0.1 * v / constant(kThermal)) + 0.0353 * exp(-v / constant(kThermal));
  flows.sodium_pump = constant(kSodiumPump) *
                      (constant(kPotassiumOutside) / (constant(kPotassiumOutside) + 1.0)) *
                      (cell[kSodium] / (cell[kSodium] + constant(kSodiumPumpHalf))) / blocked;
  return flows;
}

/// The free share of added ions when a buffer binds them.
Rounded free_share(Rounded concentration, double capacity, double half) {
  const Rounded sum = concentration + half;
  return 1.0 / (1.0 + Rounded(capacity) * half / (sum * sum));
}

void rate_calcium(const State& cell, const Flows& flows, State& rates) {
  const Rounded in = cell[kCalcium], stored = cell[kStored], cleft = cell[kCleft];
  const Rounded sensitivity = 2.5 - (2.5 - Rounded(1.0)) / (1.0 + square(1.5 / stored));
  const Rounded bound = (0.15 / sensitivity) * square(cleft);
  rates[kReceptors] =
      0.005 * (1.0 - cell[kReceptors]) - (0.045 * sensitivity) * cleft * cell[kReceptors];
  const Rounded open = bound * cell[kReceptors] / (0.06 + bound);
  const Rounded released = 0.102 * open * (stored - cleft);
  const Rounded pumped_back = 0.006375 / (1.0 + square(0.00025) / square(in));
  const Rounded leaked = 0.00036 * (stored - in);
  const Rounded diffused = 0.0038 * (cleft - in);

  const Rounded charge = 2.0 * constant(kFaraday);
  const Rounded capacitance = constant(kCapacitance);
  const Rounded volume = constant(kVolume), store = constant(kStoreVolume),
                cleft_volume = constant(kCleftVolume);
  rates[kStored] = free_share(stored, 10, 0.3) * (pumped_back - released - leaked);
  rates[kCleft] = free_share(cleft, 0.4, 0.00025) *
                  (released * store / cleft_volume - diffused * volume / cleft_volume -
                   flows.calcium * capacitance / (charge * cleft_volume));
  const Rounded through_membrane = flows.calcium_leak + flows.calcium_pump - 2.0 * flows.exchanger;
  rates[kCalcium] =
      free_share(in, 0.2, 0.001) * (diffused - (pumped_back - leaked) * store / volume -
                                    through_membrane * capacitance / (charge * volume));
}

/// A gate: its steady state, and its time constant.
struct Gate {
  Variable variable;
  Rounded steady, time;
};

void rate_gates(const State& cell, State& rates) {
  const Rounded v = cell[kPotential];
  const auto bell = [&](double middle, double width) { return exp(-square(v - middle) / width); };
  const Rounded cleft = 1.0 / (1.0 + square(cell[kCleft] / 0.05));
  const Rounded inactivated = square(share(cell, -71.55, -7.43));
  const bool is_high = v.value >= -40;
  const Rounded h_speed =
      is_high ? 0.77 / (0.13 * (1.0 + exp((v + 10.66) / -11.1)))
              : 0.057 * exp((v + 80.0) / -6.8) + 2.7 * exp(0.079 * v) + 310000.0 * exp(0.3485 * v);
  const Rounded j_rising = (25428.0 * exp(0.2444 * v) + 0.000006948 * exp(-0.04391 * v)) *
                           (-37.78 - v) / (1.0 + exp(0.311 * (v + 79.23)));
  const Rounded j_speed =
      is_high ? 0.6 * exp(0.057 * v) / (1.0 + exp(-0.1 * (v + 32.0)))
              : j_rising + 0.02424 * exp(-0.01052 * v) / (1.0 + exp(-0.1378 * (v + 40.14)));
  const std::array<Gate, kVariables - kFirstGate> gates{{
      {kM, square(share(cell, -56.86, 9.03)),
       share(cell, -60, 5) * (0.1 * share(cell, -35, -5) + 0.1 * share(cell, 50, -200))},
      {kH, inactivated, 1.0 / h_speed},
      {kJ, inactivated, 1.0 / j_speed},
      {kXr1, share(cell, -26, 7), 450.0 * share(cell, -45, 10) * 6.0 * share(cell, -30, -11.5)},
      {kXr2, share(cell, -88, -24), 3.0 * share(cell, -60, 20) * 1.12 * share(cell, 60, -20)},
      {kXs, share(cell, -5, 14),
       1400.0 / sqrt(1.0 + exp((5.0 - v) / 6.0)) * share(cell, 35, -15) + 80.0},
      {kR, share(cell, 20, 6), 9.5 * bell(-40, 1800) + 0.8},
      {kS, share(cell, -20, -5), 85.0 * bell(-45, 320) + 5.0 * share(cell, 20, -5) + 3.0},
      {kD, share(cell, -8, 7.5),
       (1.4 * share(cell, -35, 13) + 0.25) * 1.4 * share(cell, -5, -5) + share(cell, 50, 20)},
      {kF, share(cell, -20, -7),
       1102.5 * bell(-27, 225) + 200.0 * share(cell, 13, 10) + 180.0 * share(cell, -30, -10) +
           20.0},
      {kF2, 0.67 * share(cell, -35, -7) + 0.33,
       562.0 * bell(-27, 240) + 31.0 * share(cell, 25, 10) + 80.0 * share(cell, -30, -10)},
      {kFCass, 0.6 * cleft + 0.4, 80.0 * cleft + 2.0},
  }};
  for (const Gate& gate : gates) {
    rates[gate.variable] = (gate.steady - cell[gate.variable]) / gate.time;
  }
}

}  // namespace

State rates_of(const State& cell, const Conductances& conductances) {
  const Flows flows = flows_of(cell, conductances);
  const Rounded potassium =
      flows.rectifier + flows.transient + flows.rapid + flows.slow + flows.plateau;
  const Rounded sodium = flows.sodium + flows.sodium_leak;
  State rates{};
  rates[kPotential] = -(sodium + potassium + flows.calcium + flows.calcium_leak +
                        flows.calcium_pump + flows.exchanger + flows.sodium_pump);
  const Rounded charge = constant(kVolume) * constant(kFaraday);
  const Rounded capacitance = constant(kCapacitance);
  rates[kSodium] =
      -(sodium + 3.0 * flows.sodium_pump + 3.0 * flows.exchanger) * capacitance / charge;
  rates[kPotassium] = -(potassium - 2.0 * flows.sodium_pump) * capacitance / charge;
  rate_calcium(cell, flows, rates);
  rate_gates(cell, rates);
  return rates;
}

}  // namespace heddle::workload::myocyte
