#include "sm/operands/place_energies.h"

#include <algorithm>
#include <array>

namespace heddle::sm {
namespace {

struct BankEnergy {
  double read, write;  ///< pJ for 128 bits.
};

// Table 4.5, by entries per thread.
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
constexpr double kWordsOfAccess = 4;

// Table 4.6, per word.
constexpr double kWirePerMillimetre = 1.9;
constexpr double kMainDistance = 1;
constexpr double kOperandFileToPrivate = 0.2;
constexpr double kOperandFileToShared = 0.4;
constexpr double kLastResultDistance = 0.05;

double word(double access, double millimetres) {
  return access / kWordsOfAccess + kWirePerMillimetre * millimetres;
}

}  // namespace

code::PlaceEnergies place_energies(std::uint32_t entries) {
  const std::size_t size = std::clamp<std::size_t>(entries, 1, kOperandFile.size());
  const BankEnergy& file = kOperandFile[size - 1];
  return {.main_read = word(kMainFile.read, kMainDistance),
          .main_write = word(kMainFile.write, kMainDistance),
          .operand_read_private = word(file.read, kOperandFileToPrivate),
          .operand_read_shared = word(file.read, kOperandFileToShared),
          .operand_write_private = word(file.write, kOperandFileToPrivate),
          .operand_write_shared = word(file.write, kOperandFileToShared),
          .last_result_read = word(kLastResultFile.read, kLastResultDistance),
          .last_result_write = word(kLastResultFile.write, kLastResultDistance)};
}

}  // namespace heddle::sm
