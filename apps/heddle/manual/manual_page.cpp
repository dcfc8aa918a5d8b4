#include "manual/manual_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace heddle {
namespace {

/// Text as troff shows it: no character is taken for a command.
std::string escape(std::string_view text) {
  std::string escaped;
  bool at_line_start = true;
  for (const char c : text) {
    // A line that begins with a dot or an apostrophe would be a request.
    if (at_line_start && (c == '.' || c == '\'')) escaped += "\\&";
    at_line_start = c == '\n';
    switch (c) {
      case '\\':
        escaped += "\\e";
        break;
      case '-':
        escaped += "\\-";
        break;
      case '\'':
        escaped += "\\(aq";
        break;
      case '~':
        escaped += "\\(ti";
        break;
      case '^':
        escaped += "\\(ha";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string heading(std::string_view name) { return fmt::format(".SH {}\n", name); }

/// An option's names and value, then its text.
std::string paragraph(const OptionDescription& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escape(name));
  }
  if (!option.value.empty()) names += fmt::format(" \\fI{}\\fR", escape(option.value));
  const std::string without = option.default_value.empty()
                                  ? ""
                                  : fmt::format(" Without it: {}.", escape(option.default_value));
  return fmt::format(".TP\n{}\n{}.{}\n", names, escape(option.text), without);
}

std::string section(std::string_view name, const std::vector<OptionDescription>& options) {
  if (options.empty()) return "";
  std::string text = heading(name);
  for (const OptionDescription& option : options) text += paragraph(option);
  return text;
}

std::string as_written(std::string_view text) {
  return fmt::format(".nf\n{}\n.fi\n", escape(text));
}

/// The text below a verb's help. Its examples have a section of their own.
std::string notes_and_examples(const VerbDescription& verb) {
  const std::size_t examples = verb.footer.find("Example");
  std::string notes = verb.footer.substr(0, examples);
  while (notes.ends_with('\n')) notes.pop_back();
  std::string text;
  if (!notes.empty()) text += heading("NOTES") + as_written(notes);
  if (examples != std::string::npos) {
    text += heading("EXAMPLES") + as_written(std::string_view(verb.footer).substr(examples));
  }
  return text;
}

std::string synopsis(const VerbDescription& verb) {
  std::string text = fmt::format("\\fB{}\\fR [\\fIoption\\fR ...]", escape(verb.path));
  for (const OptionDescription& positional : verb.positionals) {
    const std::string name = fmt::format("\\fI{}\\fR", escape(positional.names.front()));
    text += positional.required ? " " + name : fmt::format(" [{}]", name);
  }
  if (!verb.verbs.empty()) text += " \\fIverb\\fR ...";
  return text + "\n";
}

std::string verbs_below(const VerbDescription& verb) {
  if (verb.verbs.empty()) return "";
  std::string text = heading("VERBS");
  for (const VerbDescription& below : verb.verbs) {
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}.\n", escape(page_name(below)), escape(below.text));
  }
  return text;
}

}  // namespace

std::string page_name(const VerbDescription& verb) {
  std::string name = verb.path;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string manual_page(const VerbDescription& verb) {
  return fmt::format(".TH {} 1 \"\" \"Heddle {}\" \"Heddle\"\n", page_name(verb), HEDDLE_VERSION) +
         heading("NAME") + fmt::format("{} \\- {}\n", escape(page_name(verb)), escape(verb.text)) +
         heading("SYNOPSIS") + synopsis(verb) + verbs_below(verb) +
         section("ARGUMENTS", verb.positionals) + section("OPTIONS", verb.options) +
         notes_and_examples(verb);
}

}  // namespace heddle
