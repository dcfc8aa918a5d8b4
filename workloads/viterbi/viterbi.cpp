#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::viterbi_host {
namespace {

constexpr std::uint32_t kTracebackThreads = 128;
/// The deviation of the noise in received values, where +-1 was sent.
constexpr double kNoise = 0.64;

/// The number of frames, not a multiple of the block.
int count_of(GridChoice grid, Size size) {
  // Chosen for about as many thread instructions as the large-warps paper ran: 100 to 200 million.
  if (grid == GridChoice::resident && size == Size::medium) return 4'096;
  switch (size) {
    case Size::tiny:
      return 17;
    case Size::small:
      return 350;
    case Size::medium:
      return 2'500;
    case Size::large:
    case Size::paper:
      return 20'003;
  }
  return 0;
}

/// The steps of a frame in GSM's channels: full-rate speech, control and data, synchronisation and
/// random access. All have the same code.
int random_steps(Size size, Random& random) {
  const std::uint32_t percent = random.below(100);
  // A block takes as long as its longest frame.
  if (percent < 45 || (size == Size::tiny && percent < 85)) return 189;
  if (percent < 70) return 228;
  if (percent < 85) return kLongestFrame;
  return percent < 93 ? 39 : 18;
}

int parity(int bits) {
  int result = 0;
  for (; bits != 0; bits >>= 1) result ^= bits & 1;
  return result;
}

/// The encoder's two output bits for the last five bits of the message; the lowest one is the
/// newest.
std::array<int, 2> encode(int window) {
  return {parity(kGenerators[0] & window), parity(kGenerators[1] & window)};
}

/// Sends a bit through the channel: +1 for 0 and -1 for 1, plus noise, in 15 levels.
int receive(int bit, Random& random) {
  const double value = (bit == 0 ? 1 : -1) + kNoise * random.normal();
  // Four levels per unit. The offset makes all values positive, because truncation rounds them.
  const int level = static_cast<int>(std::clamp(value * 4 + 8.5, 1.0, 15.0));
  return level - 8;
}

struct DecodedFrame {
  std::vector<int> bits;
  int score = 0;
};

/// The Viterbi algorithm in the other direction: each state propagates its path to its two
/// successors, and whole paths are compared.
DecodedFrame decode(const std::vector<std::array<int, 2>>& received) {
  struct Node {
    int score = 0;
    int from = 0;
    bool is_reached = false;
  };
  std::vector<std::array<Node, kStates>> trellis(received.size() + 1);
  trellis[0][0].is_reached = true;
  for (std::size_t step = 0; step < received.size(); ++step) {
    for (int from = 0; from < kStates; ++from) {
      const Node& begin = trellis[step][static_cast<std::size_t>(from)];
      if (!begin.is_reached) continue;
      for (int bit = 0; bit < 2; ++bit) {
        const int window = from * 2 + bit;
        const std::array<int, 2> sent = encode(window);
        int score = begin.score;
        for (std::size_t i = 0; i < 2; ++i) {
          score += sent[i] == 0 ? received[step][i] : -received[step][i];
        }
        Node& end = trellis[step + 1][static_cast<std::size_t>(window % kStates)];
        // If two paths are equal, the one from the lower state is kept, because it comes first.
        if (!end.is_reached || score > end.score) end = {score, from, true};
      }
    }
  }
  DecodedFrame decoded{std::vector<int>(received.size()), trellis.back()[0].score};
  int state = 0;
  for (std::size_t step = received.size(); step-- > 0;) {
    decoded.bits[step] = state % 2;
    state = trellis[step + 1][static_cast<std::size_t>(state)].from;
  }
  return decoded;
}

class Viterbi final : public HostProgram {
 public:
  Viterbi(GridChoice grid, Size size, std::uint64_t seed) : grid_(grid) {
    Random random(seed);
    const int count = count_of(grid, size);
    for (int i = 0; i < count; ++i) {
      const int steps = random_steps(size, random);
      frames_.push_back({static_cast<int>(symbols_.size()), steps});
      std::vector<int> bits(static_cast<std::size_t>(steps), 0);
      int window = 0;
      for (int step = 0; step < steps; ++step) {
        const int bit = step < steps - kTail ? static_cast<int>(random.below(2)) : 0;
        bits[static_cast<std::size_t>(step)] = bit;
        window = (window * 2 + bit) % (2 * kStates);
        const std::array<int, 2> sent = encode(window);
        const int first = receive(sent[0], random);
        const int second = receive(sent[1], random);
        symbols_.push_back(static_cast<std::uint8_t>((first + 8) | (second + 8) << 4));
      }
      sent_.push_back(std::move(bits));
    }
  }

  void run(Gpu& device) override {
    if (grid_ == GridChoice::resident) {
      decode_resident(device);
    } else {
      decode_by_state(device);
    }
  }

