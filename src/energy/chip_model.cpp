#include "energy/chip_model.h"

namespace heddle::energy {

ChipModel::Saving ChipModel::saving(double saved_fraction) const {
  Saving saving;
  saving.of_multiprocessor = register_file_share * saved_fraction;
  saving.of_dynamic = (1 - memory_system_share) * saving.of_multiprocessor;
  saving.of_chip = (1 - leakage_share) * saving.of_dynamic;
  saving.watts = watts * saving.of_chip;
  return saving;
}

}  // namespace heddle::energy
