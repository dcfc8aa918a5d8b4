// Steers concurrent programs to the multiprocessors that suit them (Xiang's dissertation,
// section 4.5). A program is a stream of launches. Programs with too few warps to hide latency go
// to one group of multiprocessors, which hide latency within a warp. All other programs go to the
// other multiprocessors. In the dissertation, a program has too few warps if fewer than 16 of its
// warps can be resident on a multiprocessor, or if it has at most 32768 threads.
//
// The first launch of a program decides for all its launches. The dissertation's programs have one
// kernel each. If a program changed its multiprocessors between launches, it would have to wait for
// blocks of other programs to end.
//
// The number of resident warps is computed for the multiprocessors outside the group, because the
// question is whether the program would use those well. The dissertation says "an SM" without
// naming the kind of multiprocessor. The kind matters only if occupancy differs between the kinds.
// For example, if the multiprocessors of the group have fewer registers (as in the dissertation's
// second experiment), more programs would have few warps by the occupancy there.
//
// A program that is alone on the chip uses all multiprocessors, like the single kernels in the
// dissertation. A launch that does not fit on the multiprocessors for its program goes to the
// others.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "gpu/dispatch/dispatcher.h"
#include "gpu/dispatch/round_robin.h"
#include "gpu/machine.h"

namespace heddle::gpu {
namespace {

struct SteeredParameters {
  std::string few_warps_group;
  std::uint32_t few_warps = 16;
  std::uint64_t few_threads = 32768;

  void declare(config::Declarations& parameters) {
    parameters.name("few_warps_group", few_warps_group,
                    "with dispatch.policy=steered: the group of multiprocessors for programs with "
                    "few warps or threads");
    parameters.number("few_warps", few_warps, {.unit = "warps", .least = 0, .most = 1024},
                      "with dispatch.policy=steered: a program has few warps if fewer than this "
                      "many of its first launch can be resident on one of the other "
                      "multiprocessors");
    parameters.number("few_threads", few_threads,
                      {.unit = "threads", .least = 0, .most = 1099511627776},
                      "with dispatch.policy=steered: a program has few threads if its first launch "
                      "has at most this many");
  }
  void check(const Machine& machine) const {
    const std::vector<SmKind> kinds = machine.kinds();
    const bool group_exists = !few_warps_group.empty() &&
                              std::any_of(kinds.begin(), kinds.end(), [&](const SmKind& kind) {
                                return kind.group == few_warps_group;
                              });
    if (!group_exists) {
      throw InputError(fmt::format(
          "dispatch.policy=steered needs the group that dispatch.few_warps_group names, but there "
          "is no group '{}'",
          few_warps_group));
    }
    if (kinds.size() == 1) {
      throw InputError(fmt::format(
          "dispatch.policy=steered needs multiprocessors outside of group '{}', but there are no "
          "others",
          few_warps_group));
    }
  }
};

class Steered final : public Dispatcher {
 public:
  Steered(const SteeredParameters& parameters, std::span<const SmKind> kinds)
      : kinds_(kinds), few_warps_(parameters.few_warps), few_threads_(parameters.few_threads) {
    const auto is_named = [&](const SmKind& kind) {
      return kind.group == parameters.few_warps_group;
    };
    group_ = static_cast<std::size_t>(std::find_if(kinds.begin(), kinds.end(), is_named) -
                                      kinds.begin());
  }

  void begin(const ChipGrid& grid) override {
    stream_has_few_.try_emplace(grid.stream(), has_few(grid));
  }
  void share_among(const std::vector<std::uint32_t>& streams) override {
    is_alone_ = streams.size() < 2;
  }
  bool allows(const ChipGrid& grid, std::uint32_t sm) const override {
    return is_alone_ || is_in_group(sm) == is_steered_to_group(grid);
  }
  std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                      const std::vector<std::unique_ptr<sm::Sm>>& sms) override {
    if (is_alone_) return round_robin_on_all_.choose(grid, sms, [](std::uint32_t) { return true; });
    const bool to_group = is_steered_to_group(grid);
    return (to_group ? round_robin_in_group_ : round_robin_in_others_)
        .choose(grid, sms, [&](std::uint32_t sm) { return is_in_group(sm) == to_group; });
  }
  void restart() override {
    is_alone_ = true;
    stream_has_few_.clear();
    round_robin_on_all_ = round_robin_in_group_ = round_robin_in_others_ = {};
  }

 private:
  bool is_in_group(std::uint32_t sm) const {
    return sm - kinds_[group_].first < kinds_[group_].sms;
  }
  bool is_steered_to_group(const ChipGrid& grid) const {
    if (grid.occupancies()[group_].blocks == 0) return false;
    return blocks_on_others(grid) == 0 || stream_has_few_.at(grid.stream());
  }
  /// Whether the program has few warps or threads, if this is its first launch.
  bool has_few(const ChipGrid& grid) const {
    const exec::Launch& launch = grid.launch();
    const std::uint64_t warps =
        std::uint64_t{blocks_on_others(grid)} * launch.warps_per_running_block();
    return warps < few_warps_ || launch.grid.count() * launch.block.count() <= few_threads_;
  }
  /// The number of blocks that can be resident on a multiprocessor outside the group.
  std::uint32_t blocks_on_others(const ChipGrid& grid) const {
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      if (i != group_) most = std::max(most, grid.occupancies()[i].blocks);
    }
    return most;
  }

  std::span<const SmKind> kinds_;
  std::size_t group_ = 0;  ///< The index of the group in kinds_.
  std::uint32_t few_warps_;
  std::uint64_t few_threads_;
  bool is_alone_ = true;
  /// By stream: whether it has few warps or threads.
  std::map<std::uint32_t, bool> stream_has_few_;
  RoundRobin round_robin_on_all_;
  RoundRobin round_robin_in_group_;
  RoundRobin round_robin_in_others_;
};

const DispatcherRegistry::Entry steered_entry{
    "steered", "programs with few warps or threads to a group of multiprocessors of their own",
    [](const SteeredParameters& own, const DispatchPlace& place) {
      return std::make_unique<Steered>(own, place.kinds);
    }};

}  // namespace
}  // namespace heddle::gpu
