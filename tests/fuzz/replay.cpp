// The main program of a fuzzer without libFuzzer: runs the fuzzer's function on every file of the
// given folders.
//   fuzz_KIND FOLDER...
// Missing folders are skipped. It fails if there are no files at all.

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
    // Printed before the run, so that the last name is that of a crashing input.
    fmt::print("{}\n", input.string());
    std::fflush(stdout);
    const std::string bytes = heddle::read_file(input);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  return inputs.empty() ? 1 : 0;
}
