#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "lab/store.h"

namespace heddle::lab {

/// A temporary folder, removed by the destructor.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "heddle-lab-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// A result with the given number of cycles.
inline std::string result_of_cycles(int cycles) {
  return fmt::format(R"({{"totals": {{"cycles": {}, "microseconds": 1, "ipc": 1, "warp_ipc": 1, )"
                     R"("warp_instructions": 1, "thread_instructions": 1, "counters": {{}}}}}})",
                     cycles);
}

/// A run as it is stored, with a result of 7 cycles.
inline StoredRun stored_run(const std::string& key, const std::string& workload = "bfs") {
  return {.key = key,
          .workload = workload,
          .size = "tiny",
          .seed = "18446744073709551615",
          .registers = "compiled",
          .machine = "storage",
          .parameters = "chip.sms = 1\n",
          .version = "this",
          .stored_at = 1000,
          .host_seconds = 0.5,
          .result = result_of_cycles(7)};
}

}  // namespace heddle::lab
