#include "cuda/static_runtime/redirection.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <vector>

#include "base/error.h"
#include "cuda/static_runtime/jump.h"

namespace heddle::cuda {
namespace {

/// A jump to be written: at `from`, the entry of a function of the static runtime, to `to`.
struct Jump {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};
using JumpsByCode = std::map<const LoadedObject::Code*, std::vector<Jump>>;

JumpsByCode jumps_of(const LoadedObject& object, const ElfImage& image, FindReplacement find) {
  JumpsByCode jumps;
  for (const ElfImage::Function& function : image.functions()) {
    const std::optional<std::uint64_t> replacement = find(function.name);
    if (!replacement) continue;
    const std::uint64_t address = object.base + function.address;
    const LoadedObject::Code* const code = object.code_at(address);
    if (code == nullptr || function.space < kJumpBytes || code->end - address < kJumpBytes) {
      throw InputError(fmt::format("'{}': its {} has {} bytes, too few for a jump to Heddle's",
                                   object.file, function.name, function.space));
    }
    jumps[code].push_back({.from = address, .to = *replacement});
  }
  return jumps;
}

/// Sets the protection of the whole pages that contain the code. Returns false, and sets errno, if
/// the system refuses.
bool set_protection(const LoadedObject::Code& code, int protection) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t begin = code.begin / page * page;
  return ::mprotect(reinterpret_cast<void*>(begin), code.end - begin, protection) == 0;
}

/// As set_protection(), but throws InputError if the system refuses.
void protect(const LoadedObject& object, const LoadedObject::Code& code, int protection) {
  if (set_protection(code, protection)) return;
  throw InputError(fmt::format("'{}': its code cannot be changed in memory: {}", object.file,
                               std::strerror(errno)));
}

/// Makes the segments writable, and not executable. If the system refuses one of them, restores the
/// protection of all and throws InputError.
void make_writable(const LoadedObject& object, const JumpsByCode& jumps) {
  try {
    for (const auto& [code, list] : jumps) protect(object, *code, PROT_READ | PROT_WRITE);
  } catch (const InputError&) {
    for (const auto& [code, list] : jumps) set_protection(*code, code->protection);
    throw;
  }
}

void write(const Jump& jump) {
  const auto code = jump_to(jump.to);
  char* const place = reinterpret_cast<char*>(jump.from);
  std::memcpy(place, code.data(), code.size());
  __builtin___clear_cache(place, place + code.size());
}

}  // namespace

void redirect(const LoadedObject& object, const ElfImage& image, FindReplacement find) {
  const JumpsByCode jumps = jumps_of(object, image, find);
  make_writable(object, jumps);
  for (const auto& [code, list] : jumps) {
    for (const Jump& jump : list) write(jump);
    protect(object, *code, code->protection);
  }
}

}  // namespace heddle::cuda
