// Benchmarks of PTX parsing, in bytes of text and in instructions per second. The texts are the PTX
// files of the test corpus.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "ptx/parser.h"

namespace heddle {
namespace {

/// The PTX texts in a folder of the corpus, sorted by path: the rate depends on the order.
std::vector<std::string> texts_below(const char* folder) {
  const std::filesystem::path path =
      std::filesystem::path(HEDDLE_SOURCE_DIR) / "tests/corpus" / folder;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& file : files) texts.push_back(read_file(file));
  return texts;
}

void parse_corpus(benchmark::State& state, const char* folder) {
  const std::vector<std::string> texts = texts_below(folder);
  std::size_t bytes = 0;
  std::size_t instructions = 0;
  for (const std::string& text : texts) {
    bytes += text.size();
    const ptx::ParseResult result = ptx::parse(text, "bench.ptx");
    if (!result.ok()) {
      state.SkipWithError("the corpus has errors");
      return;
    }
    for (const ptx::Function& f : result.module.functions) instructions += f.body.size();
  }
  for (auto _ : state) {
    for (const std::string& text : texts) {
      benchmark::DoNotOptimize(ptx::parse(text, "bench.ptx"));
    }
  }
  const auto rounds = static_cast<std::int64_t>(state.iterations());
  state.SetBytesProcessed(rounds * static_cast<std::int64_t>(bytes));
  state.SetItemsProcessed(rounds * static_cast<std::int64_t>(instructions));
}

BENCHMARK_CAPTURE(parse_corpus, kernels, "kernels")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(parse_corpus, language, "language")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle
