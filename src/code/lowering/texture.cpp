// Textures and surfaces, reached through objects: 64-bit handles in registers.

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using ptx::Modifier;
using Kind = ptx::Operand::Kind;

namespace {

struct Geometry {
  TextureGeometry geometry;
  std::size_t coordinates;  ///< The number of coordinates, including the array index.
  std::size_t gradients;    ///< The number of gradients in each direction.
};

Geometry geometry_of(const Translator& t) {
  for (const Modifier modifier : t.current().modifiers) {
    switch (modifier) {
      case Modifier::geom_1d:
        return {TextureGeometry::d1, 1, 1};
      case Modifier::geom_2d:
        return {TextureGeometry::d2, 2, 2};
      case Modifier::geom_3d:
        return {TextureGeometry::d3, 3, 3};
      case Modifier::geom_a1d:
        return {TextureGeometry::d1_array, 2, 1};
      case Modifier::geom_a2d:
        return {TextureGeometry::d2_array, 3, 2};
      case Modifier::geom_cube:
        return {TextureGeometry::cube, 3, 3};
      case Modifier::geom_acube:
        return {TextureGeometry::cube_array, 4, 3};
      case Modifier::geom_2dms:
      case Modifier::geom_a2dms:
        refuse("multi-sample textures are not supported");
      default:
        break;
    }
  }
  refuse("the geometry is missing");
}

Operand handle_value(Translator& t, const ptx::Operand& handle) {
  if (handle.kind == Kind::variable ||
      (handle.kind == Kind::address && handle.base == ptx::Operand::Base::variable)) {
    refuse("texture, sampler and surface references are not supported (texture objects are)");
  }
  return t.value(handle, ValueType::u64);
}

using Values = InlineVector<Operand, 12>;

/// Appends the first `count` elements of a vector, or the one operand. Further elements are
/// padding.
void append_elements(Translator& t, const ptx::Operand& from, std::size_t count, ValueType type,
                     Values& values) {
  if (from.kind != Kind::vector) {
    if (count != 1) refuse("coordinates are missing");
    values.push_back(t.value(from, type));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) values.push_back(t.value(t.element(from, i), type));
}

/// Appends the handle and the coordinates of [object, {x, y, ...}].
void append_place(Translator& t, const ptx::Operand& place, const Geometry& geometry,
                  ValueType coordinate, Values& values) {
  if (place.kind != Kind::texture) refuse("the object and its coordinates are missing");
  if (place.count != 2) refuse("a separate sampler is not supported");
  values.push_back(handle_value(t, t.element(place, 0)));
  append_elements(t, t.element(place, 1), geometry.coordinates, coordinate, values);
}

/// The destinations of a texture or surface instruction.
struct Results {
  InlineVector<Operand, 8> values;
  Operand residency;  ///< The predicate that says whether the texels were in memory; may be none.
};

Results results_of(Translator& t, const ptx::Operand& to, ValueType type) {
  if (to.kind == Kind::pair) {
    Results out = results_of(t, t.element(to, 0), type);
    out.residency = t.predicate_result(t.element(to, 1));
    return out;
  }
  Results out;
  if (to.kind != Kind::vector) {
    out.values.push_back(t.any_result(to));
  } else {
    if (to.count > 4) refuse("a vector of this length is not supported");
    for (std::size_t i = 0; i < to.count; ++i) {
      out.values.push_back(t.any_result(t.element(to, i)));
    }
  }
  for (Operand& v : out.values) {
    if (!v.present()) v = t.new_register(registers_of(type));
    if (v.width < registers_of(type)) refuse("a register is too narrow");
  }
  return out;
}

Instruction& emit_with(Translator& t, Operation operation, ValueType type, const Results& results,
                       const Values& values) {
  Instruction& out = t.emit(operation, type, {}, {});
  for (const Operand& v : results.values) out.destinations.push_back(v);
  for (const Operand& v : values) out.sources.push_back(v);
  out.vector_count = static_cast<std::uint8_t>(results.values.size());
  return out;
}

/// Sets the residency predicate to true, since all texels are in memory. Must be emitted last,
/// since the predicate may also be the guard.
void report_resident(Translator& t, const Results& results) {
  if (!results.residency.present()) return;
  t.emit(Operation::predicate_move, ValueType::pred, {results.residency}, {Operand::immediate(1)});
}

SurfaceBoundary boundary_of(const Translator& t) {
  if (t.has(Modifier::clamp)) return SurfaceBoundary::clamp;
  if (t.has(Modifier::zero)) return SurfaceBoundary::zero;
  return SurfaceBoundary::trap;
}

TextureQuery query_of(const Translator& t) {
  for (const Modifier modifier : t.current().modifiers) {
    switch (modifier) {
      case Modifier::width:
        return TextureQuery::width;
      case Modifier::height:
        return TextureQuery::height;
      case Modifier::depth:
        return TextureQuery::depth;
      case Modifier::channel_data_type:
        return TextureQuery::channel_data_type;
      case Modifier::channel_order:
        return TextureQuery::channel_order;
      case Modifier::array_size:
        return TextureQuery::array_size;
      case Modifier::num_mipmap_levels:
        return TextureQuery::mip_levels;
      case Modifier::num_samples:
        return TextureQuery::samples;
      case Modifier::normalized_coords:
        return TextureQuery::normalized_coordinates;
      case Modifier::force_unnormalized_coords:
        return TextureQuery::force_unnormalized;
      case Modifier::filter_mode:
        return TextureQuery::filter_mode;
      case Modifier::addr_mode_0:
        return TextureQuery::address_mode_0;
      case Modifier::addr_mode_1:
        return TextureQuery::address_mode_1;
      case Modifier::addr_mode_2:
        return TextureQuery::address_mode_2;
      default:
        break;
    }
  }
  refuse("the queried property is missing");
}

void lower_query(Translator& t, bool surface) {
  const TextureQuery query = query_of(t);
  const Operand d = t.destination(0, ValueType::b32);
  const Operand handle = handle_value(t, t.operand(1));
  Instruction& out = t.emit(Operation::texture_query, ValueType::b32, {d}, {handle});
  out.query = query;
  out.is_surface_query = surface;
  if (t.operand_count() > 2) {
    const Operand level = t.source(2, ValueType::u32);
    out.level = TextureLevel::level;
    out.sources.push_back(level);
  }
}

}  // namespace

