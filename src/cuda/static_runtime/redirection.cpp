#include "cuda/static_runtime/redirection.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <vector>

#include "base/error.h"
#include "cuda/static_runtime/entry_points.h"
#include "cuda/static_runtime/jump.h"

namespace heddle::cuda {
namespace {

struct Jump {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};
using JumpsByCode = std::map<const LoadedObject::Code*, std::vector<Jump>>;

JumpsByCode jumps_of(const LoadedObject& object, const ElfImage& image) {
  JumpsByCode jumps;
  for (const ElfImage::Function& function : image.functions()) {
    const std::optional<std::uint64_t> ours = entry_point(function.name);
    if (!ours) continue;
    const std::uint64_t address = object.base + function.address;
    const LoadedObject::Code* const code = object.code_at(address);
    if (code == nullptr || function.space < kJumpBytes || code->end - address < kJumpBytes) {
      throw InputError(fmt::format("'{}': its {} has {} bytes, too few for a jump to Heddle's",
                                   object.file, function.name, function.space));
    }
    jumps[code].push_back({.from = address, .to = *ours});
  }
  return jumps;
}

/// Sets the protection of the whole pages that contain the code.
void protect(const LoadedObject& object, const LoadedObject::Code& code, int protection) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t begin = code.begin / page * page;
  if (::mprotect(reinterpret_cast<void*>(begin), code.end - begin, protection) != 0) {
    throw InputError(fmt::format("'{}': its code cannot be changed in memory: {}", object.file,
                                 std::strerror(errno)));
  }
}

void write(const Jump& jump) {
  const auto code = jump_to(jump.to);
  char* const place = reinterpret_cast<char*>(jump.from);
  std::memcpy(place, code.data(), code.size());
  __builtin___clear_cache(place, place + code.size());
}

}  // namespace

void redirect(const LoadedObject& object, const ElfImage& image) {
  const JumpsByCode jumps = jumps_of(object, image);
  // If the system forbids the change, it fails at the first segment, before anything is written.
  for (const auto& [code, list] : jumps) protect(object, *code, PROT_READ | PROT_WRITE);
  for (const auto& [code, list] : jumps) {
    for (const Jump& jump : list) write(jump);
    protect(object, *code, code->protection);
  }
}

}  // namespace heddle::cuda
