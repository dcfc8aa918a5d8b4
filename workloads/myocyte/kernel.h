#pragma once

// What host and kernel agree on: the variables and constants of the cell, as ten Tusscher and
// Panfilov give them (Alternans and spiral breakup in a human ventricular tissue model, 2006).
// Units: millivolts, milliseconds, millimoles per litre, picoamperes per picofarad.

namespace myocyte {

constexpr int kBlock = 32;

enum Variable {
  kPotential,
  kSodium,
  kPotassium,
  kCalcium,    ///< In the cytoplasm.
  kStored,     ///< Calcium in the sarcoplasmic reticulum.
  kCleft,      ///< Calcium in the cleft between the reticulum and the membrane.
  kReceptors,  ///< The share of the reticulum's receptors that can open.
  // Gates, with the paper's names: open shares of the sodium channels ...
  kM,
  kH,
  kJ,
  // ... of the delayed rectifiers of potassium, the rapid and the slow ...
  kXr1,
  kXr2,
  kXs,
  // ... of the transient outward current ...
  kR,
  kS,
  // ... and of the calcium channels.
  kD,
  kF,
  kF2,
  kFCass,
  kVariables
};
constexpr int kFirstGate = kM;

/// The conductances of the channels that differ from cell to cell.
struct Conductances {
  float sodium = 14.838f;
  float calcium = 3.98e-5f;
  float rapid = 0.153f;
  float slow = 0.392f;
  float transient = 0.294f;
  float rectifier = 5.405f;
};

// The other conductances, and the rates of the pumps.
constexpr float kSodiumLeak = 2.9e-4f;
constexpr float kCalciumLeak = 5.92e-4f;
constexpr float kPlateau = 0.0146f;
constexpr float kCalciumPump = 0.1238f;
constexpr float kCalciumPumpHalf = 5e-4f;
constexpr float kSodiumPump = 2.724f;
constexpr float kSodiumPumpHalf = 40.0f;
constexpr float kExchanger = 1000.0f;

constexpr float kSodiumOutside = 140.0f;
constexpr float kPotassiumOutside = 5.4f;
constexpr float kCalciumOutside = 2.0f;

constexpr float kFaraday = 96485.3415f;
/// The gas constant times 310 K, divided by Faraday's constant.
constexpr float kThermal = 26.713761f;

constexpr float kCapacitance = 0.185f;
constexpr float kVolume = 0.016404f;  ///< Of the cytoplasm; reticulum and cleft follow.
constexpr float kStoreVolume = 0.001094f;
constexpr float kCleftVolume = 5.468e-5f;

}  // namespace myocyte
