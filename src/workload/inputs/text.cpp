#include "workload/inputs/text.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "workload/random.h"

namespace heddle::workload {
namespace {

// The words of each kind (part of speech), the most frequent first.

constexpr auto kDeterminers =
    std::to_array<std::string_view>({"the", "a", "his", "this", "her", "their", "some", "my", "our",
                                     "every", "another", "each", "no", "that"});

constexpr auto kNouns = std::to_array<std::string_view>(
    {"time",   "man",    "year",  "day",    "house",   "work",   "life",    "people",
     "water",  "woman",  "hand",  "place",  "world",   "road",   "child",   "city",
     "story",  "night",  "river", "letter", "morning", "voice",  "war",     "garden",
     "door",   "field",  "horse", "table",  "friend",  "window", "teacher", "engine",
     "market", "island", "ship",  "answer", "village", "book",   "doctor",  "summer",
     "bridge", "kettle", "judge", "valley", "quarrel", "jacket", "zebra",   "oxygen"});

constexpr auto kAdjectives = std::to_array<std::string_view>(
    {"old",   "good",  "little", "new",    "great",   "long",    "young",
     "small", "large", "dark",   "quiet",  "white",   "strange", "empty",
     "heavy", "early", "narrow", "bright", "distant", "clever",  "familiar",
     "green", "cold",  "honest", "simple", "yellow",  "exact",   "unusual"});

constexpr auto kTransitiveVerbs = std::to_array<std::string_view>(
    {"had",   "made",    "saw",      "took",    "found", "knew",     "gave",
     "left",  "kept",    "wanted",   "heard",   "held",  "followed", "brought",
     "built", "watched", "carried",  "bought",  "wrote", "crossed",  "remembered",
     "moved", "lost",    "examined", "painted", "liked", "repaired", "forgot"});

constexpr auto kIntransitiveVerbs = std::to_array<std::string_view>(
    {"was",     "came",    "went",     "stood",  "lived",     "waited", "sat",
     "turned",  "stayed",  "fell",     "walked", "slept",     "worked", "returned",
     "laughed", "arrived", "vanished", "talked", "hesitated", "jumped"});

constexpr auto kPrepositions = std::to_array<std::string_view>(
    {"of", "in", "to", "on", "with", "at", "from", "by", "for", "behind", "through", "before",
     "between", "near", "across", "over", "without", "beyond"});

constexpr auto kPronouns = std::to_array<std::string_view>(
    {"he", "it", "I", "they", "she", "we", "you", "nobody", "someone", "everyone", "who", "one"});

constexpr auto kAdverbs = std::to_array<std::string_view>(
    {"then", "now", "again", "never", "there", "always", "slowly", "still", "often", "quickly",
     "almost", "suddenly", "quietly", "soon", "exactly", "perhaps"});

constexpr auto kConjunctions = std::to_array<std::string_view>(
    {"and", "but", "when", "as", "while", "because", "until", "although"});

// Patterns of sentences. A letter of kWordKinds stands for a word of that kind, and # for a number;
// other characters stand for themselves.
constexpr std::array<std::string_view, 16> kClauses{
    "DNTDN",   "RTDAN",        "DANIPDN",   "DNPDNTDAN", "RICRTDN", "RIPDN",
    "RTDNPDN", "DNIB",         "RBTDANPDN", "DN'sNIPDN", "RIB",     "DN-NIPDN",
    "RT#",     "\"RTDN,\"DNI", "RIPDANPDN", "DANTDN"};
constexpr std::array<std::string_view, 8> kOpenings{"PDN,",  "B,", "CRTDN,", "P#,",
                                                    "PDAN,", "",   "",       ""};
constexpr std::array<std::string_view, 8> kJoints{",C", ";", ":", ",", "C", "", "", ""};

/// Chooses among the words of a kind. The word at index r has a frequency proportional to
/// 1 / (r + 2), close to Zipf's law: it occupies that share of the slots.
class WordKind {
 public:
  char letter;
  template <std::size_t kCount>
  constexpr WordKind(char kind_letter, const std::array<std::string_view, kCount>& words)
      : letter(kind_letter), words_(words) {
    std::uint64_t total = 0;
    for (std::uint64_t rank = 0; rank < kCount; ++rank) total += kScale / (rank + 2);
    std::uint64_t reached = 0;
    std::size_t slot = 0;
    for (std::uint64_t rank = 0; rank < kCount; ++rank) {
      reached += kScale / (rank + 2);
      while (slot < reached * kSlots / total) slots_[slot++] = static_cast<std::uint8_t>(rank);
    }
  }
  /// The word that the random number `bits` selects.
  constexpr std::string_view choose(std::uint64_t bits) const {
    return words_[slots_[bits % kSlots]];
  }

