#include "cuda/static_runtime/redirection.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "cuda/static_runtime/entry_points.h"

namespace heddle::cuda {
namespace {

/// The permissions of the page that contains an address, such as "r-xp"; empty if none is mapped.
std::string permissions_at(std::uint64_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    char dash = 0;
    std::string permissions;
    fields >> std::hex >> begin >> dash >> end >> permissions;
    if (begin <= address && address < end) return permissions;
  }
  return "";
}

TEST(Redirection, RestoresFirstSegmentIfSecondCannotBeChanged) {
  const std::string file = read_file(HEDDLE_STATIC_RUNTIME_PROGRAMS "/linked_in");
  const ElfImage image = *ElfImage::read(std::as_bytes(std::span(file)));
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t last = 0;
  for (const ElfImage::Function& function : image.functions()) {
    if (!entry_point(function.name)) continue;
    first = std::min(first, function.address);
    last = std::max(last, function.address);
  }
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  ASSERT_LT(first, last);
  ASSERT_LE(last - first, page);
  // Map two pages. The second maps a file that is only open for reading, so that page cannot be
  // made writable.
  void* const memory =
      ::mmap(nullptr, 2 * page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const int program = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(program, 0);
  ASSERT_NE(::mmap(static_cast<char*>(memory) + page, page, PROT_READ, MAP_SHARED | MAP_FIXED,
                   program, 0),
            MAP_FAILED);
  ::close(program);
  // The last function is at the start of the second page, and the others are in the first page.
  const auto begin = reinterpret_cast<std::uint64_t>(memory);
  const std::uint64_t middle = begin + page;
  const int protection = PROT_READ | PROT_EXEC;
  const LoadedObject object{
      .file = "program",
      .base = middle - last,
      .code = {{.begin = begin, .end = middle, .protection = protection},
               {.begin = middle, .end = middle + page, .protection = protection}}};

  EXPECT_THROW(redirect(object, image), InputError);

  EXPECT_EQ(permissions_at(begin), "r-xp");
  const std::string_view code(static_cast<const char*>(memory), page);
  EXPECT_EQ(code.find_first_not_of('\0'), std::string_view::npos) << "expected no jumps";
  ::munmap(memory, 2 * page);
}

}  // namespace
}  // namespace heddle::cuda
