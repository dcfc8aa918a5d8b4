#include "cuda/installed/installed_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#include "cuda/other_libraries/library_at.h"
#include "cuda/static_runtime/elf_image.h"
#include "cuda/static_runtime/loaded_objects.h"
#include "cuda/static_runtime/mapped_file.h"

namespace heddle::cuda {
namespace {

/// The folders in which the dynamic linker looks for libraries of the program: LD_LIBRARY_PATH, the
/// folders that are named in the program itself, and the system's.
std::vector<std::string> folders_of_dynamic_linker() {
  std::vector<std::string> folders;
  void* const program = ::dlopen(nullptr, RTLD_LAZY);
  if (program == nullptr) return folders;
  Dl_serinfo size{};
  if (::dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0) {
    const auto memory = std::make_unique<std::max_align_t[]>(
        (size.dls_size + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
    auto* const list = reinterpret_cast<Dl_serinfo*>(memory.get());
    list->dls_size = size.dls_size;
    list->dls_cnt = size.dls_cnt;
    if (::dlinfo(program, RTLD_DI_SERINFO, list) == 0) {
      for (unsigned i = 0; i < list->dls_cnt; ++i)
        folders.emplace_back(list->dls_serpath[i].dls_name);
    }
  }
  ::dlclose(program);
  return folders;
}

/// The folders of CUDA's toolkits, the newest first.
std::vector<std::string> folders_of_toolkits() {
  std::vector<std::string> toolkits;
  for (const char* const name : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') toolkits.emplace_back(value);
  }
  toolkits.emplace_back("/usr/local/cuda");
  std::vector<std::string> by_version;
  std::error_code unreadable;
  std::filesystem::directory_iterator entry("/usr/local", unreadable);
  for (; !unreadable && entry != std::filesystem::directory_iterator();
       entry.increment(unreadable)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("cuda-")) by_version.push_back(entry->path().string());
  }
  std::sort(by_version.begin(), by_version.end(), std::greater<>());
  toolkits.insert(toolkits.end(), by_version.begin(), by_version.end());
  toolkits.emplace_back("/opt/cuda");
  std::vector<std::string> folders;
  for (const std::string& toolkit : toolkits) {
    folders.push_back(toolkit + "/lib64");
    folders.push_back(toolkit + "/lib");
  }
  return folders;
}

/// Opens a file; null if it is not the library, or if it is Heddle's own.
void* open_file(const std::string& file, int mode, const LibraryRequest& request) {
  void* const library = ::dlopen(file.c_str(), mode | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  void* const function = ::dlsym(library, request.function);
  if (function != nullptr && function != request.replacement) return library;
  ::dlclose(library);
  return nullptr;
}

/// True if the program or a library that is loaded was linked to this library.
bool is_linked_to(std::string_view library) {
  const std::vector<LoadedObject> objects = loaded_objects();
  return std::any_of(objects.begin(), objects.end(), [&](const LoadedObject& object) {
    const MappedFile file(object.file);
    const std::optional<ElfImage> image = ElfImage::read(file.bytes());
    return image && image->needs_library(library);
  });
}

}  // namespace

std::vector<std::string> library_folders() {
  std::vector<std::string> folders = folders_of_dynamic_linker();
  const std::vector<std::string> toolkits = folders_of_toolkits();
  folders.insert(folders.end(), toolkits.begin(), toolkits.end());
  return folders;
}

std::vector<std::string> installed_files(const LibraryRequest& request) {
  std::vector<std::string> names;
  for (const int version : request.versions)
    names.push_back(fmt::format("{}{}", request.stem, version));
  std::stable_partition(names.begin(), names.end(), &is_linked_to);
  const std::vector<std::string> folders = library_folders();
  const std::string ours = library_at(request.replacement);
  std::vector<std::string> files;
  for (const std::string& name : names) {
    for (const std::string& folder : folders) {
      std::string file = fmt::format("{}/{}", folder, name);
      std::error_code failed;
      if (!std::filesystem::exists(file, failed)) continue;
      if (!std::filesystem::equivalent(file, ours, failed)) files.push_back(std::move(file));
    }
  }
  return files;
}

void* open_installed_library(const LibraryRequest& request) {
  for (const LoadedObject& object : loaded_objects()) {
    if (!std::filesystem::path(object.file).filename().string().starts_with(request.stem)) continue;
    if (void* const library = open_file(object.file, RTLD_LAZY | RTLD_NOLOAD, request))
      return library;
  }
  for (const std::string& file : installed_files(request)) {
    if (void* const library = open_file(file, RTLD_NOW, request)) return library;
  }
  return nullptr;
}

}  // namespace heddle::cuda
