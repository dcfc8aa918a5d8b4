// What a program's pointers point to.

#include <string>

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {
namespace {

using abi::PointerAttribute;

struct Pointer {
  abi::DevicePointer address = 0;
  abi::PointerAttributes attributes{};
  Allocations::Found found{};

  bool is_known() const { return attributes.kind != abi::PointerKind::unregistered; }
};

Pointer look_at(const Session& session, abi::DevicePointer address) {
  Pointer pointer{.address = address, .found = session.allocations.find(address)};
  require(cudaPointerGetAttributes(&pointer.attributes, pointer_at(address)));
  return pointer;
}

[[noreturn]] void refuse_attribute(int number) {
  throw Failure{Error::not_supported,
                "Heddle does not have pointer attribute " + std::to_string(number)};
}

template <class T>
void give(void* result, T value) {
  result_at(static_cast<T*>(result)) = value;
}

constexpr unsigned kReadAndWrite = 3;

void give_attribute(const Session& session, const Pointer& pointer, int number, void* result) {
  const bool on_host = pointer.attributes.kind == abi::PointerKind::host;
  switch (static_cast<PointerAttribute>(number)) {
    case PointerAttribute::context:
      return give(result, Contexts::instance().current(session));
    case PointerAttribute::memory_kind:
      return give(result, on_host ? abi::PlaceKind::host : abi::PlaceKind::device);
    case PointerAttribute::device_pointer:
      if (pointer.attributes.device_pointer == nullptr) throw Failure{Error::invalid_value};
      return give(result, pointer.attributes.device_pointer);
    case PointerAttribute::host_pointer:
      if (pointer.attributes.host_pointer == nullptr) throw Failure{Error::invalid_value};
      return give(result, pointer.attributes.host_pointer);
    case PointerAttribute::buffer_id:
      // Its own address is like no other's.
      return give(result, static_cast<unsigned long long>(pointer.found.address));
    case PointerAttribute::is_managed:
      return give(result, pointer.attributes.kind == abi::PointerKind::managed ? 1U : 0U);
    case PointerAttribute::device:
      return give(result, 0);
    case PointerAttribute::range_start:
      return give(result, pointer.found.address == 0 ? pointer.address : pointer.found.address);
    case PointerAttribute::range_bytes:
      return give(result, static_cast<std::size_t>(pointer.found.allocation.bytes));
    case PointerAttribute::is_mapped:
      return give(result, static_cast<unsigned char>(pointer.found.address != 0 ? 1 : 0));
    case PointerAttribute::synchronous:
      return give(result, 1U);  // All copies are.
    case PointerAttribute::is_ipc_capable:
    case PointerAttribute::is_rdma_capable:
      return give(result, static_cast<unsigned char>(0));
    case PointerAttribute::handle_types:
      return give(result, static_cast<unsigned long long>(0));
    case PointerAttribute::access:
      return give(result, kReadAndWrite);
  }
  refuse_attribute(number);
}

bool has_attribute(const Pointer& pointer, int number) {
  switch (static_cast<PointerAttribute>(number)) {
    case PointerAttribute::device_pointer:
      return pointer.is_known() && pointer.attributes.device_pointer != nullptr;
    case PointerAttribute::host_pointer:
      return pointer.is_known() && pointer.attributes.host_pointer != nullptr;
    default:
      return pointer.is_known();
  }
}

/// What a program gets of a pointer that has not what it asks for.
void give_nothing(int number, void* result) {
  constexpr int kNoDevice = -2;
  switch (static_cast<PointerAttribute>(number)) {
    case PointerAttribute::device:
      return give(result, kNoDevice);
    case PointerAttribute::memory_kind:
    case PointerAttribute::is_managed:
    case PointerAttribute::synchronous:
    case PointerAttribute::access:
      return give(result, 0U);
    case PointerAttribute::is_ipc_capable:
    case PointerAttribute::is_mapped:
    case PointerAttribute::is_rdma_capable:
      return give(result, static_cast<unsigned char>(0));
    case PointerAttribute::context:
    case PointerAttribute::device_pointer:
    case PointerAttribute::host_pointer:
    case PointerAttribute::buffer_id:
    case PointerAttribute::range_start:
    case PointerAttribute::range_bytes:
    case PointerAttribute::handle_types:
      return give(result, std::uint64_t{0});
  }
  refuse_attribute(number);
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuPointerGetAttribute(void* result, int attribute,
                                                abi::DevicePointer address) {
  return in_context("cuPointerGetAttribute", [&](Session& session) {
    const Pointer pointer = look_at(session, address);
    if (!pointer.is_known()) throw Failure{Error::invalid_value};
    give_attribute(session, pointer, attribute, result);
  });
}

/// Tells of a pointer that is none of CUDA's that there is nothing.
HEDDLE_CUDA_EXPORT Result cuPointerGetAttributes(unsigned count, const int* attributes,
                                                 void** results, abi::DevicePointer address) {
  return in_context("cuPointerGetAttributes", [&](Session& session) {
    if (attributes == nullptr || results == nullptr) throw Failure{Error::invalid_value};
    const Pointer pointer = look_at(session, address);
    for (unsigned i = 0; i < count; ++i) {
      if (has_attribute(pointer, attributes[i])) {
        give_attribute(session, pointer, attributes[i], results[i]);
      } else {
        give_nothing(attributes[i], results[i]);
      }
    }
  });
}

/// Copies are synchronous with or without.
HEDDLE_CUDA_EXPORT Result cuPointerSetAttribute(const void* value, int attribute,
                                                abi::DevicePointer address) {
  return in_context("cuPointerSetAttribute", [&](Session& session) {
    if (value == nullptr ||
        static_cast<PointerAttribute>(attribute) != PointerAttribute::synchronous ||
        !look_at(session, address).is_known()) {
      throw Failure{Error::invalid_value};
    }
  });
}

}  // namespace heddle::cuda::driver
