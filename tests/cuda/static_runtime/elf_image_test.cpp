#include "cuda/static_runtime/elf_image.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <utility>

#include "base/file.h"
#include "cuda/static_runtime/loaded_objects.h"
#include "cuda/static_runtime/static_runtime.h"

extern "C" __attribute__((noinline, used)) void heddle_function_to_be_found() {}

namespace heddle::cuda {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

/// The contents of one of the mock programs.
std::string read_program(const std::string& name) {
  return read_file(HEDDLE_STATIC_RUNTIME_PROGRAMS "/" + name);
}

/// Reads all parts of an ELF image, and returns a number that depends on what was found; 0 if the
/// file is no ELF image.
std::size_t read_everything(const std::string& file) {
  const std::optional<ElfImage> image = ElfImage::read(bytes_of(file));
  if (!image) return 0;
  static_runtime_in(*image);
  std::size_t sum = image->has_section(".text") + image->needs_library("libc");
  for (const ElfImage::Function& function : image->functions()) sum += function.name.size();
  return sum;
}

TEST(ElfImage, FindsFunctionAtItsAddress) {
  const std::string file = read_file("/proc/self/exe");
  const std::vector<ElfImage::Function> functions = ElfImage::read(bytes_of(file))->functions();
  const auto found = std::find_if(functions.begin(), functions.end(), [](const auto& function) {
    return function.name == "heddle_function_to_be_found";
  });

  ASSERT_NE(found, functions.end());
  const auto address = reinterpret_cast<std::uint64_t>(&heddle_function_to_be_found);
  const LoadedObject self = loaded_objects().front();
  EXPECT_TRUE(self.is_program);
  EXPECT_EQ(self.base + found->address, address);
  EXPECT_NE(self.code_at(address), nullptr);
  EXPECT_EQ(self.code_at(reinterpret_cast<std::uint64_t>(&file)), nullptr);
}

TEST(ElfImage, EndsFunctionWhereNextBegins) {
  const std::string file = read_program("short_function");
  for (const ElfImage::Function& function : ElfImage::read(bytes_of(file))->functions()) {
    if (function.name == "cudaPeekAtLastError") {
      EXPECT_EQ(function.space, 1U);
      return;
    }
  }
  FAIL() << "expected a function cudaPeekAtLastError";
}

TEST(ElfImage, FindsSectionsLibrariesAndTexts) {
  const std::string file = read_program("linked_in");
  const ElfImage image = *ElfImage::read(bytes_of(file));
  EXPECT_TRUE(image.has_section(".nv_fatbin"));
  EXPECT_FALSE(image.has_section(".nv_fatbi"));
  EXPECT_TRUE(image.needs_library("libc.so."));
  EXPECT_FALSE(image.needs_library("libcudart"));
  EXPECT_TRUE(image.has_text("cudaErrorCudartUnloading"));
  EXPECT_FALSE(image.has_text("cudaErrorCudartLoading"));
  EXPECT_TRUE(image.defines("cudaGetDeviceCount"));
  EXPECT_FALSE(image.defines("printf"));
}

TEST(ElfImage, IgnoresUnloadedSectionsForFunctionEnds) {
  std::string file = read_program("linked_in");
  const auto find = [&] {
    for (const ElfImage::Function& function : ElfImage::read(bytes_of(file))->functions()) {
      if (function.name == "cudaGetDeviceCount") return std::pair(function.address, function.space);
    }
    return std::pair<std::uint64_t, std::uint64_t>{};
  };
  const auto [address, space] = find();
  ASSERT_GT(space, 5U);
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  bool changed = false;
  for (std::size_t i = 1; i < header.e_shnum && !changed; ++i) {
    char* const place = file.data() + header.e_shoff + i * sizeof(Elf64_Shdr);
    Elf64_Shdr section;
    std::memcpy(&section, place, sizeof section);
    if (section.sh_type != SHT_PROGBITS || section.sh_addr != 0) continue;
    section.sh_size = address + 5;
    std::memcpy(place, &section, sizeof section);
    changed = true;
  }
  ASSERT_TRUE(changed);
  EXPECT_EQ(find(), std::pair(address, space));
}

TEST(ElfImage, RejectsOtherFiles) {
  EXPECT_FALSE(ElfImage::read({}));
  EXPECT_FALSE(ElfImage::read(bytes_of("#!/bin/sh\n")));
  std::string file = read_program("linked_in");
  for (const auto& [place, value] : {std::pair{EI_CLASS, ELFCLASS32},
                                     {EI_DATA, ELFDATA2MSB},
                                     {static_cast<int>(offsetof(Elf64_Ehdr, e_machine)), EM_386}}) {
    std::string other = file;
    other[static_cast<std::size_t>(place)] = static_cast<char>(value);
    EXPECT_FALSE(ElfImage::read(bytes_of(other))) << place;
  }
}

TEST(ElfImage, ReadsTruncatedFilesUpToTheirEnd) {
  const std::string file = read_program("linked_in");
  const std::size_t whole = read_everything(file);
  EXPECT_GT(whole, 100U);
  for (std::size_t bytes = 0; bytes < file.size(); bytes += 61) {  // Some lengths, to save time.
    EXPECT_LT(read_everything(file.substr(0, bytes)), whole) << bytes;
  }
}

TEST(ElfImage, NeverReadsOutsideOfDamagedFile) {
  const std::string file = read_program("linked_in");
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  // Damage the parts that contain offsets: the header, and the section headers at the file's end.
  std::mt19937 random(5);
  std::uniform_int_distribution<std::size_t> in_header(EI_VERSION, sizeof header - 1);
  std::uniform_int_distribution<std::size_t> in_sections(header.e_shoff, file.size() - 1);
  std::size_t different = 0;
  const std::size_t whole = read_everything(file);
  for (int i = 0; i < 4000; ++i) {
    std::string damaged = file;
    for (int j = 0; j <= i % 3; ++j) {
      const std::size_t place = (i + j) % 8 == 0 ? in_header(random) : in_sections(random);
      damaged[place] = static_cast<char>(random());
    }
    different += read_everything(damaged) != whole ? 1 : 0;
  }
  EXPECT_GT(different, 100U);
}

TEST(StaticRuntime, IsRecognisedByItsFunctions) {
  const auto runtime_in = [](const std::string& file) {
    return static_runtime_in(*ElfImage::read(bytes_of(file)));
  };
  EXPECT_EQ(runtime_in(read_program("linked_in")), StaticRuntime::replaceable);
  EXPECT_EQ(runtime_in(read_program("linked_in_older")), StaticRuntime::other_version);
  EXPECT_EQ(runtime_in(read_program("linked_in_stripped")), StaticRuntime::stripped);
  EXPECT_EQ(runtime_in(read_program("user_of_library")), StaticRuntime::absent);
}

TEST(StaticRuntime, HasNoReasonIfSupported) {
  EXPECT_EQ(unsupported_reason(StaticRuntime::replaceable, "app"), "");
  EXPECT_EQ(unsupported_reason(StaticRuntime::absent, "app"), "");
  EXPECT_NE(unsupported_reason(StaticRuntime::stripped, "app").find("'app'"), std::string::npos);
}

}  // namespace
}  // namespace heddle::cuda
