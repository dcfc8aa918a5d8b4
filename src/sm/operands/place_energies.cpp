#include "sm/operands/place_energies.h"

#include <algorithm>
#include <array>

namespace heddle::sm {
namespace {

struct BankEnergy {
  double read, write;  ///< In pJ, for an access of 128 bits.
};

// Table 4.5 of Gebhart's dissertation: the operand file by its entries per thread, from 1 on.
constexpr std::array<BankEnergy, 8> kOperandFile{{{0.7, 2.0},
                                                  {1.2, 3.8},
                                                  {1.2, 4.4},
                                                  {1.9, 6.1},
                                                  {2.0, 6.0},
                                                  {2.0, 6.7},
                                                  {2.4, 7.7},
                                                  {3.4, 10.9}}};
constexpr BankEnergy kLastResultFile{0.7, 2.0};
constexpr BankEnergy kMainFile{8, 11};
constexpr double kWordsPerAccess = 4;

// Table 4.6: wires, in pJ per 32-bit word and millimetre, and their lengths in millimetres.
constexpr double kWirePerMillimetre = 1.9;
constexpr double kMainDistance = 1;
constexpr double kOperandFileToPrivate = 0.2;
constexpr double kOperandFileToShared = 0.4;
constexpr double kLastResultDistance = 0.05;

/// The energy in pJ of an access to one word: its part of a 128-bit access, and the wires.
double energy_per_word(double access, double millimetres) {
  return access / kWordsPerAccess + kWirePerMillimetre * millimetres;
}

}  // namespace

code::PlaceEnergies place_energies(std::uint32_t entries) {
  const std::size_t size = std::clamp<std::size_t>(entries, 1, kOperandFile.size());
  const BankEnergy& file = kOperandFile[size - 1];
  return {.main_read = energy_per_word(kMainFile.read, kMainDistance),
          .main_write = energy_per_word(kMainFile.write, kMainDistance),
          .operand_read_private = energy_per_word(file.read, kOperandFileToPrivate),
          .operand_read_shared = energy_per_word(file.read, kOperandFileToShared),
          .operand_write_private = energy_per_word(file.write, kOperandFileToPrivate),
          .operand_write_shared = energy_per_word(file.write, kOperandFileToShared),
          .last_result_read = energy_per_word(kLastResultFile.read, kLastResultDistance),
          .last_result_write = energy_per_word(kLastResultFile.write, kLastResultDistance)};
}

}  // namespace heddle::sm
