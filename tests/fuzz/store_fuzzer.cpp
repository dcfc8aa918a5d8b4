// Fuzzes the store of results with damaged files. A reader must get each run as it was stored, or
// not at all. A writer must be rejected, or find the run that it has added. An input is a list of
// changes to the file of an intact store. A change has four bytes: an offset of three bytes, then
// the byte to write there.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/output_file.h"
#include "lab/store.h"

namespace {

using namespace heddle;
using lab::Access;

constexpr int kRuns = 12;

lab::StoredRun run_of(int number) {
  std::string key = std::to_string(number * 7919 % 1000);
  // Every fourth result is longer than a page of the file.
  const std::size_t bytes = number % 4 == 0 ? 9000 : 40;
  return {.key = std::move(key),
          .workload = number % 2 == 0 ? "bfs" : "scan",
          .size = "tiny",
          .seed = "1",
          .registers = "compiled",
          .machine = "storage",
          .parameters = "chip.sms = 1\n",
          .version = "this",
          .stored_at = 1000 + number,
          .host_seconds = 0.5,
          .result = std::string(bytes, static_cast<char>('a' + number))};
}

std::string file_name() {
  return (std::filesystem::temp_directory_path() /
          ("heddle-fuzz-store-" + std::to_string(getpid())))
      .string();
}

void remove_file() {
  for (const char* const part : {"", "-wal", "-shm", "-journal"}) {
    std::filesystem::remove(file_name() + part);
  }
}

std::string intact_store() {
  {
    lab::Store store(file_name(), Access::create);
    for (int i = 0; i < kRuns; ++i) store.add(run_of(i));
  }
  std::string bytes = read_file(file_name());
  remove_file();
  return bytes;
}

/// The number of runs that the store reports as intact. Traps if one differs from the stored runs.
int count_intact(const lab::Store& store) {
  static const std::set<std::string> stored = [] {
    std::set<std::string> checksums;
    for (int i = 0; i < kRuns; ++i) checksums.insert(checksum_of(run_of(i)));
    return checksums;
  }();
  int count = 0;
  store.for_each({}, [&](const lab::StoredRun& found) {
    if (!stored.contains(checksum_of(found))) __builtin_trap();
    ++count;
  });
  return count;
}

void read_all() {
  const lab::Store store(file_name(), Access::read);
  store.distinct_values(lab::Store::Column::workload);
  store.host_seconds();
  count_intact(store);
  store.check();
}

/// Adds all missing runs, as an experiment does.
void add_all() {
  lab::Store store(file_name(), Access::create);
  for (int i = 0; i < kRuns; ++i) {
    if (store.contains(run_of(i).key)) continue;
    store.require_fit_to_add();
    store.add(run_of(i));
    if (!store.contains(run_of(i).key)) __builtin_trap();
  }
  if (count_intact(store) != kRuns) __builtin_trap();
}

void repair() {
  lab::Store store(file_name(), Access::change);
  store.remove_damaged();
  const lab::Store::Health health = store.check();
  if (!health.file_problems.empty() || !health.damaged_keys.empty()) __builtin_trap();
}

/// Calls `act` with a store file that consists of `bytes`.
template <class Act>
void run_on_file(const std::string& bytes, Act act) {
  remove_file();
  OutputFile(file_name()).write(bytes);
  try {
    act();
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string intact = intact_store();
  std::string bytes = intact;
  for (std::size_t i = 0; i + 4 <= size && i < 64; i += 4) {
    const std::size_t offset = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
    bytes[offset % bytes.size()] = static_cast<char>(data[i + 3]);
  }
  run_on_file(bytes, read_all);
  run_on_file(bytes, add_all);
  run_on_file(bytes, repair);
  remove_file();
  return 0;
}