 private:
  static constexpr std::uint64_t kScale = 1 << 20;
  static constexpr std::size_t kSlots = 1024;
  std::span<const std::string_view> words_;
  std::array<std::uint8_t, kSlots> slots_{};
};

constexpr std::array kWordKinds{WordKind('D', kDeterminers),       WordKind('N', kNouns),
                                WordKind('A', kAdjectives),        WordKind('T', kTransitiveVerbs),
                                WordKind('I', kIntransitiveVerbs), WordKind('P', kPrepositions),
                                WordKind('R', kPronouns),          WordKind('B', kAdverbs),
                                WordKind('C', kConjunctions)};

constexpr char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

class Writer {
 public:
  Writer(std::size_t bytes, std::uint64_t seed) : random_(seed), bytes_(bytes) {
    text_.reserve(bytes + 1024);  // The last sentence may exceed the end.
  }

  std::string write() {
    while (text_.size() < bytes_) {
      add_sentence();
      if (random_.below(7) == 0) {
        text_ += "\n\n";
        line_begin_ = text_.size();
        joins_previous_ = true;
      }
    }
    text_.resize(bytes_);
    return std::move(text_);
  }

 private:
  void add_sentence() {
    needs_capital_ = true;
    add_pattern(choose(kOpenings));
    add_pattern(choose(kClauses));
    if (const std::string_view joint = choose(kJoints); !joint.empty()) {
      add_pattern(joint);
      add_pattern(choose(kClauses));
    }
    add_mark(".....?!."[random_.below(8)]);
  }

  std::string_view choose(std::span<const std::string_view> patterns) {
    return patterns[random_.below(static_cast<std::uint32_t>(patterns.size()))];
  }

  void add_pattern(std::string_view pattern) {
    for (const char sign : pattern) {
      const auto kind = std::ranges::find(kWordKinds, sign, &WordKind::letter);
      if (kind != kWordKinds.end()) {
        add_word(kind->choose(random_.next() >> 32));
      } else if (sign == '#') {
        const bool is_year = text_.ends_with("in") || text_.ends_with("In");
        add_word(std::to_string(is_year ? 1700 + random_.below(300) : 2 + random_.below(98)));
      } else {
        add_mark(sign);
      }
    }
  }

  void add_word(std::string_view letters) {
    const bool has_vowel = std::string_view("aeiou").find(letters[0]) != std::string_view::npos;
    if (has_vowel && text_.ends_with(" a")) text_ += 'n';  // "a" becomes "an".
    add_space(letters.size());
    text_ += needs_capital_ ? upper(letters[0]) : letters[0];
    text_ += letters.substr(1);
    needs_capital_ = false;
  }

  void add_mark(char sign) {
    if (sign == '"') {
      is_quotation_ = !is_quotation_;
      if (is_quotation_) add_space(1);
      joins_previous_ = is_quotation_;
    } else if (sign == '-') {
      joins_previous_ = true;
    }
    text_ += sign;
  }

  /// Adds a space, or begins a new line, before a word of `following` characters.
  void add_space(std::size_t following) {
    if (!joins_previous_ && !text_.empty()) {
      const bool is_full = text_.size() - line_begin_ + following > 68;
      text_ += is_full ? '\n' : ' ';
      if (is_full) line_begin_ = text_.size();
    }
    joins_previous_ = false;
  }

  Random random_;
  std::string text_;
  std::size_t bytes_;
  std::size_t line_begin_ = 0;
  bool needs_capital_ = true;
  bool is_quotation_ = false;    ///< A quotation mark is open.
  bool joins_previous_ = false;  ///< The next word follows without a space.
};

}  // namespace

std::string english_text(std::size_t bytes, std::uint64_t seed) {
  return Writer(bytes, seed).write();
}

}  // namespace heddle::workload
