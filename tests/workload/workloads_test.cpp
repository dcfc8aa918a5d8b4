// Every workload, at its smallest size: it computes what the host computes, is what it says it is,
// and its check would notice if it were not.

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

/// A host loop that waits for the kernels to be done with something would wait for ever.
struct EndlessHostPart {};

/// A simulated GPU with a defect.
class BrokenDevice final : public Gpu {
 public:
  enum class Defect { runs_nothing, spoils_arrays, spoils_all_that_is_read };

  BrokenDevice(const Workload& workload, Defect defect) : device_(workload), defect_(defect) {}

  Address allocate_bytes(std::uint64_t bytes, std::string_view name) override {
    return device_.allocate_bytes(bytes, name);
  }
  void write_bytes(Address to, std::span<const std::byte> from) override {
    device_.write_bytes(to, from);
  }
  void read_bytes(std::span<std::byte> to, Address from) override {
    device_.read_bytes(to, from);
    // A few bytes may steer a loop of the host part, which would then not end.
    const bool spoils = defect_ == Defect::spoils_all_that_is_read ||
                        (defect_ == Defect::spoils_arrays && to.size() > 8);
    if (!spoils) return;
    spoiled_ = true;
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

  bool spoiled() const { return spoiled_; }

 private:
  SimulatedDevice device_;
  Defect defect_;
  int launches_ = 0;
  bool spoiled_ = false;
};

/// A workload in one of its forms.
struct Form {
  const Workload* workload = nullptr;
  GridShape grid = GridShape::input;

  std::unique_ptr<HostProgram> make_tiny() const { return workload->make_for(grid, Size::tiny, 1); }
};

std::vector<Form> all_forms() {
  std::vector<Form> forms;
  for (const Workload* workload : all_workloads()) {
    forms.push_back({workload});
    if (workload->resident) forms.push_back({workload, GridShape::resident});
  }
  return forms;
}

RunResult run_tiny(const Form& form, std::uint64_t seed = 1) {
  RunOptions options;
  options.size = Size::tiny;
  options.seed = seed;
  options.grid = form.grid;
  return run_workload(*form.workload, options);
}

std::string describe(const Verdict& verdict) {
  std::string text;
  for (const Difference& d : verdict.differences()) {
    text += d.where + ": " + d.got + ", should be " + d.want + "\n";
  }
  return text;
}

/// Whether the check notices. That the host part finds something wrong by itself, or that a kernel
/// faults on what it is given then, is noticing too.
bool check_notices(const Form& form, BrokenDevice& device) {
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
    EXPECT_TRUE(result.verdict.passed()) << "seed " << seed << "\n" << describe(result.verdict);
    EXPECT_EQ(result.picture.has_value(), GetParam().workload->has_picture);
    for (const Verdict::UsedBound& bound : result.verdict.bounds()) {
      EXPECT_FALSE(bound.bound.reason.empty()) << bound.what;
    }
  }
}

TEST_P(EveryWorkload, LaunchesTheKernelsThatItDeclaresInBlocksOfTheirShape) {
  const RunResult result = run_tiny(GetParam());
  for (const KernelResult& kernel : result.kernels) EXPECT_GT(kernel.launches, 0U) << kernel.name;
  for (const LaunchRecord& launch : result.launches) {
    EXPECT_EQ(launch.shape.block, result.kernels[launch.kernel].block)
        << result.kernels[launch.kernel].name;
  }
}

