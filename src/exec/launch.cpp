#include "exec/launch.h"

#include <algorithm>
#include <cstring>

#include "code/launch_constants.h"

namespace heddle::exec {

void fill_constants(Launch& launch) {
  namespace bank = code::launch_constants;
  std::vector<std::byte> bytes(bank::kParameters + launch.parameters.size() + 8);
  const auto put = [&](std::uint32_t offset, std::uint32_t value) {
    std::memcpy(&bytes[offset], &value, sizeof value);
  };
  put(bank::kBlockExtentX, launch.block.x);
  put(bank::kBlockExtentY, launch.block.y);
  put(bank::kBlockExtentZ, launch.block.z);
  put(bank::kGridExtentX, launch.grid.x);
  put(bank::kGridExtentY, launch.grid.y);
  put(bank::kGridExtentZ, launch.grid.z);
  put(bank::kGridWorkspaceHigh, static_cast<std::uint32_t>(launch.grid_workspace >> 32));
  put(bank::kGridWorkspaceLow, static_cast<std::uint32_t>(launch.grid_workspace));
  std::copy(launch.parameters.begin(), launch.parameters.end(), bytes.begin() + bank::kParameters);

  launch.constants.clear();
  for (const std::uint32_t offset : launch.code->constant_words) {
    std::uint32_t word = 0;
    if (offset + sizeof word <= bytes.size()) std::memcpy(&word, &bytes[offset], sizeof word);
    VectorRegister& constant = launch.constants.emplace_back();
    std::fill(std::begin(constant.lane), std::end(constant.lane), word);
  }
}

}  // namespace heddle::exec
