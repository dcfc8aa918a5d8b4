#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace heddle::cuda {

/// A program or library of this machine's kind, as it lies in its file. Nothing in the file is
/// trusted: what does not lie within its bytes counts as not there.
class ElfImage {
 public:
  /// Nothing for what is no such file. The image refers to `bytes`.
  static std::optional<ElfImage> read(std::span<const std::byte> bytes);

  bool has_section(std::string_view name) const;
  /// Whether these characters stand anywhere in it.
  bool has_text(std::string_view text) const;
  /// Whether it asks the loader for a library whose name begins so.
  bool needs_library(std::string_view begin) const;
  /// Whether the symbol table, where it has not been stripped off, has code of that name.
  bool defines(std::string_view function) const;

  struct Function {
    std::string_view name;
    std::uint64_t address = 0;  ///< Where the image is loaded at 0.
    std::uint64_t room = 0;     ///< Up to what comes next, padding included.
  };
  /// Those of the symbol table.
  std::vector<Function> functions() const;

 private:
  struct Section {
    std::string_view name;
    std::uint32_t type = 0;
    std::uint32_t link = 0;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::span<const std::byte> content;
  };

  explicit ElfImage(std::span<const std::byte> bytes) : bytes_(bytes) {}
  void read_sections(std::uint64_t table, std::size_t count, std::size_t names);
  const Section* find(std::uint32_t type) const;
  /// The text at an offset of the section that another's names lie in.
  std::string_view text_of(const Section& section, std::uint64_t offset) const;

  std::span<const std::byte> bytes_;
  std::vector<Section> sections_;
};

}  // namespace heddle::cuda
