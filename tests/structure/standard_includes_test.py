#!/usr/bin/env python3
"""Checks that every file includes the standard headers that it uses, directly or through headers of this
project. Compilers do not notice a missing header, because several sources are compiled together in a unity
file."""

import functools
import pathlib
import re
import sys
import unittest

ROOT = None
FOLDERS = ("src", "apps", "tests", "workloads", "bench")

# For each standard header, names that only this header declares.
DECLARES = {
    "algorithm": "all_of any_of binary_search clamp copy copy_if copy_n count count_if equal fill fill_n "
                 "find_if find_if_not for_each generate is_sorted lower_bound max_element min_element "
                 "minmax_element mismatch none_of nth_element partition partition_point remove_if replace "
                 "reverse rotate shuffle sort stable_partition stable_sort transform unique upper_bound",
    "any": "any any_cast",
    "array": "array to_array",
    "atomic": "atomic atomic_bool memory_order_relaxed",
    "barrier": "barrier",
    "bit": "bit_cast bit_ceil bit_floor bit_width countl_zero countr_one countr_zero endian has_single_bit "
           "popcount rotl rotr",
    "bitset": "bitset",
    "charconv": "from_chars to_chars",
    "chrono": "chrono",
    "cmath": "acos asin atan atan2 ceil cos cosh exp exp2 floor fma fmod hypot isfinite isinf isnan ldexp log "
             "log10 log2 nearbyint pow rint round signbit sin sinh sqrt tan tanh trunc",
    "condition_variable": "condition_variable condition_variable_any",
    "csignal": "raise sig_atomic_t signal",
    "cstdlib": "abort exit getenv strtod strtol strtoul strtoull",
    "cstring": "memcmp memcpy memmove memset strcmp strlen",
    "deque": "deque",
    "exception": "current_exception exception_ptr rethrow_exception terminate uncaught_exceptions",
    "filesystem": "filesystem",
    "fstream": "fstream ifstream ofstream",
    "functional": "bit_and bit_or bit_xor function greater hash less multiplies plus reference_wrapper",
    "future": "async future promise",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "addressof enable_shared_from_this make_shared make_unique shared_ptr unique_ptr weak_ptr",
    "mutex": "call_once lock_guard mutex once_flag recursive_mutex scoped_lock unique_lock",
    "new": "bad_alloc launder nothrow",
    "numbers": "numbers",
    "numeric": "accumulate gcd iota lcm midpoint partial_sum reduce",
    "optional": "nullopt optional",
    "queue": "priority_queue queue",
    "random": "bernoulli_distribution discrete_distribution mt19937 mt19937_64 normal_distribution "
              "uniform_int_distribution uniform_real_distribution",
    "set": "multiset set",
    "span": "as_bytes as_writable_bytes span",
    "sstream": "istringstream ostringstream stringstream",
    "stdexcept": "domain_error invalid_argument logic_error out_of_range overflow_error runtime_error",
    "string": "getline stod stoi stol stoul stoull string to_string",
    "string_view": "string_view",
    "system_error": "errc error_code system_category system_error",
    "thread": "jthread this_thread thread",
    "tuple": "forward_as_tuple make_tuple tie tuple",
    "type_traits": "bool_constant conditional_t decay_t enable_if_t false_type invoke_result_t is_base_of_v "
                   "is_enum_v is_floating_point_v is_integral_v is_same_v is_signed_v is_unsigned_v "
                   "make_signed_t make_unsigned_t remove_cvref_t true_type underlying_type_t void_t",
    "typeindex": "type_index",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_set",
    "utility": "as_const exchange forward in_place integer_sequence make_pair move pair swap",
    "variant": "get_if holds_alternative monostate variant visit",
    "vector": "vector",
}
HEADER_OF = {name: header for header, names in DECLARES.items() for name in names.split()}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^">]+)[">]', re.MULTILINE)
USED = re.compile(r"\bstd::(\w+)")
NOT_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*\"""", re.DOTALL)


@functools.cache
def contents(path):
    """The names from `std` that a file uses, and its includes: pairs of the opening delimiter and a name."""
    text = path.read_text()
    includes = INCLUDE.findall(text)
    return set(USED.findall(NOT_CODE.sub(" ", text))), includes


@functools.cache
def included(path):
    """The files of this project that a file includes."""
    folders = [path.parent, ROOT / "src", ROOT / "tests", ROOT / "apps/heddle",
               ROOT / "apps/silicon", ROOT / "apps/silicon/instructions"]
    found = []
    for kind, name in contents(path)[1]:
        if kind == '"':
            found += [folder / name for folder in folders if (folder / name).is_file()][:1]
    return found


def standard_headers(path):
    """The standard headers that a file includes, directly or through files of this project."""
    found, seen, pending = set(), set(), [path]
    while pending:
        here = pending.pop()
        if here not in seen:
            seen.add(here)
            found.update(name for kind, name in contents(here)[1] if kind == "<")
            pending += included(here)
    return found


def files():
    return [path for folder in FOLDERS for ending in ("cpp", "h")
            for path in sorted((ROOT / folder).rglob(f"*.{ending}"))]


def missing_headers(path):
    used, _ = contents(path)
    headers = standard_headers(path)
    return sorted({HEADER_OF[name] for name in used if name in HEADER_OF} - headers)


class StandardIncludes(unittest.TestCase):
    def test_every_file_includes_what_it_uses(self):
        self.assertGreater(len(files()), 1000)
        found = {str(path.relative_to(ROOT)): missing_headers(path) for path in files()}
        self.assertEqual({path: headers for path, headers in found.items() if headers}, {})


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop()).resolve()
    unittest.main()
