#include "gpu/sm_group.h"

namespace heddle::gpu {

void SmGroup::declare(config::Declarations& parameters) {
  parameters.number("sms", sms, {.least = 1, .most = 1024},
                    "multiprocessors of this group, as part of chip.sms");
  sm.declare(parameters);
}

}  // namespace heddle::gpu
