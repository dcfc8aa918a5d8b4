#include "cuda/static_runtime/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::cuda {

MappedFile::MappedFile(const std::string& path) {
  // O_NONBLOCK: opening a pipe or a device must not block.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return;
  struct ::stat status {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const place = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (place != MAP_FAILED) bytes_ = {static_cast<const std::byte*>(place), size};
  }
  ::close(file);
}

MappedFile::~MappedFile() {
  if (bytes_.empty()) return;
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace heddle::cuda
