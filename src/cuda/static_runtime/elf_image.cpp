#include "cuda/static_runtime/elf_image.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace heddle::cuda {
namespace {

#if defined(__x86_64__)
constexpr std::uint16_t kHostProcessor = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t kHostProcessor = EM_AARCH64;
#else
#error "add ELF's machine number of this processor"
#endif

/// `count` bytes from an offset; empty if they are out of range.
std::span<const std::byte> part(std::span<const std::byte> bytes, std::uint64_t offset,
                                std::uint64_t count) {
  if (offset > bytes.size() || count > bytes.size() - offset) return {};
  return bytes.subspan(offset, count);
}

/// A table's entry; zeros if the index is out of range.
template <class T>
T entry(std::span<const std::byte> table, std::size_t index) {
  T value{};
  if (index < table.size() / sizeof value) {
    std::memcpy(&value, table.data() + index * sizeof value, sizeof value);
  }
  return value;
}

/// A zero-terminated text; empty if it is not terminated.
std::string_view text_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return {};
  const auto rest = bytes.subspan(offset);
  const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
  if (end == rest.end()) return {};
  return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

/// True for the symbol of a function that the file defines.
bool is_defined_function(const Elf64_Sym& symbol) {
  return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
}

}  // namespace

std::optional<ElfImage> ElfImage::read(std::span<const std::byte> bytes) {
  const auto header = entry<Elf64_Ehdr>(bytes, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != kHostProcessor) {
    return std::nullopt;
  }
  ElfImage image(bytes);
  if (header.e_shentsize == sizeof(Elf64_Shdr)) {
    image.read_sections(header.e_shoff, header.e_shnum, header.e_shstrndx);
  }
  return image;
}

void ElfImage::read_sections(std::uint64_t table, std::size_t count, std::size_t names) {
  const auto headers = part(bytes_, table, count * sizeof(Elf64_Shdr));
  const auto name_header = entry<Elf64_Shdr>(headers, names);
  const auto texts = part(bytes_, name_header.sh_offset, name_header.sh_size);
  for (std::size_t i = 0; i < headers.size() / sizeof(Elf64_Shdr); ++i) {
    const auto header = entry<Elf64_Shdr>(headers, i);
    Section& section = sections_.emplace_back();
    section.name = text_at(texts, header.sh_name);
    section.type = header.sh_type;
    section.link = header.sh_link;
    section.address = header.sh_addr;
    section.bytes = header.sh_size;
    if (header.sh_type != SHT_NOBITS) {
      section.content = part(bytes_, header.sh_offset, header.sh_size);
    }
  }
}

bool ElfImage::has_section(std::string_view name) const {
  return std::any_of(sections_.begin(), sections_.end(),
                     [&](const Section& section) { return section.name == name; });
}

bool ElfImage::has_text(std::string_view text) const {
  return ::memmem(bytes_.data(), bytes_.size(), text.data(), text.size()) != nullptr;
}

const ElfImage::Section* ElfImage::find(std::uint32_t type) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [&](const Section& section) { return section.type == type; });
  return found == sections_.end() ? nullptr : &*found;
}

std::string_view ElfImage::text_of(const Section& section, std::uint64_t offset) const {
  if (section.link >= sections_.size()) return {};
  return text_at(sections_[section.link].content, offset);
}

bool ElfImage::needs_library(std::string_view begin) const {
  const Section* const dynamic = find(SHT_DYNAMIC);
  if (dynamic == nullptr) return false;
  for (std::size_t i = 0; i < dynamic->content.size() / sizeof(Elf64_Dyn); ++i) {
    const auto found = entry<Elf64_Dyn>(dynamic->content, i);
    if (found.d_tag == DT_NEEDED && text_of(*dynamic, found.d_un.d_val).starts_with(begin)) {
      return true;
    }
  }
  return false;
}

bool ElfImage::defines(std::string_view function) const {
  const Section* const table = find(SHT_SYMTAB);
  if (table == nullptr) return false;
  for (std::size_t i = 0; i < table->content.size() / sizeof(Elf64_Sym); ++i) {
    const auto symbol = entry<Elf64_Sym>(table->content, i);
    if (is_defined_function(symbol) && text_of(*table, symbol.st_name) == function) return true;
  }
  return false;
}

std::vector<ElfImage::Function> ElfImage::functions() const {
  const Section* const table = find(SHT_SYMTAB);
  if (table == nullptr) return {};
  std::vector<Function> functions;
  // The space of a function ends at the next symbol of any type, or at the end of the section. A
  // section that is not loaded has no address. The value of a thread-local symbol is no address.
  std::vector<std::uint64_t> ends;
  for (const Section& section : sections_) {
    if (section.address != 0) ends.push_back(section.address + section.bytes);
  }
  for (std::size_t i = 0; i < table->content.size() / sizeof(Elf64_Sym); ++i) {
    const auto symbol = entry<Elf64_Sym>(table->content, i);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= sections_.size()) continue;
    if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS) ends.push_back(symbol.st_value);
    if (is_defined_function(symbol)) {
      functions.push_back({.name = text_of(*table, symbol.st_name), .address = symbol.st_value});
    }
  }
  std::sort(ends.begin(), ends.end());
  for (Function& function : functions) {
    const auto end = std::upper_bound(ends.begin(), ends.end(), function.address);
    if (end != ends.end()) function.space = *end - function.address;
  }
  return functions;
}

}  // namespace heddle::cuda
