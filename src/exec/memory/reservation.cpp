#include "exec/memory/reservation.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace heddle::exec {
namespace {

/// Pages are made usable in steps of this many bytes, so that system calls are rare.
constexpr std::uint64_t kCommitStep = std::uint64_t{64} << 20;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

/// Reserves address space at address `at`, or anywhere if `at` is 0. Never replaces an existing
/// mapping. Returns MAP_FAILED if that is not possible.
void* reserve(std::uint64_t bytes, std::uint64_t at) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (at == 0) return ::mmap(nullptr, bytes, PROT_NONE, kFlags, -1, 0);
  // The address must be converted from a number: no object exists there yet.
  void* const requested = reinterpret_cast<void*>(at);  // NOLINT(performance-no-int-to-ptr)
  void* const base = ::mmap(requested, bytes, PROT_NONE, kFlags | MAP_FIXED_NOREPLACE, -1, 0);
  if (base == MAP_FAILED || base == requested) return base;
  // An old Linux kernel ignores MAP_FIXED_NOREPLACE and treats the address as a hint.
  ::munmap(base, bytes);
  errno = EEXIST;
  return MAP_FAILED;
}

}  // namespace

Reservation::Reservation(std::uint64_t bytes, std::uint64_t at)
    : page_bytes_(static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))) {
  bytes_ = round_up(std::max<std::uint64_t>(bytes, 1), page_bytes_);
  void* const base = reserve(bytes_, at);
  if (base == MAP_FAILED) {
    throw InputError(fmt::format("cannot reserve {} bytes of address space for device memory: {}",
                                 bytes_, std::strerror(errno)));
  }
  base_ = static_cast<std::byte*>(base);
}

Reservation::Reservation(const Reservation& whole, std::uint64_t offset, std::uint64_t bytes)
    : is_part_(true), page_bytes_(whole.page_bytes_) {
  bytes_ = round_up(std::max<std::uint64_t>(bytes, 1), page_bytes_);
  if (offset % page_bytes_ != 0 || offset > whole.bytes_ || bytes_ > whole.bytes_ - offset) {
    throw InputError(fmt::format("{} bytes at {} exceed the {} bytes of address space", bytes_,
                                 offset, whole.bytes_));
  }
  base_ = whole.base_ + offset;
}

Reservation::~Reservation() {
  if (!is_part_) {
    ::munmap(base_, bytes_);
  } else if (committed_ != 0) {
    // Replaces the used pages by new ones, which are zero. If that fails, the old pages stay.
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    static_cast<void>(::mmap(base_, committed_, PROT_NONE, kFlags, -1, 0));
  }
}

void Reservation::commit(std::uint64_t bytes) {
  if (bytes <= committed_) return;
  const std::uint64_t end = std::min(round_up(bytes, kCommitStep), bytes_);
  if (::mprotect(base_ + committed_, end - committed_, PROT_READ | PROT_WRITE) != 0) {
    throw InputError(fmt::format("the host has no memory for {} bytes of device memory: {}", bytes,
                                 std::strerror(errno)));
  }
  committed_ = end;
}

void Reservation::discard(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t end = offset + bytes;
  const std::uint64_t first_page = round_up(offset, page_bytes_);
  const std::uint64_t last_page = end / page_bytes_ * page_bytes_;
  // Below this number of bytes, zeroing is faster than a system call.
  constexpr std::uint64_t kMinDiscarded = std::uint64_t{64} << 10;
  if (last_page <= first_page || last_page - first_page < kMinDiscarded ||
      ::madvise(base_ + first_page, last_page - first_page, MADV_DONTNEED) != 0) {
    std::memset(base_ + offset, 0, bytes);
    return;
  }
  std::memset(base_ + offset, 0, first_page - offset);
  std::memset(base_ + last_page, 0, end - last_page);
}

}  // namespace heddle::exec
