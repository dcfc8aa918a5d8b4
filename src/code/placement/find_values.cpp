#include <algorithm>
#include <utility>

#include "code/effects.h"
#include "code/physical_liveness.h"
#include "code/placement/values.h"
#include "code/placement/versions.h"

namespace heddle::code {
namespace {

/// Finds values. One walk over the code in order suffices, since strands contain no backward edges.
class ValueFinder {
 public:
  ValueFinder(const CodeOrder& code, const Strands& strands, const Hierarchy& hierarchy)
      : code_(code),
        strands_(strands),
        hierarchy_(hierarchy),
        live_in_(live_into_blocks(code.function, code.control_flow)),
        state_after_(code.blocks()) {}

  Values find() {
    for (BlockIndex block = 0; block < code_.blocks(); ++block) {
      enter(block);
      pass_through(block);
      leave(block);
    }
    collect_written();
    for (Value& fill : fills_) {
      if (!fill.reads.empty()) found_.values.push_back(std::move(fill));
    }
    for (const Definition& definition : versions_.definitions()) {
      if (definition.live_out) found_.live_out.push_back({definition.at, definition.word});
    }
    return std::move(found_);
  }

 private:
  static constexpr std::uint32_t kWords = LiveSet::kRegisters;
  /// What is known at one point of the code.
  struct State {
    /// By word: its version.
    std::vector<VersionIndex> version = std::vector<VersionIndex>(kWords, Versions::kFromMain);
    /// By word: the read operand that all paths to this point have read (an index into fills_), or
    /// kNone.
    std::vector<std::uint32_t> fill = std::vector<std::uint32_t>(kWords, kNone);
  };
  /// A read that an upper level could serve, and the version that it reads.
  struct ReadVersion {
    VersionIndex version;
    Position at;
    WordRead read;
  };

  /// Sets the state at the block's beginning from those at its predecessors' ends.
  void enter(BlockIndex block) {
    state_ = {};
    if (strands_.block_begins[block]) return;
    const auto before = code_.control_flow.predecessors(block);
    std::vector<VersionIndex> parts(before.size());
    for (std::uint32_t word = 0; word < kWords; ++word) {
      if (!live_in_[block].has_register(word)) continue;
      std::uint32_t fill = state_after_[before[0]].fill[word];
      bool same = true;
      for (std::size_t i = 0; i < before.size(); ++i) {
        parts[i] = state_after_[before[i]].version[word];
        same = same && parts[i] == parts[0];
        if (state_after_[before[i]].fill[word] != fill) fill = kNone;
      }
      state_.version[word] = same ? parts[0] : versions_.merge(parts);
      state_.fill[word] = fill;
    }
  }

  void pass_through(BlockIndex block) {
    find_live_at_beginnings(block);
    for (Position at = code_.first_position[block]; at < code_.first_position[block + 1]; ++at) {
      const Instruction& instruction = *code_.instructions[at];
      if (strands_.begins[at]) {
        mark_live_out(live_at_beginning_.back());
        live_at_beginning_.pop_back();
        state_ = {};
      }
      for (const WordRead& read : words_read(instruction)) visit_read(at, read);
      for_each_word_written(instruction, [&](std::uint16_t word) { visit_write(at, word); });
    }
  }

  void leave(BlockIndex block) {
    for (const BlockIndex next : code_.control_flow.successors(block)) {
      if (strands_.block_begins[next]) mark_live_out(live_in_[next]);
    }
    state_after_[block] = std::move(state_);
  }

  /// Sets live_at_beginning_: the words that are live where strands begin in the block, the last
  /// beginning first.
  void find_live_at_beginnings(BlockIndex block) {
    live_at_beginning_.clear();
    LiveSet live = live_out_of(code_.control_flow, live_in_, block);
    for (Position at = code_.first_position[block + 1]; at-- > code_.first_position[block];) {
      step_back(*code_.instructions[at], live);
      if (strands_.begins[at]) live_at_beginning_.push_back(live);
    }
  }

