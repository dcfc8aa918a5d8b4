#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// What a timed run counted, for one of its kernels or for all.
struct SavedCounts {
  std::string name;  ///< of the kernel, with its block; empty for all kernels
  double cycles = 0;
  double warp_instructions = 0;
  double joules = 0;  ///< 0 without --energy
  std::map<std::string, double> counters;
  std::map<std::string, double> issue_slots;  ///< by Nsight's names; in scheduler cycles
};

/// A timed result that 'heddle run', 'exec' or 'cuda' wrote with --json.
struct SavedRun {
  std::string file;
  std::string program;                            ///< what ran: "bfs, size small, seed 1"
  std::map<std::string, std::string> parameters;  ///< of the machine, and its "machine" name
  SavedCounts all;
  std::vector<SavedCounts> kernels;
};

/// Reads a result, also one within the output of 'heddle results show'. Throws InputError for a
/// file that is no result of a timed run.
SavedRun read_saved_run(const std::string& file);

}  // namespace heddle
