#pragma once

// A workload: the kernels of a program, the host part that drives them, and the check of the
// results. Each workload has a folder in workloads/ and registers itself. Several forms of one
// program may share a folder.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "base/picture.h"
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
  /// The result as a picture, if it is one.
  virtual std::optional<Picture> picture() const { return std::nullopt; }
};

/// The resources of a kernel as a paper states them. The number of registers may differ from ours,
/// because compilers have changed.
struct PaperResources {
  std::string source;  ///< Paper and table.
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes_per_block = 0;
  std::uint32_t blocks_per_sm = 0;
};

/// A kernel that a workload launches.
struct KernelDeclaration {
  std::string name;
  Dim3 block;
  std::optional<PaperResources> paper = std::nullopt;  ///< Empty: no paper states them.
};

/// Factory of a program, for Workload::make.
template <class Program>
std::unique_ptr<HostProgram> make_program(Size size, std::uint64_t seed) {
  return std::make_unique<Program>(size, seed);
}
/// Factory of a program that is constructed with its grid, for Workload::make and
/// ResidentForm::make.
template <class Program, GridChoice grid>
std::unique_ptr<HostProgram> make_form(Size size, std::uint64_t seed) {
  return std::make_unique<Program>(grid, size, seed);
}

/// The same work, distributed over as many threads as a GPU holds at once.
struct ResidentForm {
  std::vector<KernelDeclaration> kernels;
  std::unique_ptr<HostProgram> (*make)(Size size, std::uint64_t seed) = nullptr;
};

struct Workload {
  std::string name;
  std::string folder = {};  ///< Folder in workloads/; empty: the workload's name.
  std::string summary;
  std::vector<std::string> papers;  ///< Papers and tables with it: "large-warps Table 2".
  std::vector<KernelDeclaration> kernels;
  bool has_paper_size = false;
  bool has_picture = false;
  std::unique_ptr<HostProgram> (*make)(Size size, std::uint64_t seed) = nullptr;
  std::optional<ResidentForm> resident = std::nullopt;

  /// Throws InputError if the workload has no form for the grid.
  void require(GridChoice grid) const;
  const std::vector<KernelDeclaration>& kernels_for(GridChoice grid) const;
  std::unique_ptr<HostProgram> make_for(GridChoice grid, Size input, std::uint64_t seed) const;
};

/// A global variable of this type registers a workload.
class Registration {
 public:
  explicit Registration(Workload workload);
};

/// All registered workloads, sorted by name.
const std::vector<const Workload*>& all_workloads();
/// Throws InputError with a suggestion if the name is unknown.
const Workload& find_workload(std::string_view name);
/// The text of kernel.ptx in the workload's folder, from when this program was built.
std::string_view ptx_of(const Workload& workload);

}  // namespace heddle::workload
