#include "cuda/other_libraries/library_at.h"

#include <dlfcn.h>
#include <link.h>

namespace heddle::cuda {

std::string library_at(const void* address) {
  Dl_info info{};
  void* object = nullptr;
  if (::dladdr1(address, &info, &object, RTLD_DL_LINKMAP) == 0 || object == nullptr) return {};
  return static_cast<const link_map*>(object)->l_name;  // The program's name is empty.
}

}  // namespace heddle::cuda