  /// Marks the current versions of words that are live where another strand begins.
  void mark_live_out(const LiveSet& live) {
    for (std::uint32_t word = 0; word < kWords; ++word) {
      if (state_.version[word] != Versions::kFromMain && live.has_register(word)) {
        versions_.mark_live_out(state_.version[word]);
      }
    }
  }

  void visit_read(Position at, const WordRead& read) {
    const VersionIndex version = state_.version[read.word];
    if (!versions_.is_from_main(version)) {
      versions_.join(version);
      reads_.push_back({version, at, read});
      return;
    }
    versions_.mark_needs_main(version);
    std::uint32_t& fill = state_.fill[read.word];
    if (fill != kNone) {
      fills_[fill].reads.push_back({at, read.source_mask, 0});
    } else if (hierarchy_.read_operands && !code_.instructions[at]->guard.present()) {
      // A guarded read would fill the upper level for some threads only.
      fill = static_cast<std::uint32_t>(fills_.size());
      fills_.push_back({.word = read.word,
                        .is_read_operand = true,
                        .writers = {{.at = at}},
                        .reads = {},
                        .writer_sets = {{0}}});
    }
  }

  void visit_write(Position at, std::uint16_t word) {
    const Instruction& instruction = *code_.instructions[at];
    const bool keeps_old = keeps_old_values(instruction);
    const VersionIndex version =
        versions_.define({.at = at,
                          .word = word,
                          .keeps_old = keeps_old,
                          .only_main = hierarchy_.long_results_only_main &&
                                       hierarchy_.is_long_latency(instruction)});
    state_.version[word] =
        keeps_old ? versions_.merge(std::vector{state_.version[word], version}) : version;
    state_.fill[word] = kNone;
  }

  /// Makes the values that strands write, from definitions and the reads that they reach.
  void collect_written() {
    std::vector<std::uint32_t> index_of(versions_.definitions().size(), kNone);
    std::vector<std::uint32_t> last_version;  // By value.
    for (const ReadVersion& read : reads_) {
      std::uint32_t& index = index_of[versions_.value_of_version(read.version)];
      if (index == kNone) {
        index = static_cast<std::uint32_t>(found_.values.size());
        found_.values.push_back({.word = read.read.word});
        last_version.push_back(kNone);
      }
      Value& value = found_.values[index];
      if (last_version[index] != read.version) {
        last_version[index] = read.version;
        value.writer_sets.push_back(versions_.definitions_in(read.version));
      }
      value.reads.push_back({read.at, read.read.source_mask,
                             static_cast<std::uint32_t>(value.writer_sets.size() - 1)});
    }
    number_writers();
  }

  /// Replaces definition indices in Value::writer_sets by indices of the value's writers.
  void number_writers() {
    const std::vector<Definition>& definitions = versions_.definitions();
    for (Value& value : found_.values) {
      std::vector<std::uint32_t> all;
      for (const auto& some : value.writer_sets) all.insert(all.end(), some.begin(), some.end());
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
      for (const std::uint32_t index : all) {
        const Definition& definition = definitions[index];
        value.writers.push_back(
            {definition.at, definition.keeps_old, definition.live_out || definition.needs_main});
      }
      for (auto& some : value.writer_sets) {
        for (std::uint32_t& index : some) {
          index = static_cast<std::uint32_t>(std::lower_bound(all.begin(), all.end(), index) -
                                             all.begin());
        }
      }
    }
  }

  const CodeOrder& code_;
  const Strands& strands_;
  const Hierarchy& hierarchy_;
  std::vector<LiveSet> live_in_;
  Versions versions_;
  State state_;
  std::vector<State> state_after_;          ///< By block: the state at its end.
  std::vector<LiveSet> live_at_beginning_;  ///< See find_live_at_beginnings().
  std::vector<ReadVersion> reads_;
  std::vector<Value> fills_;  ///< The read operands.
  Values found_;
};

}  // namespace

Values find_values(const CodeOrder& code, const Strands& strands, const Hierarchy& hierarchy) {
  return ValueFinder(code, strands, hierarchy).find();
}

}  // namespace heddle::code
