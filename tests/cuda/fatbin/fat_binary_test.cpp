#include "cuda/fatbin/fat_binary.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4.h>
#include <sys/mman.h>
#include <zstd.h>

#include "base/error.h"
#include "base/file.h"
#include "cuda/fatbin/fat_binary_bytes.h"
#include "cuda/fatbin/readable_memory.h"
#include "cuda/fatbin/wrapper.h"
#include "source_file.h"

namespace heddle::cuda {
namespace {

using ::testing::HasSubstr;

/// The offset of the first image in bytes: the size of the fat binary's header.
constexpr std::size_t kFirstImage = 16;

/// The message of the InputError that the function throws; empty if it throws none.
template <class Function>
std::string message_of(Function function) {
  try {
    function();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string lz4(const std::string& text) {
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))), 0);
  const int bytes = LZ4_compress_default(text.data(), packed.data(), static_cast<int>(text.size()),
                                         static_cast<int>(packed.size()));
  packed.resize(static_cast<std::size_t>(bytes));
  return packed;
}

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), 0);
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

/// The magic number of the structure by which a program registers fat binaries.
constexpr std::uint32_t kWrapperMagic = 0x4662'43b1;

const std::string kText = ".version 8.0\n.target sm_75\n.address_size 64\n" + std::string(500, ' ');

TEST(FatBinary, ReadsUncompressedTextWithoutPadding) {
  FatBinaryBytes made;
  made.add({.sm = 86, .payload = ".version 8.0"});
  const auto images = read_fat_binary(made.bytes());
  ASSERT_EQ(images.size(), 1u);
  EXPECT_EQ(images[0].kind, FatImage::Kind::ptx);
  EXPECT_EQ(images[0].capability.number, 86u);
  EXPECT_EQ(unpack(images[0]), ".version 8.0");
}

