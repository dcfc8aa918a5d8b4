#include "gpu/sm_group.h"

namespace heddle::gpu {

void SmGroup::declare(config::Declarations& parameters) {
  parameters.number("sms", sms, {.least = 1, .most = 1024},
                    "of the chip's multiprocessors (chip.sms) that are of this group");
  sm.declare(parameters);
}

}  // namespace heddle::gpu
