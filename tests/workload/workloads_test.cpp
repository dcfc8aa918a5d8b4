// Every workload in its smallest size: its results equal those that the host computes, it matches
// its declaration, and its check detects errors.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.h"
#include "device/occupancy.h"
#include "source_file.h"
#include "workload/run.h"

namespace heddle::workload {
namespace {

const std::filesystem::path kFolders = source_file("workloads");

/// Thrown to end a host part that waits in a loop for a state that the kernels never reach.
struct EndlessHostPart {};

/// A simulated GPU with a defect.
class BrokenDevice final : public Gpu {
 public:
  enum class Defect { runs_nothing, corrupts_arrays, corrupts_all_reads };

  BrokenDevice(const Workload& workload, Defect defect) : device_(workload), defect_(defect) {}

  Address allocate_bytes(std::uint64_t bytes, std::string_view name) override {
    return device_.allocate_bytes(bytes, name);
  }
  void write_bytes(Address to, std::span<const std::byte> from) override {
    device_.write_bytes(to, from);
  }
  void read_bytes(std::span<std::byte> to, Address from) override {
    device_.read_bytes(to, from);
    // corrupts_arrays spares small reads: they may control a loop of the host part, which would
    // otherwise not end.
    const bool corrupts = defect_ == Defect::corrupts_all_reads ||
                          (defect_ == Defect::corrupts_arrays && to.size() > 8);
    if (!corrupts) return;
    has_corrupted_ = true;
    for (std::byte& byte : to.last((to.size() + 3) / 4)) byte ^= std::byte{0x21};
  }
  void copy_bytes(Address to, Address from, std::uint64_t bytes) override {
    device_.copy_bytes(to, from, bytes);
  }
  void fill_bytes(Address to, std::uint8_t value, std::uint64_t bytes) override {
    device_.fill_bytes(to, value, bytes);
  }
  Address symbol_address(std::string_view name) override { return device_.symbol_address(name); }
  TextureHandle create_texture(const TextureDescription& description,
                               std::span<const std::byte> texels) override {
    return device_.create_texture(description, texels);
  }
  std::uint32_t resident_blocks(std::string_view kernel, const Dim3& block) override {
    return device_.resident_blocks(kernel, block);
  }
  void launch_kernel(std::string_view kernel, const LaunchShape& shape,
                     const device::Arguments& arguments) override {
    if (++launches_ > 100'000) throw EndlessHostPart{};
    if (defect_ != Defect::runs_nothing) device_.launch_kernel(kernel, shape, arguments);
  }

  bool has_corrupted() const { return has_corrupted_; }

 private:
  SimulatedDevice device_;
  Defect defect_;
  int launches_ = 0;
  bool has_corrupted_ = false;
};

/// A workload in its usual form or in its resident form, which launches only as many blocks as the
/// GPU holds at once.
struct Form {
  const Workload* workload = nullptr;
  GridChoice grid = GridChoice::input;

