#pragma once

// A program to simulate: kernels, the host part that drives them, and the check of its results.
// Each lies in a folder in workloads/ and registers itself; forms of one program may share theirs.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "base/picture.h"
#include "workload/gpu.h"
#include "workload/grid_shape.h"
#include "workload/size.h"
#include "workload/verdict.h"

namespace heddle::workload {

/// One program with its input, made from a size and a seed.
class HostProgram {
 public:
  virtual ~HostProgram() = default;
  /// What a CUDA host program does: allocates, copies, launches, copies back.
  virtual void run(Gpu& device) = 0;
  /// Compares what run() brought back with what the host computes by itself.
  virtual Verdict check() const = 0;
  /// The result as a picture, where it is one.
  virtual std::optional<Picture> picture() const { return std::nullopt; }
};

/// What a paper's table says of a kernel. Compilers have changed since, so that its registers may
/// be other than ours.
struct PaperFigures {
  std::string source;  ///< Paper and table.
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes_per_block = 0;
  std::uint32_t blocks_per_sm = 0;
};

struct KernelShape {
  std::string name;
  Dim3 block;
  std::optional<PaperFigures> paper = std::nullopt;
};

/// What makes a program, for Workload.
template <class Program>
std::unique_ptr<HostProgram> make_program(Size size, std::uint64_t seed) {
  return std::make_unique<Program>(size, seed);
}
/// What makes a program that is constructed with its grid, for Workload and ResidentForm.
template <class Program, GridShape grid>
std::unique_ptr<HostProgram> make_form(Size size, std::uint64_t seed) {
  return std::make_unique<Program>(grid, size, seed);
}

/// The same work laid out over as many threads as a GPU holds at once.
struct ResidentForm {
  std::vector<KernelShape> kernels;
  std::unique_ptr<HostProgram> (*make)(Size size, std::uint64_t seed) = nullptr;
};

struct Workload {
  std::string name;
  std::string folder = {};  ///< In workloads/; that of its name, if nothing is said.
  std::string summary;
  std::vector<std::string> papers;  ///< "large-warps Table 2"
  std::vector<KernelShape> kernels;
  bool has_paper_size = false;
  bool has_picture = false;
  std::unique_ptr<HostProgram> (*make)(Size size, std::uint64_t seed) = nullptr;
  std::optional<ResidentForm> resident = std::nullopt;

  /// Throws InputError where it has no form for such a grid.
  void require(GridShape grid) const;
  const std::vector<KernelShape>& kernels_for(GridShape grid) const;
  std::unique_ptr<HostProgram> make_for(GridShape grid, Size input, std::uint64_t seed) const;
};

/// A variable of this type in a workload's folder makes it known.
class Registration {
 public:
  explicit Registration(Workload workload);
};

/// In the order of their names.
const std::vector<const Workload*>& all_workloads();
/// Throws InputError, naming the nearest, where there is none of that name.
const Workload& find_workload(std::string_view name);
/// The text of the kernel.ptx in the workload's folder, as it was when this program was built.
std::string_view ptx_of(const Workload& workload);

}  // namespace heddle::workload
