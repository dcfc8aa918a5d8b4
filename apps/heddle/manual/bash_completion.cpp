#include <fmt/format.h>

#include <string_view>

#include "manual/completed_values.h"
#include "manual/completion.h"
#include "manual/completion_script.h"

namespace heddle {
namespace {

// A verb of a verb is found by the verb's words so far. Bash makes '=' a word of its own.
constexpr std::string_view kBegin =
    R"bash(# Completes the command line of heddle; 'heddle completion bash' writes it.
_heddle_offer() {
  COMPREPLY=($(compgen -W "$1" -- "$current"))
  # Behind "l1.bytes=" a value follows, and no space.
  [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}

_heddle() {
  local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} verb=heddle word
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $option == "=" ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    # What follows is a program with its arguments.
    [[ $word == "--" ]] && return
    case "$verb $word" in
)bash";

std::string words_of(const std::vector<OptionDescription>& options) {
  std::string words;
  for (const OptionDescription& option : options) {
    words += fmt::format("{}{}", words.empty() ? "" : " ", fmt::join(option.names, " "));
  }
  return words;
}

/// A case for each option that has a value: it offers words, or leaves files to bash.
std::string value_cases(const VerbDescription& heddle) {
  std::string text;
  for_each_verb(heddle, [&](const VerbDescription& verb) {
    for (const OptionDescription& option : verb.options) {
      if (option.value.empty()) continue;
      const std::string words = fmt::format("{}", fmt::join(values_of(verb, option).words, " "));
      for (const std::string& name : option.names) {
        text += fmt::format("    \"{} {}\") {}return ;;\n", verb.path, name,
                            words.empty() ? "" : fmt::format("_heddle_offer \"{}\"; ", words));
      }
    }
  });
  return text;
}

/// A case for each verb: its options behind a dash, else its verbs or positional arguments.
std::string word_cases(const VerbDescription& heddle) {
  std::string text;
  for_each_verb(heddle, [&](const VerbDescription& verb) {
    std::vector<std::string> words;
    for (const VerbDescription& below : verb.verbs) {
      words.push_back(below.word());
    }
    for (const OptionDescription& positional : verb.positionals) {
      const CompletedValues values = values_of(verb, positional);
      words.insert(words.end(), values.words.begin(), values.words.end());
    }
    text +=
        fmt::format("    \"{} -\") _heddle_offer \"{}\" ;;\n", verb.path, words_of(verb.options));
    if (!words.empty()) {
      text +=
          fmt::format("    \"{} \") _heddle_offer \"{}\" ;;\n", verb.path, fmt::join(words, " "));
    }
  });
  return text;
}

}  // namespace

std::string bash_completion(const VerbDescription& heddle) {
  return completion_script({.begin = kBegin,
                            .values = value_cases(heddle),
                            .words = word_cases(heddle),
                            .end = "complete -o default -F _heddle heddle\n"},
                           heddle);
}

}  // namespace heddle
