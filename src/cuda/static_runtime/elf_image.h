#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace heddle::cuda {

/// An ELF file: a program or library for this processor. Nothing in the file is trusted: sections
/// and entries that extend beyond the file count as absent.
class ElfImage {
 public:
  /// Returns nothing for other files. The image refers to `bytes`.
  static std::optional<ElfImage> read(std::span<const std::byte> bytes);

  bool has_section(std::string_view name) const;
  /// True if these characters occur anywhere in the file.
  bool has_text(std::string_view text) const;
  /// True if the file needs (DT_NEEDED) a library whose name begins with `begin`.
  bool needs_library(std::string_view begin) const;
  /// True if the symbol table, unless stripped, defines a function of that name.
  bool defines(std::string_view function) const;

  struct Function {
    std::string_view name;
    std::uint64_t address = 0;  ///< Its address if the image is loaded at 0.
    std::uint64_t space = 0;    ///< Bytes up to the next symbol, padding included.
  };
  /// The functions of the symbol table.
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
  /// The text at an offset of the string table that a section links to.
  std::string_view text_of(const Section& section, std::uint64_t offset) const;

  std::span<const std::byte> bytes_;
  std::vector<Section> sections_;
};

}  // namespace heddle::cuda
