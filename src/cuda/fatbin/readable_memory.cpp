#include "cuda/fatbin/readable_memory.h"

#include <link.h>

#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

namespace heddle::cuda {
namespace {

struct Search {
  std::uint64_t address = 0;
  std::uint64_t end = 0;  ///< The end of the segment that contains the address; 0: not found yet.
};

/// Searches the segments of one program or library. Returns 1, which ends the search, if it finds
/// the address.
int search_object(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  for (std::size_t i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_R) == 0) continue;
    const std::uint64_t begin = info->dlpi_addr + part.p_vaddr;
    if (begin <= search.address && search.address - begin < part.p_memsz) {
      search.end = begin + part.p_memsz;
      return 1;
    }
  }
  return 0;
}

/// The end of the contiguous readable mappings from an address; 0 if the address is not readable.
/// The system lists a process's mappings in the order of their addresses.
std::uint64_t end_of_mappings(std::uint64_t address) {
  using File = std::unique_ptr<std::FILE, decltype(&std::fclose)>;
  const File maps(std::fopen("/proc/self/maps", "re"), &std::fclose);
  // If the mappings cannot be read, the sizes in the data are trusted.
  if (!maps) return std::numeric_limits<std::uint64_t>::max();
  std::uint64_t end = 0;
  char line[512];
  bool at_line_start = true;  // Longer lines are read in parts; only the first has the addresses.
  while (std::fgets(line, sizeof line, maps.get()) != nullptr) {
    const bool is_line_start = std::exchange(at_line_start, std::string_view(line).ends_with('\n'));
    unsigned long long from = 0;
    unsigned long long to = 0;
    char readable = '-';
    if (!is_line_start || std::sscanf(line, "%llx-%llx %c", &from, &to, &readable) != 3) continue;
    if (readable != 'r') continue;
    if (end == 0 ? from <= address && address < to : from == end) end = to;
  }
  return end;
}

}  // namespace

std::span<const std::byte> readable_memory_at(const void* address) {
  Search search{.address = reinterpret_cast<std::uint64_t>(address)};
  if (::dl_iterate_phdr(&search_object, &search) == 0) {
    search.end = end_of_mappings(search.address);
  }
  if (search.end == 0) return {};
  return {static_cast<const std::byte*>(address), search.end - search.address};
}

}  // namespace heddle::cuda
