#pragma once

// Machine descriptions in temporary files, and the error messages of invalid ones.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "gpu/machine.h"

namespace heddle::gpu::test {

/// The message of the error that loading the machine causes; "no error" if it loads.
inline std::string error_of(const std::string& name,
                            const std::vector<std::string>& settings = {}) {
  try {
    load_machine(name, settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// Writes files to a folder that is removed after the test.
class MachineFiles : public testing::Test {
 protected:
  MachineFiles()
      : folder_(std::filesystem::path(testing::TempDir()) /
                (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
                 std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~MachineFiles() override { std::filesystem::remove_all(folder_); }

  /// Returns the path of the written file.
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace heddle::gpu::test