/// Memory whose content ends at the end of a page, with no accessible memory after it.
class BufferAtEndOfPage {
 public:
  explicit BufferAtEndOfPage(const std::vector<std::byte>& content) {
    place_ = static_cast<std::byte*>(
        ::mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(place_ + kPage, kPage, PROT_NONE);
    begin_ = place_ + kPage - content.size();
    std::memcpy(begin_, content.data(), content.size());
  }
  ~BufferAtEndOfPage() { ::munmap(place_, 2 * kPage); }
  BufferAtEndOfPage(const BufferAtEndOfPage&) = delete;
  BufferAtEndOfPage& operator=(const BufferAtEndOfPage&) = delete;

  const void* begin() const { return begin_; }
  const void* end() const { return place_ + kPage; }

 private:
  static constexpr std::size_t kPage = 65536;
  std::byte* place_;
  std::byte* begin_;
};

TEST(FatBinary, RejectsSizeBeyondReadableMemory) {
  FatBinaryBytes made;
  made.add({.payload = ".version 8.0"});
  const BufferAtEndOfPage whole(made.bytes());
  EXPECT_EQ(fat_binary_at(whole.begin()).size(), made.bytes().size());
  for (const std::uint64_t more : {std::uint64_t{1}, std::uint64_t{1} << 20, ~std::uint64_t{0} / 2,
                                   ~std::uint64_t{0} - made.bytes().size()}) {
    FatBinaryBytes damaged = made;
    damaged.put(8, std::uint64_t{made.bytes().size() - 16} + more);
    const BufferAtEndOfPage cut(damaged.bytes());
    EXPECT_THAT(message_of([&] { fat_binary_at(cut.begin()); }), HasSubstr("do not fit into the"));
  }
  EXPECT_THAT(message_of([&] { fat_binary_at(whole.end()); }), HasSubstr("not in readable memory"));
  EXPECT_THAT(message_of([&] { fat_binary_at(nullptr); }), HasSubstr("not in readable memory"));
}

/// Data in a segment of the test program itself. The data claims a size of 4 GiB, but the segment
/// is much smaller.
alignas(16) std::uint64_t data_in_program[2] = {0, std::uint64_t{1} << 32};

TEST(FatBinary, EndsWithSegmentOfProgram) {
  FatBinaryBytes made;
  std::memcpy(data_in_program, made.bytes().data(), 8);
  EXPECT_THAT(message_of([] { fat_binary_at(data_in_program); }), HasSubstr("do not fit into the"));
  EXPECT_LT(readable_memory_at(data_in_program).size(), std::size_t{1} << 30);
  EXPECT_GE(readable_memory_at(data_in_program).size(), sizeof data_in_program);
}

TEST(FatBinary, EndsUnterminatedListWithItsMemory) {
  const void* const one = data_in_program;
  std::vector<std::byte> list(8 * sizeof one);
  for (std::size_t i = 0; i < 8; ++i) std::memcpy(list.data() + i * sizeof one, &one, sizeof one);
  const BufferAtEndOfPage endless(list);
  EXPECT_EQ(
      fat_binaries_of({kWrapperMagic, 2, one, static_cast<const void* const*>(endless.begin())})
          .size(),
      8U);
}

TEST(FatBinary, DecompressesTexts) {
  FatBinaryBytes made;
  made.add({.payload = zstd(kText), .flags = kZstdFlag, .unpacked = kText.size()});
  made.add({.payload = lz4(kText), .flags = kLz4Flag, .unpacked = kText.size()});
  for (const FatImage& image : read_fat_binary(made.bytes())) EXPECT_EQ(unpack(image), kText);
}

TEST(FatBinary, SkipsLongerImageHeaders) {
  FatBinaryBytes made;
  made.add({.payload = "first", .header = 112}).add({.payload = "second", .header = 72});
  const auto images = read_fat_binary(made.bytes());
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(unpack(images[0]), "first");
  EXPECT_EQ(unpack(images[1]), "second");
}

TEST(FatBinary, HasSizeInItsHeader) {
  FatBinaryBytes made;
  made.add({.payload = "text"});
  EXPECT_EQ(fat_binary_at(made.bytes().data()).size(), made.bytes().size());
}

TEST(FatBinary, RejectsEveryTruncation) {
  FatBinaryBytes made;
  made.add({.payload = "first"}).add({.payload = "second"});
  for (std::size_t length = 0; length < made.bytes().size(); ++length) {
    EXPECT_THROW(read_fat_binary(std::span(made.bytes()).first(length)), InputError) << length;
  }
}

TEST(FatBinary, RejectsOverflowingSizes) {
  FatBinaryBytes made;
  made.add({.payload = "text"});
  made.put(kFirstImage + 8, ~std::uint64_t{0} - 63);  // The size of the payload.
  EXPECT_THAT(message_of([&] { read_fat_binary(made.bytes()); }), HasSubstr("does not fit"));
  made.put(8, ~std::uint64_t{0} - 15);  // The size of all images.
  EXPECT_THAT(message_of([&] { read_fat_binary(made.bytes()); }), HasSubstr("do not fit"));
}

TEST(FatBinary, RejectsImageSmallerThanItsHeader) {
  FatBinaryBytes made;
  made.add({.payload = "text"});
  made.put(kFirstImage + 4, std::uint32_t{0});
  EXPECT_THROW(read_fat_binary(made.bytes()), InputError);
}

TEST(FatBinary, RejectsOtherBytes) {
  FatBinaryBytes made;
  made.put(0, std::uint32_t{0x464c457f});
  EXPECT_THAT(message_of([&] { read_fat_binary(made.bytes()); }), HasSubstr("0x464c457f"));
  FatBinaryBytes newer;
  newer.put(4, std::uint16_t{9});
  EXPECT_THAT(message_of([&] { read_fat_binary(newer.bytes()); }), HasSubstr("version 9"));
}

TEST(FatBinary, RejectsCorruptCompressedTexts) {
  const auto unpack_one = [](const ImageBytes& image) {
    FatBinaryBytes made;
    made.add(image);
    return unpack(read_fat_binary(made.bytes()).at(0));
  };
  std::string broken = zstd(kText);
  broken[broken.size() / 2] = static_cast<char>(~broken[broken.size() / 2]);
  broken.resize(broken.size() - 4);
  EXPECT_THROW(unpack_one({.payload = broken, .flags = kZstdFlag, .unpacked = kText.size()}),
               InputError);
  EXPECT_THROW(unpack_one({.payload = zstd(kText), .flags = kZstdFlag, .unpacked = 7}), InputError);
  EXPECT_THROW(unpack_one({.payload = lz4(kText), .flags = kLz4Flag, .unpacked = 7}), InputError);
  EXPECT_THROW(unpack_one({.payload = lz4(kText), .flags = kLz4Flag, .unpacked = kText.size() + 1}),
               InputError);
  EXPECT_THAT(message_of([&] {
                unpack_one({.payload = "x", .flags = kLz4Flag, .unpacked = std::uint64_t{1} << 27});
              }),
              HasSubstr("cannot decompress to"));
  EXPECT_THAT(message_of([&] {
                unpack_one({.payload = "x", .flags = kLz4Flag, .unpacked = std::uint64_t{1} << 40});
              }),
              HasSubstr("larger than"));
}

/// The compute capability of the PTX that is chosen for a GPU, from PTX for several capabilities.
std::uint32_t chosen_capability(const std::vector<std::uint32_t>& offered, std::uint32_t gpu) {
  FatBinaryBytes made;
  for (const std::uint32_t sm : offered) made.add({.sm = sm, .payload = "text"});
  made.add({.kind = kElfKind, .sm = gpu, .payload = "code"});
  return best_ptx(read_fat_binary(made.bytes()), {gpu}).capability.number;
}

TEST(BestPtx, ChoosesNewestNotNewerThanGpu) {
  EXPECT_EQ(chosen_capability({75, 90, 80}, 80), 80u);
  EXPECT_EQ(chosen_capability({75, 90, 80}, 86), 80u);
  EXPECT_EQ(chosen_capability({75, 90, 80}, 90), 90u);
}

TEST(BestPtx, ChoosesOldestIfAllAreNewer) { EXPECT_EQ(chosen_capability({100, 86, 90}, 80), 86u); }

TEST(BestPtx, ExplainsHowToBuildProgramWithPtx) {
  FatBinaryBytes made;
  made.add({.kind = kElfKind, .sm = 90, .payload = "code"});
  made.add({.kind = kElfKind, .sm = 75, .payload = "code"});
  const auto images = read_fat_binary(made.bytes());
  EXPECT_THAT(message_of([&] { best_ptx(images, {80}); }),
              AllOf(HasSubstr("only machine code for sm_75, sm_90"),
                    HasSubstr("-gencode arch=compute_80,code=compute_80")));
}

TEST(PtxTarget, IsReadFromText) {
  EXPECT_EQ(target_of(".version 8.0\n.target sm_75\n.address_size 64").number, 75u);
  EXPECT_EQ(target_of(".version 8.8 .target sm_100a .address_size 64").number, 100u);
  EXPECT_EQ(target_of(".version 8.8 .target sm_9").number, 9u);
  EXPECT_EQ(target_of("// sm_80\n").number, 0u);
  EXPECT_EQ(target_of("").number, 0u);
}

class MadeByNvcc : public ::testing::TestWithParam<const char*> {};

TEST_P(MadeByNvcc, ContainsPtxThatDecompresses) {
  const std::string file =
      read_file(source_file(fmt::format("tests/cuda/fatbin/made_by_nvcc/{}.fatbin", GetParam())));
  const auto images = read_fat_binary(std::as_bytes(std::span(file)));
  const std::string text = unpack(best_ptx(images, {75}));
  EXPECT_THAT(text, HasSubstr(".target sm_75"));
  EXPECT_THAT(text, HasSubstr(".entry _Z5scalePffi"));
  EXPECT_EQ(text[text.find_last_not_of('\n')], '}') << "expected no bytes after the text";
  for (const FatImage& image : images) {
    if (image.kind != FatImage::Kind::machine_code) continue;
    EXPECT_THAT(unpack(image), HasSubstr("\x7f"
                                         "ELF"));
  }
}

INSTANTIATE_TEST_SUITE_P(FatBinary, MadeByNvcc,
                         ::testing::Values("default", "size", "speed", "none", "several"),
                         [](const auto& name) { return std::string(name.param); });

TEST(FatBinaryWrapper, ContainsOneFatBinary) {
  const int data = 0;
  const void* const unused[] = {&data, nullptr};
  EXPECT_THAT(fat_binaries_of({kWrapperMagic, 1, &data, unused}), testing::ElementsAre(&data));
}

TEST(FatBinaryWrapper, ContainsFatBinariesOfLinkedObjects) {
  const int linked = 0, first = 0, second = 0;
  const void* const prelinked[] = {&first, &second, nullptr};
  EXPECT_THAT(fat_binaries_of({kWrapperMagic, 2, &linked, prelinked}),
              testing::ElementsAre(&first, &second));
}

TEST(FatBinaryWrapper, RejectsOtherBytes) {
  EXPECT_THROW(fat_binaries_of({0x1234, 1, nullptr, nullptr}), InputError);
}

}  // namespace
}  // namespace heddle::cuda
