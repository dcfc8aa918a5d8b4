#include "exec/fault/fault.h"

#include <utility>

namespace heddle::exec {

void raise(FaultKind kind, int lane, std::uint64_t address, std::uint32_t bytes,
           std::string detail) {
  throw LaneFault{kind, lane, address, bytes, std::move(detail)};
}

}  // namespace heddle::exec
