#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "kernel.h"
#include "md5_reference.h"
#include "workload/inputs/text.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::store_gpu_host {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// The length of the data. It is not a multiple of the chunk, so the last chunk has other padding
/// than the rest.
std::size_t bytes_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 70'025;
    case Size::small:
      return 2'000'119;
    case Size::medium:
      return 12'000'055;
    case Size::large:
    case Size::paper:
      return 90'000'056;
  }
  return 0;
}

/// Rows of a database table: serial numbers, times, many small values.
Bytes table(std::size_t bytes, Random& random) {
  Bytes rows;
  std::uint32_t number = random.below(1'000'000), time = 1'200'000'000 + random.below(100'000'000);
  while (rows.size() < bytes) {
    time += random.below(600);
    const std::uint32_t row[] = {
        number++, time, random.below(64), random.below(8), random.below(100'000), 0};
    for (const std::uint32_t value : row) {
      for (int shift = 0; shift < 32; shift += 8) {
        rows.push_back(static_cast<std::uint8_t>(value >> shift & 0xff));
      }
    }
  }
  rows.resize(bytes);
  return rows;
}

/// Random bytes, like archives and compressed pictures.
Bytes compressed(std::size_t bytes, Random& random) {
  Bytes result(bytes);
  for (std::uint8_t& byte : result) byte = static_cast<std::uint8_t>(random.next() >> 56);
  return result;
}

/// Files one after the other, each starting at a chunk: texts, tables, archives, empty space, and
/// copies of earlier files, some with a few changes.
Bytes storage(std::size_t bytes, std::uint64_t seed) {
  Random random(seed);
  struct File {
    std::size_t from, bytes;
  };
  std::vector<File> files;
  Bytes data;
  data.reserve(bytes);
  while (data.size() < bytes) {
    // Many small files and few large ones; even the smallest storage has several.
    const std::size_t drawn = 500 + random.below(1u << (9 + random.below(8)));
    const std::size_t length = std::min(drawn, bytes / 12);
    const std::uint32_t kind = random.below(100);
    Bytes file;
    if (kind < 25 && !files.empty()) {
      const File& old = files[random.below(static_cast<std::uint32_t>(files.size()))];
      const auto from = data.begin() + static_cast<std::ptrdiff_t>(old.from);
      file.assign(from, from + static_cast<std::ptrdiff_t>(old.bytes));
      if (kind < 10) {
        for (int i = 0; i < 3; ++i) ++file[random.below(static_cast<std::uint32_t>(file.size()))];
      }
    } else if (kind < 65) {
      const std::string text = english_text(length, random.next());
      file.assign(text.begin(), text.end());
    } else if (kind < 82) {
      file = table(length, random);
    } else if (kind < 95) {
      file = compressed(length, random);
    } else {
      file.assign(length / 2, 0);
    }
    files.push_back({data.size(), file.size()});
    data.insert(data.end(), file.begin(), file.end());
    data.resize((data.size() + kChunkBytes - 1) / kChunkBytes * kChunkBytes);
  }
  data.resize(bytes);
  return data;
}

class StoreGpu final : public HostProgram {
 public:
  StoreGpu(Size size, std::uint64_t seed) : data_(storage(bytes_of(size), seed)) {}

  void run(Gpu& device) override {
    std::vector<std::uint32_t> words((data_.size() + 3) / 4, 0);
    std::memcpy(words.data(), data_.data(), data_.size());
    const auto data = device.upload(words, "data");
    const auto digests = device.allocate<Digest>(chunks(), "digests");
    const auto blocks = static_cast<std::uint32_t>((chunks() + kThreads - 1) / kThreads);
    device.launch("hash_chunks", {.grid = {blocks}, .block = {kThreads}}, data,
                  static_cast<std::uint32_t>(data_.size()), digests);
    digests_ = device.download(digests);
  }

  CheckResult check() const override {
    CheckResult check;
    for (const Md5Example& example : md5_examples()) {
      const Bytes message(example.message.begin(), example.message.end());
      const std::string digest = to_text(md5(message));
      check.require(digest == example.digest, "the reference's digest of an RFC 1321 example",
                    digest, std::string(example.digest));
    }
    std::vector<std::uint32_t> got, want;
    for (const Digest& digest : digests_) {
      got.insert(got.end(), std::begin(digest.words), std::end(digest.words));
    }
    const std::span<const std::uint8_t> all(data_);
    for (std::size_t from = 0; from < all.size(); from += kChunkBytes) {
      const auto chunk = all.subspan(from, std::min<std::size_t>(kChunkBytes, all.size() - from));
      const Md5Digest digest = md5(chunk);
      want.insert(want.end(), digest.begin(), digest.end());
    }
    check.exact("words of digests", got, want);
    return check;
  }

 private:
  std::size_t chunks() const { return (data_.size() + kChunkBytes - 1) / kChunkBytes; }

  Bytes data_;
  std::vector<Digest> digests_;
};

const Registration kRegistration({
    .name = "store-gpu",
    .summary = "MD5 digests of a storage system's data, to find what is stored twice",
    .papers = {"simt Table 7"},
    .kernels = {{"hash_chunks", {kThreads}}},
    .make = make_program<StoreGpu>,
});

}  // namespace
}  // namespace heddle::workload::store_gpu_host
