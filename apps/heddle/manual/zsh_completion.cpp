#include <fmt/format.h>

#include <string_view>

#include "manual/completed_values.h"
#include "manual/completion.h"
#include "manual/completion_script.h"

namespace heddle {
namespace {

constexpr std::string_view kBegin = R"zsh(#compdef heddle
# Completes the command line of heddle; 'heddle completion zsh' writes it.
_heddle() {
  local current=$words[CURRENT] option=$words[CURRENT-1] verb=heddle word
  local -a offered
  if compset -P '--*='; then
    option=${IPREFIX%=}
  fi
  for word in $words[2,CURRENT-1]; do
    # What follows is a program with its arguments.
    if [[ $word == -- ]]; then _files; return; fi
    case "$verb $word" in
)zsh";

/// "word:text", as _describe takes it; a colon within the word is escaped.
std::string described(std::string_view word, std::string_view text) {
  std::string item;
  for (const char c : word) {
    if (c == ':') item += '\\';
    item += c;
  }
  return in_quotes(fmt::format("{}:{}", item, text));
}

std::string offer(const CompletedValues& values) {
  std::string text;
  // Behind "l1.bytes=" a value follows, and no space.
  const bool settings = !values.words.empty() && values.words.front().ends_with('=');
  if (!values.words.empty()) {
    text +=
        fmt::format("compadd {}-- {}; ", settings ? "-S '' " : "", fmt::join(values.words, " "));
  }
  if (values.files) text += "_files; ";
  return text;
}

/// A case for each option that has a value.
std::string value_cases(const VerbDescription& heddle) {
  std::string text;
  for_each_verb(heddle, [&](const VerbDescription& verb) {
    for (const OptionDescription& option : verb.options) {
      if (option.value.empty()) continue;
      for (const std::string& name : option.names) {
        text += fmt::format("    {}) {}return ;;\n", in_quotes(verb.path + " " + name),
                            offer(values_of(verb, option)));
      }
    }
  });
  return text;
}

std::string described_options(const VerbDescription& verb) {
  std::string text;
  for (const OptionDescription& option : verb.options) {
    for (const std::string& name : option.names) text += " " + described(name, option.text);
  }
  return text;
}

/// A case for each verb: its options behind a dash, else its verbs or positional arguments.
std::string word_cases(const VerbDescription& heddle) {
  std::string text;
  for_each_verb(heddle, [&](const VerbDescription& verb) {
    text += fmt::format("    {}) offered=({}); _describe option offered ;;\n",
                        in_quotes(verb.path + " -"), described_options(verb));
    std::string words;
    for (const VerbDescription& below : verb.verbs) {
      words += " " + described(below.word(), below.text);
    }
    std::string action =
        words.empty() ? "" : fmt::format("offered=({}); _describe verb offered; ", words);
    for (const OptionDescription& positional : verb.positionals) {
      action += offer(values_of(verb, positional));
    }
    if (!action.empty()) text += fmt::format("    {}) {};;\n", in_quotes(verb.path + " "), action);
  });
  return text;
}

}  // namespace

std::string zsh_completion(const VerbDescription& heddle) {
  return completion_script({.begin = kBegin,
                            .values = value_cases(heddle),
                            .words = word_cases(heddle),
                            .end = "_heddle \"$@\"\n"},
                           heddle);
}

}  // namespace heddle
