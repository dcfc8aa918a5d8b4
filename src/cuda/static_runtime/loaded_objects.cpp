#include "cuda/static_runtime/loaded_objects.h"

#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace heddle::cuda {
namespace {

int protection_of(ElfW(Word) flags) {
  return ((flags & PF_R) != 0 ? PROT_READ : 0) | ((flags & PF_W) != 0 ? PROT_WRITE : 0) |
         ((flags & PF_X) != 0 ? PROT_EXEC : 0);
}

int add_object(dl_phdr_info* info, std::size_t, void* list) {
  auto& objects = *static_cast<std::vector<LoadedObject>*>(list);
  LoadedObject object{.file = info->dlpi_name, .base = info->dlpi_addr};
  // The loader lists the program first, with an empty name.
  object.is_program = objects.empty();
  if (object.is_program) object.file = "/proc/self/exe";
  for (std::size_t i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    const std::uint64_t begin = info->dlpi_addr + part.p_vaddr;
    object.code.push_back(
        {.begin = begin, .end = begin + part.p_memsz, .protection = protection_of(part.p_flags)});
  }
  objects.push_back(std::move(object));
  return 0;
}

}  // namespace

const LoadedObject::Code* LoadedObject::code_at(std::uint64_t address) const {
  const auto found = std::find_if(code.begin(), code.end(), [&](const Code& part) {
    return part.begin <= address && address < part.end;
  });
  return found == code.end() ? nullptr : &*found;
}

std::vector<LoadedObject> loaded_objects() {
  std::vector<LoadedObject> objects;
  ::dl_iterate_phdr(&add_object, &objects);
  return objects;
}

}  // namespace heddle::cuda
