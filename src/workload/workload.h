#pragma once

// A workload: the kernels of a program, the host part that launches them, and the check of the
// results. The sources of a workload are in a folder of workloads/ and register it. Several
// variants of one program, each a workload, may share a folder.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "base/picture.h"
#include "code/multiply_add.h"
#include "workload/check_result.h"
#include "workload/gpu.h"
#include "workload/grid_choice.h"
#include "workload/size.h"

namespace heddle::workload {

/// A program with its input, made from a size and a seed.
class HostProgram {
 public:
  virtual ~HostProgram() = default;
  /// Does the work of a CUDA host program: allocates, copies, launches, copies back.
  virtual void run(Gpu& device) = 0;
  /// Compares the output of run() with the host's reference.
  virtual CheckResult check() const = 0;
  /// The output as a picture; empty if it is not one.
  virtual std::optional<Picture> picture() const { return std::nullopt; }
};

/// The resources of a kernel as a paper states them. The number of registers may differ from that
/// of our compilation, because compilers have changed.
struct PaperResources {
  std::string source;  ///< The paper and its table.
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes_per_block = 0;
  std::uint32_t blocks_per_sm = 0;
};

/// A kernel that a workload launches.
struct KernelDeclaration {
  std::string name;
  Dim3 block;
  std::optional<PaperResources> paper = std::nullopt;  ///< Empty if no paper states them.
};

/// Makes a program that is constructed from size and seed. For Workload::make.
template <class Program>
std::unique_ptr<HostProgram> make_program(Size size, std::uint64_t seed) {
  return std::make_unique<Program>(size, seed);
}
/// Makes a program that is constructed from grid, size and seed. For Workload::make and
/// ResidentForm::make.
template <class Program, GridChoice grid>
std::unique_ptr<HostProgram> make_form(Size size, std::uint64_t seed) {
  return std::make_unique<Program>(grid, size, seed);
}

/// The form of a workload for GridChoice::resident: the same work, distributed over as many threads
/// as a GPU holds at once.
struct ResidentForm {
  std::vector<KernelDeclaration> kernels;
  std::unique_ptr<HostProgram> (*make)(Size size, std::uint64_t seed) = nullptr;
};

struct Workload {
  std::string name;
  std::string folder = {};  ///< Folder in workloads/; if empty, it is the workload's name.
  std::string summary;
  std::vector<std::string> papers;  ///< Papers and tables that use it: "large-warps Table 2".
  std::vector<KernelDeclaration> kernels;
  bool has_paper_size = false;
  bool has_picture = false;
  std::unique_ptr<HostProgram> (*make)(Size size, std::uint64_t seed) = nullptr;
  std::optional<ResidentForm> resident = std::nullopt;  ///< Empty if the workload has none.

  /// Throws InputError if `grid` is `resident` and the workload has no resident form. So do the
  /// functions below.
  void require(GridChoice grid) const;
  const std::vector<KernelDeclaration>& kernels_for(GridChoice grid) const;
  std::unique_ptr<HostProgram> make_for(GridChoice grid, Size size, std::uint64_t seed) const;
};

/// A global variable of this type registers a workload.
class Registration {
 public:
  explicit Registration(Workload workload);
};

/// All registered workloads, sorted by name.
const std::vector<const Workload*>& all_workloads();
/// Throws InputError, with the nearest name, if the name is unknown.
const Workload& find_workload(std::string_view name);
/// The file with the workload's PTX that nvcc compiled with or without fused multiply-adds,
/// relative to Heddle's sources.
std::string ptx_file_of(const Workload& workload, code::MultiplyAdd multiply_add);
/// The text of that file, which is embedded in Heddle.
std::string_view ptx_of(const Workload& workload, code::MultiplyAdd multiply_add);

}  // namespace heddle::workload