void lower_tex(Translator& t) {
  const Geometry geometry = geometry_of(t);
  const ValueType type = t.type(0);
  const ValueType coordinate = t.type(1);
  const Results results = results_of(t, t.operand(0), type);
  Values values;
  append_place(t, t.operand(1), geometry, coordinate, values);
  std::size_t used = 2;
  TextureLevel level = TextureLevel::base;
  if (t.has(Modifier::level)) {
    level = TextureLevel::level;
    append_elements(t, t.operand(used++), 1, coordinate, values);
  } else if (t.has(Modifier::grad)) {
    level = TextureLevel::gradient;
    append_elements(t, t.operand(used++), geometry.gradients, coordinate, values);
    append_elements(t, t.operand(used++), geometry.gradients, coordinate, values);
  }
  if (t.operand_count() > used) refuse("offsets and depth comparisons are not supported");
  Instruction& out = emit_with(t, Operation::texture, type, results, values);
  out.source_type = coordinate;
  out.geometry = geometry.geometry;
  out.level = level;
  report_resident(t, results);
}

void lower_tld4(Translator& t) {
  const Geometry geometry = geometry_of(t);
  const Results results = results_of(t, t.operand(0), t.type(0));
  Values values;
  append_place(t, t.operand(1), geometry, t.type(1), values);
  if (t.operand_count() > 2) refuse("offsets and depth comparisons are not supported");
  std::uint8_t component = 0;
  if (t.has(Modifier::g_component)) component = 1;
  if (t.has(Modifier::b)) component = 2;
  if (t.has(Modifier::a_component)) component = 3;
  Instruction& out = emit_with(t, Operation::texture, t.type(0), results, values);
  out.source_type = t.type(1);
  out.geometry = geometry.geometry;
  out.gather_component = component;
  report_resident(t, results);
}

void lower_txq(Translator& t) { lower_query(t, false); }
void lower_suq(Translator& t) { lower_query(t, true); }

void lower_suld(Translator& t) {
  const Geometry geometry = geometry_of(t);
  const Results results = results_of(t, t.operand(0), t.type());
  Values values;
  append_place(t, t.operand(1), geometry, ValueType::s32, values);
  Instruction& out = emit_with(t, Operation::surface_load, t.type(), results, values);
  out.source_type = ValueType::s32;
  out.geometry = geometry.geometry;
  out.boundary = boundary_of(t);
  out.formatted = t.has(Modifier::p);
  set_memory_suffixes(t, out);
  report_resident(t, results);
}

void lower_sust(Translator& t) {
  const Geometry geometry = geometry_of(t);
  const ValueType type = t.type();
  Values values;
  append_place(t, t.operand(0), geometry, ValueType::s32, values);
  const std::size_t before = values.size();
  const ptx::Operand& from = t.operand(1);
  const std::size_t count = from.kind == Kind::vector ? from.count : 1;
  if (count > 4) refuse("a vector of this length is not supported");
  append_elements(t, from, count, type, values);
  Instruction& out = emit_with(t, Operation::surface_store, type, {}, values);
  out.vector_count = static_cast<std::uint8_t>(values.size() - before);
  out.source_type = ValueType::s32;
  out.geometry = geometry.geometry;
  out.boundary = boundary_of(t);
  out.formatted = t.has(Modifier::p);
  set_memory_suffixes(t, out);
}

void lower_sured(Translator& t) {
  const Geometry geometry = geometry_of(t);
  Values values;
  append_place(t, t.operand(0), geometry, ValueType::s32, values);
  values.push_back(t.source(1, t.type()));
  const Reduction reduction = reduction_of(t);
  Instruction& out = emit_with(t, Operation::surface_reduce, t.type(), {}, values);
  out.vector_count = 1;
  out.source_type = ValueType::s32;
  out.geometry = geometry.geometry;
  out.boundary = boundary_of(t);
  out.formatted = t.has(Modifier::p);
  out.reduction = reduction;
}

}  // namespace heddle::code::lowering