  std::unique_ptr<HostProgram> make_tiny() const { return workload->make_for(grid, Size::tiny, 1); }
};

std::vector<Form> all_forms() {
  std::vector<Form> forms;
  for (const Workload* workload : all_workloads()) {
    forms.push_back({workload});
    if (workload->resident) forms.push_back({workload, GridChoice::resident});
  }
  return forms;
}

RunResult run_tiny(const Form& form, std::uint64_t seed = 1,
                   code::MultiplyAdd multiply_add = code::MultiplyAdd::fused) {
  RunOptions options;
  options.size = Size::tiny;
  options.seed = seed;
  options.grid = form.grid;
  options.device.compile.multiply_add = multiply_add;
  return run_workload(*form.workload, options);
}

std::string describe(const CheckResult& check) {
  std::string text;
  for (const Difference& d : check.differences()) {
    text += d.where + ": " + d.got + ", should be " + d.want + "\n";
  }
  return text;
}

/// Whether the defect is detected: by the check, by the host part itself, or by a fault of a
/// kernel.
bool is_detected(const Form& form, BrokenDevice& device) {
  const std::unique_ptr<HostProgram> program = form.make_tiny();
  try {
    program->run(device);
  } catch (const EndlessHostPart&) {
    ADD_FAILURE() << "the host part does not end";
    return false;
  } catch (const std::exception&) {
    return true;
  }
  return !program->check().passed();
}

class EveryWorkload : public testing::TestWithParam<Form> {};

TEST_P(EveryWorkload, ComputesWhatTheHostComputes) {
  for (const std::uint64_t seed : {std::uint64_t{1}, ~std::uint64_t{0}}) {
    const RunResult result = run_tiny(GetParam(), seed);
    EXPECT_TRUE(result.check.passed()) << "seed " << seed << "\n" << describe(result.check);
    EXPECT_EQ(result.picture.has_value(), GetParam().workload->has_picture);
    for (const CheckResult::UsedBound& bound : result.check.bounds()) {
      EXPECT_FALSE(bound.bound.reason.empty()) << bound.what;
    }
  }
}

TEST_P(EveryWorkload, ComputesWhatTheHostComputesWithoutFusedMultiplyAdds) {
  const RunResult result = run_tiny(GetParam(), 1, code::MultiplyAdd::separate);
  EXPECT_TRUE(result.check.passed()) << describe(result.check);
}

TEST_P(EveryWorkload, LaunchesItsDeclaredKernelsAndBlockShapes) {
  const RunResult result = run_tiny(GetParam());
  for (const KernelResult& kernel : result.kernels) EXPECT_GT(kernel.launches, 0U) << kernel.name;
  for (const LaunchRecord& launch : result.launches) {
    EXPECT_EQ(launch.shape.block, result.kernels[launch.kernel].block)
        << result.kernels[launch.kernel].name;
  }
}

TEST_P(EveryWorkload, IsShortInTinySize) {
  const RunResult result = run_tiny(GetParam());
  EXPECT_GT(result.warp_instructions(), 1000U);
  EXPECT_LT(result.warp_instructions(), 100'000U);
}

TEST_P(EveryWorkload, CountsEveryInstructionInOneClass) {
  const RunResult result = run_tiny(GetParam());
  for (const KernelResult& kernel : result.kernels) {
    EXPECT_EQ(kernel.mix.total(), kernel.warp_instructions) << kernel.name;
  }
}

TEST_P(EveryWorkload, FailsItsCheckIfNoKernelRan) {
  BrokenDevice device(*GetParam().workload, BrokenDevice::Defect::runs_nothing);
  EXPECT_TRUE(is_detected(GetParam(), device));
}

TEST_P(EveryWorkload, FailsItsCheckIfTheOutputIsCorrupted) {
  BrokenDevice device(*GetParam().workload, BrokenDevice::Defect::corrupts_arrays);
  const bool was_detected = is_detected(GetParam(), device);
  if (device.has_corrupted()) {
    EXPECT_TRUE(was_detected);
    return;
  }
  // This workload's results are single numbers, so its only reads are small.
  BrokenDevice worse(*GetParam().workload, BrokenDevice::Defect::corrupts_all_reads);
  EXPECT_TRUE(is_detected(GetParam(), worse));
  EXPECT_TRUE(worse.has_corrupted());
}

TEST_P(EveryWorkload, FitsOnAnSmAsOftenAsInThePapersTable) {
  for (const KernelDeclaration& kernel : GetParam().workload->kernels) {
    if (!kernel.paper) continue;
    const auto threads = static_cast<std::uint32_t>(kernel.block.count());
    const device::Occupancy occupancy = device::occupancy_of(
        device::kGtx480Sm, {.threads = threads,
                            .registers_per_thread = kernel.paper->registers_per_thread,
                            .shared_bytes = kernel.paper->shared_bytes_per_block});
    EXPECT_EQ(occupancy.blocks, kernel.paper->blocks_per_sm) << kernel.name;
  }
}

TEST_P(EveryWorkload, HasItsFiles) {
  const std::filesystem::path folder = kFolders / GetParam().workload->folder;
  for (const char* file : {"kernel.cu", "kernel.ptx", "kernel-unfused.ptx", "README.md"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / file)) << folder / file;
  }
  EXPECT_FALSE(GetParam().workload->summary.empty());
  EXPECT_FALSE(GetParam().workload->papers.empty());
}

INSTANTIATE_TEST_SUITE_P(, EveryWorkload, testing::ValuesIn(all_forms()),
                         [](const testing::TestParamInfo<Form>& tested) {
                           std::string name = tested.param.workload->name;
                           if (tested.param.grid == GridChoice::resident) name += " resident";
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

TEST(Workloads, UseEveryFolder) {
  std::set<std::string> folders, used;
  for (const auto& entry : std::filesystem::directory_iterator(kFolders)) {
    if (entry.is_directory()) folders.insert(entry.path().filename());
  }
  for (const Workload* workload : all_workloads()) used.insert(workload->folder);
  EXPECT_EQ(folders, used);
}

TEST(Workloads, ShareTheProgramOfTheirFolder) {
  for (const Workload* workload : all_workloads()) {
    const Workload& first = find_workload(workload->folder);
    EXPECT_EQ(first.folder, workload->folder);
    for (const auto form : {code::MultiplyAdd::fused, code::MultiplyAdd::separate}) {
      EXPECT_EQ(ptx_file_of(first, form), ptx_file_of(*workload, form));
      EXPECT_EQ(ptx_of(first, form), ptx_of(*workload, form));
    }
  }
  EXPECT_EQ(find_workload("needle-64").folder, "needle");
  EXPECT_EQ(find_workload("vector-add").folder, "vector-add");
}

TEST(Needle, NeedsFewerLaunchesAndMoreSharedMemoryWithLargerTiles) {
  std::uint64_t launches = 0;
  std::uint32_t side = 64;
  for (const char* name : {"needle-64", "needle-32", "needle"}) {
    const RunResult result = run_tiny({&find_workload(name)});
    EXPECT_EQ(result.launches.front().shape.block, Dim3{side}) << name;
    EXPECT_GT(result.launches.size(), launches) << name;
    const std::uint32_t pitch = side % 32 == 0 ? side + 2 : side + 1;
    const std::uint32_t words = (side + 1) * pitch + side * side;
    for (const KernelResult& kernel : result.kernels) {
      EXPECT_EQ(kernel.shared_bytes_per_block, 4 * words) << name;
    }
    launches = result.launches.size();
    side /= 2;
  }
}

TEST(Workloads, AreFoundByName) {
  EXPECT_EQ(find_workload("vector-add").name, "vector-add");
  try {
    find_workload("vector-ad");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'vector-add'"), std::string::npos);
  }
}

TEST(Workloads, HaveAPaperSizeOnlyIfAPaperGivesIt) {
  for (const Workload* workload : all_workloads()) {
    if (workload->has_paper_size) continue;
    RunOptions options;
    options.size = Size::paper;
    EXPECT_THROW(run_workload(*workload, options), InputError);
  }
}

TEST(NQueens, StartsBlocksWithoutBoardsInThePaperSize) {
  RunOptions options;
  options.size = Size::paper;
  const RunResult result = run_workload(find_workload("n-queens"), options);
  EXPECT_TRUE(result.check.passed());
  ASSERT_EQ(result.launches.size(), 1U);
  EXPECT_EQ(result.launches.front().shape.grid, Dim3{256});
}

TEST(Heartwall, CutsTemplatesAndTracksNothingInThePaperSize) {
  RunOptions options;
  options.size = Size::paper;
  const RunResult result = run_workload(find_workload("heartwall"), options);
  EXPECT_TRUE(result.check.passed());
  ASSERT_EQ(result.launches.size(), 1U);
  EXPECT_EQ(result.launches.front().shape.grid, Dim3{51});
  EXPECT_EQ(result.launches.front().shape.block, Dim3{512});
}

TEST(Workloads, HaveAResidentFormOrRejectTheGrid) {
  EXPECT_THROW(run_tiny({&find_workload("vector-add"), GridChoice::resident}), InputError);
  const RunResult result = run_tiny({&find_workload("reduction"), GridChoice::resident});
  // Each of the 15 multiprocessors of a GTX 480 holds one block of 1024 threads.
  EXPECT_EQ(result.launches.front().shape.grid, Dim3{15});
}

TEST(Workloads, RunReplacementKernels) {
  std::string text(ptx_of(find_workload("vector-add"), code::MultiplyAdd::fused));
  const std::size_t add = text.find("add.f32");
  ASSERT_NE(add, std::string::npos);
  text.replace(add, 3, "sub");
  RunOptions options;
  options.size = Size::tiny;
  options.kernels = device::PtxSource{.file = "other.ptx", .text = text};
  const RunResult result = run_workload(find_workload("vector-add"), options);
  EXPECT_FALSE(result.check.passed());
  EXPECT_GT(result.check.differing_count(), 49'000U);
}

TEST(Workloads, CountDeterministically) {
  for (const char* name : {"vector-add", "bfs"}) {
    const RunResult a = run_tiny({&find_workload(name)}, 7);
    const RunResult b = run_tiny({&find_workload(name)}, 7);
    EXPECT_EQ(a.warp_instructions(), b.warp_instructions());
    EXPECT_EQ(a.thread_instructions(), b.thread_instructions());
  }
}

}  // namespace
}  // namespace heddle::workload
