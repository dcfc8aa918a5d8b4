// The driver's calls for the attributes of pointers.

#include <string>

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {
namespace {

using abi::PointerAttribute;

/// The simulator's information about a pointer.
struct Pointer {
  abi::DevicePointer address = 0;
  abi::PointerAttributes attributes{};
  Allocations::Entry entry{};  ///< Its address is 0 if no allocation contains the pointer.

  /// False for host memory that the program has neither allocated by CUDA nor registered.
  bool is_known() const { return attributes.kind != abi::PointerKind::unregistered; }
};

Pointer inspect(const Session& session, abi::DevicePointer address) {
  Pointer pointer{.address = address, .entry = session.allocations.find(address)};
  require(cudaPointerGetAttributes(&pointer.attributes, pointer_at(address)));
  return pointer;
}

[[noreturn]] void refuse_attribute(int number) {
  throw Failure{Error::not_supported,
                "Heddle does not support pointer attribute " + std::to_string(number)};
}

template <class T>
void store(void* result, T value) {
  result_at(static_cast<T*>(result)) = value;
}

constexpr unsigned kReadAndWrite = 3;

void store_attribute(const Session& session, const Pointer& pointer, int number, void* result) {
  const bool is_host = pointer.attributes.kind == abi::PointerKind::host;
  switch (static_cast<PointerAttribute>(number)) {
    case PointerAttribute::context:
      return store(result, Contexts::instance().current(session));
    case PointerAttribute::memory_kind:
      return store(result, is_host ? abi::MemoryType::host : abi::MemoryType::device);
    case PointerAttribute::device_pointer:
      if (pointer.attributes.device_pointer == nullptr) throw Failure{Error::invalid_value};
      return store(result, pointer.attributes.device_pointer);
    case PointerAttribute::host_pointer:
      if (pointer.attributes.host_pointer == nullptr) throw Failure{Error::invalid_value};
      return store(result, pointer.attributes.host_pointer);
    case PointerAttribute::buffer_id:
      // Any number that is unique to the allocation will do.
      return store(result, static_cast<unsigned long long>(pointer.entry.address));
    case PointerAttribute::is_managed:
      return store(result, pointer.attributes.kind == abi::PointerKind::managed ? 1U : 0U);
    case PointerAttribute::device:
      return store(result, 0);
    case PointerAttribute::range_start:
      return store(result, pointer.entry.address == 0 ? pointer.address : pointer.entry.address);
    case PointerAttribute::range_bytes:
      return store(result, static_cast<std::size_t>(pointer.entry.allocation.bytes));
    case PointerAttribute::is_mapped:
      return store(result, static_cast<unsigned char>(pointer.entry.address != 0 ? 1 : 0));
    case PointerAttribute::synchronous:
      return store(result, 1U);  // All copies are synchronous.
    case PointerAttribute::is_ipc_capable:
    case PointerAttribute::is_rdma_capable:
      return store(result, static_cast<unsigned char>(0));
    case PointerAttribute::handle_types:
      return store(result, static_cast<unsigned long long>(0));
    case PointerAttribute::access:
      return store(result, kReadAndWrite);
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

/// Stores the default value of an attribute that the pointer does not have.
void store_default(int number, void* result) {
  constexpr int kNoDevice = -2;
  switch (static_cast<PointerAttribute>(number)) {
    case PointerAttribute::device:
      return store(result, kNoDevice);
    case PointerAttribute::memory_kind:
    case PointerAttribute::is_managed:
    case PointerAttribute::synchronous:
    case PointerAttribute::access:
      return store(result, 0U);
    case PointerAttribute::is_ipc_capable:
    case PointerAttribute::is_mapped:
    case PointerAttribute::is_rdma_capable:
      return store(result, static_cast<unsigned char>(0));
    case PointerAttribute::context:
    case PointerAttribute::device_pointer:
    case PointerAttribute::host_pointer:
    case PointerAttribute::buffer_id:
    case PointerAttribute::range_start:
    case PointerAttribute::range_bytes:
    case PointerAttribute::handle_types:
      return store(result, std::uint64_t{0});
  }
  refuse_attribute(number);
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuPointerGetAttribute(void* result, int attribute,
                                                abi::DevicePointer address) {
  return in_context("cuPointerGetAttribute", [&](Session& session) {
    const Pointer pointer = inspect(session, address);
    if (!pointer.is_known()) throw Failure{Error::invalid_value};
    store_attribute(session, pointer, attribute, result);
  });
}

/// Unlike cuPointerGetAttribute, stores default values for a pointer that CUDA does not know.
HEDDLE_CUDA_EXPORT Result cuPointerGetAttributes(unsigned count, const int* attributes,
                                                 void** results, abi::DevicePointer address) {
  return in_context("cuPointerGetAttributes", [&](Session& session) {
    if (attributes == nullptr || results == nullptr) throw Failure{Error::invalid_value};
    const Pointer pointer = inspect(session, address);
    for (unsigned i = 0; i < count; ++i) {
      if (has_attribute(pointer, attributes[i])) {
        store_attribute(session, pointer, attributes[i], results[i]);
      } else {
        store_default(attributes[i], results[i]);
      }
    }
  });
}

/// Accepts only the attribute `synchronous`, without effect: copies are always synchronous.
HEDDLE_CUDA_EXPORT Result cuPointerSetAttribute(const void* value, int attribute,
                                                abi::DevicePointer address) {
  return in_context("cuPointerSetAttribute", [&](Session& session) {
    if (value == nullptr ||
        static_cast<PointerAttribute>(attribute) != PointerAttribute::synchronous ||
        !inspect(session, address).is_known()) {
      throw Failure{Error::invalid_value};
    }
  });
}

}  // namespace heddle::cuda::driver
