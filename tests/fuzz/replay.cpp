// Gives a fuzzer's function every file of the folders that are named, where no libFuzzer does.
//   fuzz_KIND FOLDER...
// A folder that is not there has none, as long as one has.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** folders) {
  std::vector<std::filesystem::path> inputs;
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::exists(folders[i])) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folders[i])) {
      inputs.push_back(entry.path());
    }
  }
  std::sort(inputs.begin(), inputs.end());
  for (const std::filesystem::path& input : inputs) {
    // What breaks it is the last that is named.
    fmt::print("{}\n", input.string());
    std::fflush(stdout);
    const std::string bytes = heddle::read_file(input);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  return inputs.empty() ? 1 : 0;
}
