#include <fmt/format.h>

#include <string_view>

#include "manual/completed_values.h"
#include "manual/completion.h"

namespace heddle {
namespace {

constexpr std::string_view kBegin = R"zsh(#compdef heddle
# Completes the command line of heddle; 'heddle completion zsh' writes it.
_heddle() {
  local verb=heddle option=$words[CURRENT-1] word
  local -a offered
  if compset -P '--*='; then
    option=${IPREFIX%=}
  fi
  for word in $words[2,CURRENT-1]; do
    # What follows is a program with its arguments.
    if [[ $word == -- ]]; then _files; return; fi
    case "$verb $word" in
)zsh";

/// Text in single quotes, which zsh takes as it is.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

/// "word:text", as _describe takes it; a colon within the word is escaped.
std::string described(std::string_view word, std::string_view text) {
  std::string item;
  for (const char c : word) {
    if (c == ':') item += '\\';
    item += c;
  }
  return in_quotes(fmt::format("{}:{}", item, text));
}

std::string verb_cases(const VerbDescription& heddle) {
  std::string text;
  for_each_verb(heddle, [&](const VerbDescription& verb) {
    if (&verb != &heddle)
      text += fmt::format("      {}) verb={} ;;\n", in_quotes(verb.path), in_quotes(verb.path));
  });
  return text;
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
      words += " " + described(below.path.substr(verb.path.size() + 1), below.text);
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
  return std::string(kBegin) + verb_cases(heddle) +
         "    esac\n  done\n  case \"$verb $option\" in\n" + value_cases(heddle) +
         "  esac\n  word=''\n  [[ $words[CURRENT] == -* ]] && word=-\n  case \"$verb $word\" in\n" +
         word_cases(heddle) + "  esac\n}\n\n_heddle \"$@\"\n";
}

}  // namespace heddle