TEST_P(EveryWorkload, IsSmallWhenTiny) {
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

TEST_P(EveryWorkload, FailsItsCheckWhereNoKernelRan) {
  BrokenDevice device(*GetParam().workload, BrokenDevice::Defect::runs_nothing);
  EXPECT_TRUE(check_notices(GetParam(), device));
}

TEST_P(EveryWorkload, FailsItsCheckWhereWhatComesBackIsSpoiled) {
  BrokenDevice device(*GetParam().workload, BrokenDevice::Defect::spoils_arrays);
  const bool noticed = check_notices(GetParam(), device);
  if (device.spoiled()) {
    EXPECT_TRUE(noticed);
    return;
  }
  // One whose results are single numbers.
  BrokenDevice worse(*GetParam().workload, BrokenDevice::Defect::spoils_all_that_is_read);
  EXPECT_TRUE(check_notices(GetParam(), worse));
  EXPECT_TRUE(worse.spoiled());
}

TEST_P(EveryWorkload, FitsOnAnSmAsOftenAsThePapersTableSays) {
  for (const KernelShape& kernel : GetParam().workload->kernels) {
    if (!kernel.paper) continue;
    const auto threads = static_cast<std::uint32_t>(kernel.block.count());
    const device::Occupancy occupancy = device::occupancy_of(
        device::kGtx480Sm, {.threads = threads,
                            .registers_per_thread = kernel.paper->registers_per_thread,
                            .shared_bytes = kernel.paper->shared_bytes_per_block});
    EXPECT_EQ(occupancy.blocks, kernel.paper->blocks_per_sm) << kernel.name;
  }
}

TEST_P(EveryWorkload, HasTheFilesOfAWorkload) {
  const std::filesystem::path folder = kFolders / GetParam().workload->folder;
  for (const char* file : {"kernel.cu", "kernel.ptx", "README.md"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / file)) << folder / file;
  }
  EXPECT_FALSE(GetParam().workload->summary.empty());
  EXPECT_FALSE(GetParam().workload->papers.empty());
}

INSTANTIATE_TEST_SUITE_P(, EveryWorkload, testing::ValuesIn(all_forms()),
                         [](const testing::TestParamInfo<Form>& tested) {
                           std::string name = tested.param.workload->name;
                           if (tested.param.grid == GridShape::resident) name += " resident";
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

TEST(Workloads, LieInAllFoldersThatThereAre) {
  std::set<std::string> folders, used;
  for (const auto& entry : std::filesystem::directory_iterator(kFolders)) {
    if (entry.is_directory()) folders.insert(entry.path().filename());
  }
  for (const Workload* workload : all_workloads()) used.insert(workload->folder);
  EXPECT_EQ(folders, used);
}

TEST(Workloads, OfOneFolderHaveTheSameProgramAndOneHasItsName) {
  for (const Workload* workload : all_workloads()) {
    const Workload& first = find_workload(workload->folder);
    EXPECT_EQ(first.folder, workload->folder);
    EXPECT_EQ(ptx_of(first), ptx_of(*workload));
  }
  EXPECT_EQ(find_workload("needle-64").folder, "needle");
  EXPECT_EQ(find_workload("vector-add").folder, "vector-add");
}

TEST(Needle, NeedsFewerLaunchesAndMoreSharedMemoryTheLargerItsTilesAre) {
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

TEST(Workloads, HaveNoPaperSizeWhereNoPaperGivesOne) {
  for (const Workload* workload : all_workloads()) {
    if (workload->has_paper_size) continue;
    RunOptions options;
    options.size = Size::paper;
    EXPECT_THROW(run_workload(*workload, options), InputError);
  }
}

TEST(Workloads, HaveAFormForAGridOfOneResidencyOrSaySo) {
  EXPECT_THROW(run_tiny({&find_workload("vector-add"), GridShape::resident}), InputError);
  const RunResult result = run_tiny({&find_workload("reduction"), GridShape::resident});
  // 15 multiprocessors of a GTX 480, each with room for one block of 1024 threads.
  EXPECT_EQ(result.launches.front().shape.grid, Dim3{15});
}

TEST(Workloads, RunKernelsGivenInPlaceOfTheirOwn) {
  std::string text(ptx_of(find_workload("vector-add")));
  const std::size_t add = text.find("add.f32");
  ASSERT_NE(add, std::string::npos);
  text.replace(add, 3, "sub");
  RunOptions options;
  options.size = Size::tiny;
  options.kernels = device::PtxSource{.file = "other.ptx", .text = text};
  const RunResult result = run_workload(find_workload("vector-add"), options);
  EXPECT_FALSE(result.verdict.passed());
  EXPECT_GT(result.verdict.differing(), 49'000U);
}

TEST(Workloads, GiveTheSameCountsEveryTime) {
  for (const char* name : {"vector-add", "bfs"}) {
    const RunResult a = run_tiny({&find_workload(name)}, 7);
    const RunResult b = run_tiny({&find_workload(name)}, 7);
    EXPECT_EQ(a.warp_instructions(), b.warp_instructions());
    EXPECT_EQ(a.thread_instructions(), b.thread_instructions());
  }
}

}  // namespace
}  // namespace heddle::workload