  CheckResult check() const override {
    const std::size_t count = frames_.size();
    std::vector<std::uint32_t> messages(count * kFrameWords, 0);
    std::vector<std::int32_t> scores;
    std::size_t as_sent = 0;
    for (std::size_t frame = 0; frame < count; ++frame) {
      std::vector<std::array<int, 2>> received;
      for (int step = 0; step < frames_[frame].steps; ++step) {
        const int symbol =
            symbols_[static_cast<std::size_t>(frames_[frame].first_symbol) + received.size()];
        received.push_back({symbol % 16 - 8, symbol / 16 - 8});
      }
      const DecodedFrame decoded = decode(received);
      scores.push_back(decoded.score);
      as_sent += decoded.bits == sent_[frame] ? 1 : 0;
      for (std::size_t step = 0; step < decoded.bits.size(); ++step) {
        messages[step / 32 * count + frame] |= static_cast<std::uint32_t>(decoded.bits[step])
                                               << step % 32;
      }
    }
    CheckResult check;
    check.exact("scores", scores_, scores);
    check.exact("messages", messages_, messages);
    // The noise spoils about 1 % of the frames.
    const std::size_t min_as_sent = count - (count / 20 + 5);
    check.require(as_sent >= min_as_sent, "frames decoded as they were sent",
                  std::to_string(as_sent),
                  "at least " + std::to_string(min_as_sent) + " of " + std::to_string(count));
    return check;
  }

 private:
  void decode_by_state(Gpu& device) {
    const std::size_t count = frames_.size();
    const Array<std::uint8_t> symbols = device.upload(symbols_, "symbols");
    const Array<Frame> frames = device.upload(frames_, "frames");
    const Array<std::uint32_t> decisions =
        device.allocate<std::uint32_t>(count * kFrameWords * kStates, "decisions");
    const Array<std::int32_t> scores = device.allocate<std::int32_t>(count, "scores");
    const Array<std::uint32_t> messages =
        device.allocate<std::uint32_t>(count * kFrameWords, "messages");
    // No kernel writes the words after a frame's end.
    device.fill(messages, 0);

    const auto blocks = [&](std::uint32_t per_block) {
      return (static_cast<std::uint32_t>(count) + per_block - 1) / per_block;
    };
    device.launch("viterbi_forward",
                  {.grid = {blocks(kFramesPerBlock)}, .block = {kForwardThreads}}, symbols, frames,
                  static_cast<int>(count), decisions, scores);
    device.launch("viterbi_traceback",
                  {.grid = {blocks(kTracebackThreads)}, .block = {kTracebackThreads}}, decisions,
                  frames, static_cast<int>(count), messages);
    scores_ = device.download(scores);
    messages_ = device.download(messages);
  }

  /// The symbols ordered by step, then by frame; nothing after a frame's end.
  std::vector<std::uint8_t> symbols_by_step() const {
    std::vector<std::uint8_t> by_step(frames_.size() * kLongestFrame, 0);
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const auto [first_symbol, steps] = frames_[i];
      for (int step = 0; step < steps; ++step) {
        by_step[static_cast<std::size_t>(step) * frames_.size() + i] =
            symbols_[static_cast<std::size_t>(first_symbol + step)];
      }
    }
    return by_step;
  }

  void decode_resident(Gpu& device) {
    const std::size_t count = frames_.size();
    const auto symbols = device.upload(symbols_by_step(), "symbols");
    const auto frames = device.upload(frames_, "frames");
    const auto decisions = device.allocate<std::uint16_t>(symbols.count, "decisions");
    const auto scores = device.allocate<std::int32_t>(count, "scores");
    const auto messages = device.allocate<std::uint32_t>(count * kFrameWords, "messages");
    device.fill(messages, 0);
    device.launch("viterbi_resident",
                  device.resident_shape("viterbi_resident", kResidentThreads, count), symbols,
                  frames, static_cast<int>(count), decisions, scores, messages);
    scores_ = device.download(scores);
    messages_ = device.download(messages);
  }

  GridChoice grid_;
  std::vector<std::uint8_t> symbols_;
  std::vector<Frame> frames_;
  std::vector<std::vector<int>> sent_;
  std::vector<std::int32_t> scores_;
  std::vector<std::uint32_t> messages_;
};

const Registration kRegistration({
    .name = "viterbi",
    .summary = "Viterbi decoding of a convolutional code from noisy frames of several lengths",
    .papers = {"large-warps Table 2"},
    .kernels = {{"viterbi_forward", {kForwardThreads}}, {"viterbi_traceback", {kTracebackThreads}}},
    .make = make_form<Viterbi, GridChoice::input>,
    .resident = ResidentForm{.kernels = {{"viterbi_resident", {kResidentThreads}}},
                             .make = make_form<Viterbi, GridChoice::resident>},
});

}  // namespace
}  // namespace heddle::workload::viterbi_host
