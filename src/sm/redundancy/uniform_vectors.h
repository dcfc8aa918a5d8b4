#pragma once

// Uniform vector instructions (Xiang's dissertation, Toward Efficient SIMT Execution, chapter 2):
// instructions whose sources have the same value in all threads of a warp. Hardware knows of some
// of them without comparing values. It computes such an instruction in one lane (intra-warp), or
// takes the result from the reuse buffer if a warp has computed the same before (inter-warp).
//
// The token of a vector register says that its value is known to be uniform. An instruction is
// detected if all its sources are immediates, constants, special registers that are the same in
// the warp, or registers with a token, and if all 32 threads execute it. Its result then has a
// token. A load by which all threads access one address sets the tokens of its results, too.
//
// Tokens change in the order in which a warp issues its instructions. Hardware changes them at
// decode, and after a load when the value arrives. No instruction of the warp sees the difference.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sm/redundancy/error_detection.h"
#include "sm/redundancy/fault_injector.h"
#include "sm/redundancy/redundancy.h"
#include "sm/redundancy/reuse_buffer.h"

namespace heddle::sm {

/// Throws InputError if the policies cannot be combined with the rest of the multiprocessor.
void check_uniform_vectors(const SmDescription& sm);

/// Where a register's value is kept.
enum class UniformContent : std::uint8_t {
  different,  ///< In all lanes: it is not known to be uniform.
  repeated,   ///< In all lanes: it is known to be uniform, but was written to each lane.
  single,     ///< In one place. Readers in other lanes get it over the broadcast path.
};

/// Where the single copy of a uniform value is kept.
enum class ScalarPlace : std::uint8_t {
  lane,         ///< In one lane of the vector register: the token design (section 2.4.1).
  scalar_file,  ///< In a file of its own (section 2.4.2).
};

struct UniformCounters {
  std::uint64_t detected = 0;
  std::uint64_t converted = 0;
  std::uint64_t broadcast_loads = 0;
  std::uint64_t copies = 0;
  std::uint64_t source_copies = 0;
  std::uint64_t scalar_reads = 0;
  std::uint64_t scalar_writes = 0;
  std::uint64_t scalar_full = 0;

  void declare(CounterList& counters);
};

class UniformVectors final : public Redundancy {
 public:
  /// `scalar_registers`: how many uniform registers can be known at a time; not present if any
  /// number. Predicates are one bit per lane and take none.
  UniformVectors(const RedundancyDescription& description, ScalarPlace place,
                 std::optional<std::uint32_t> scalar_registers);

  void ended(HardwareWarpId hardware_warp, Cycle at) override;
  Plan plan(const PassValues& before, Cycle now) override;
  void observe_computed(std::size_t pass, Cycle at) override;
  void observe_executed(const PassValues& after, Cycle now) override;
  void declare(CounterList& counters) override;
  bool inject(FaultInjection& injection, std::uint32_t sm) override;

 private:
  using Contents = std::array<UniformContent, kScoreboardEntries>;  ///< By number.

  bool take_scalars(const Contents& contents, std::span<const std::uint16_t> numbers);
  void make_different(Contents& contents, std::uint16_t number);
  Computed compute(const PassValues& before, Cycle now);
  void plan_reads(const PassValues& before, const Contents& contents, Computed computed,
                  Plan& plan);
  void plan_uniform_writes(const PassValues& before, Contents& contents, UniformContent content,
                           Plan& plan);
  void plan_vector_writes(const PassValues& before, Contents& contents, Plan& plan);
  void follow_reads(const PassValues& before, Cycle now);
  void end_stretch(HardwareWarpId hardware_warp, std::uint16_t number, Cycle now,
                   FaultInjector::SingleCopy copy);
  void follow_writes(const PassValues& before, const Contents& contents, Cycle now);
  void read_single(std::size_t position, Plan& plan);
  void write_single(std::size_t position, Plan& plan);

  bool converts_;  ///< Whether uniform instructions are computed in one lane.
  ScalarPlace place_;
  std::optional<std::uint32_t> scalar_registers_;
  std::uint32_t scalars_in_use_ = 0;
  std::array<Contents, kMaxWarps> contents_{};  ///< By hardware warp.
  std::optional<ReuseBuffer> reuse_;            ///< Not present if results are not reused.
  std::optional<ErrorDetection> errors_;        ///< Not present if errors are not detected.
  std::optional<FaultInjector> faults_;         ///< Not present if no fault is injected.
  Computed computed_ = Computed::in_all_lanes;  ///< How the planned instruction is computed.
  UniformCounters counters_;
};

}  // namespace heddle::sm
