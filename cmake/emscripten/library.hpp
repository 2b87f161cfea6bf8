// SPDX-License-Identifier: Apache-2.0
// The parts of C++20 that accord uses and that the standard library of Emscripten 3.1.6 in Debian
// 12 (libc++ 13) lacks: the algorithms of std::ranges, whose results are here an iterator or
// nothing, std::bit_cast, and texts of floating-point numbers. cmake/emscripten.cmake has the
// compiler read this file before each source.
#pragma once
#if defined(__cplusplus) && __cplusplus >= 202002L  // gemmi is read as C++17
#include <version>
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 15000
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

/// Reads as far as the format goes: a sign of minus, digits with a point, and, unless the format is
/// `fixed`, an exponent. Words (inf, nan) are no numbers here.
template <class Float>
requires is_floating_point_v<Float> from_chars_result
from_chars(const char* first, const char* last, Float& value,
           chars_format format = chars_format::general) {
  const auto digits = [&](const char* at) {
    while (at != last && *at >= '0' && *at <= '9') ++at;
    return at;
  };
  const char* const whole = first + (first != last && *first == '-');
  const char* end = digits(whole);
  bool has_digits = end != whole;
  if (end != last && *end == '.') {
    const char* const fraction = digits(end + 1);
    has_digits = has_digits || fraction != end + 1;
    if (has_digits) end = fraction;
  }
  if (!has_digits) return {first, errc::invalid_argument};
  if (format != chars_format::fixed && end != last && (*end == 'e' || *end == 'E')) {
    const char* const power = end + 1 + (end + 1 != last && (end[1] == '-' || end[1] == '+'));
    if (digits(power) != power) end = digits(power);
  }
  const string text(first, end);
  Float read;
  if constexpr (is_same_v<Float, float>) {
    read = strtof(text.c_str(), nullptr);
  } else {
    read = strtod(text.c_str(), nullptr);
  }
  const size_t first_digit = text.find_first_of("123456789");
  const bool is_zero = first_digit == text.npos || first_digit > text.find_first_of("eE");
  if (isinf(read) || (read == 0 && !is_zero)) return {end, errc::result_out_of_range};
  value = read;
  return {end, errc{}};
}

/// The text in [first, last), if it fits.
inline to_chars_result __placed(const string& text, char* first, char* last) {
  if (static_cast<size_t>(last - first) < text.size()) return {last, errc::value_too_large};
  memcpy(first, text.data(), text.size());
  return {first + text.size(), errc{}};
}

template <class... Values>
string __printed(const char* format, Values... values) {
  string text(static_cast<size_t>(snprintf(nullptr, 0, format, values...)), ' ');
  snprintf(text.data(), text.size() + 1, format, values...);
  return text;
}

/// The fewest digits that are read back as the value, with an exponent if that is shorter.
template <class Float>
requires is_floating_point_v<Float> to_chars_result to_chars(char* first, char* last, Float value) {
  if (!isfinite(value)) return __placed(__printed("%g", value), first, last);
  for (int digits = 0;; ++digits) {
    const string text = __printed("%.*e", digits, value);
    Float back{};
    from_chars(text.data(), text.data() + text.size(), back);
    if (back != value) continue;
    const int exponent = atoi(text.c_str() + text.find('e') + 1);
    const string fixed = __printed("%.*f", max(0, digits - exponent), value);
    return __placed(fixed.size() <= text.size() ? fixed : text, first, last);
  }
}

/// With a number of digits: as printf writes them.
template <class Float>
requires is_floating_point_v<Float> to_chars_result to_chars(char* first, char* last, Float value,
                                                             chars_format format, int digits) {
  const char* const form = format == chars_format::fixed        ? "%.*f"
                           : format == chars_format::scientific ? "%.*e"
                                                                : "%.*g";
  return __placed(__printed(form, digits, value), first, last);
}

}  // namespace std

namespace std::ranges {

/// Two values, compared by a member or another projection of each.
template <class Compare, class First, class Second = First>
auto __projected(Compare& compare, First& first, Second& second) {
  return [&](const auto& a, const auto& b) -> bool {
    return std::invoke(compare, std::invoke(first, a), std::invoke(second, b));
  };
}
/// A value, tested by a projection.
template <class Test, class Projection>
auto __tested(Test& test, Projection& projection) {
  return [&](const auto& a) -> bool { return std::invoke(test, std::invoke(projection, a)); };
}
/// Whether the projection of a value equals another value.
template <class Value, class Projection>
auto __equals(const Value& value, Projection& projection) {
  return [&](const auto& a) -> bool { return std::invoke(projection, a) == value; };
}

#define ACCORD_TESTED(name)                                                           \
  template <class Range, class Test, class Projection = identity>                     \
  auto name(Range&& range, Test test, Projection projection = {}) {                   \
    return std::name(std::begin(range), std::end(range), __tested(test, projection)); \
  }
ACCORD_TESTED(all_of)
ACCORD_TESTED(any_of)
ACCORD_TESTED(none_of)
ACCORD_TESTED(find_if)
ACCORD_TESTED(count_if)
ACCORD_TESTED(partition_point)
#undef ACCORD_TESTED

template <class Range, class Value, class Projection = identity>
auto find(Range&& range, const Value& value, Projection projection = {}) {
  return std::find_if(std::begin(range), std::end(range), __equals(value, projection));
}
template <class Range, class Value, class Projection = identity>
auto count(Range&& range, const Value& value, Projection projection = {}) {
  return std::count_if(std::begin(range), std::end(range), __equals(value, projection));
}

#define ACCORD_COMPARED(name)                                                      \
  template <class Range, class Compare = std::less<>, class Projection = identity> \
  auto name(Range&& range, Compare compare = {}, Projection projection = {}) {     \
    return std::name(std::begin(range), std::end(range),                           \
                     __projected(compare, projection, projection));                \
  }
ACCORD_COMPARED(sort)
ACCORD_COMPARED(is_sorted)
ACCORD_COMPARED(min_element)
ACCORD_COMPARED(max_element)
#undef ACCORD_COMPARED

template <class Range>
auto min(Range&& range) {
  return *std::min_element(std::begin(range), std::end(range));
}
template <class Range>
auto max(Range&& range) {
  return *std::max_element(std::begin(range), std::end(range));
}
template <class Range, class Iterator, class Compare = std::less<>, class Projection = identity>
void nth_element(Range&& range, Iterator nth, Compare compare = {}, Projection projection = {}) {
  std::nth_element(std::begin(range), nth, std::end(range),
                   __projected(compare, projection, projection));
}

template <class Range, class Value, class Compare = std::less<>, class Projection = identity>
auto lower_bound(Range&& range, const Value& value, Compare compare = {},
                 Projection projection = {}) {
  identity same;
  return std::lower_bound(std::begin(range), std::end(range), value,
                          __projected(compare, projection, same));
}
template <class Range, class Value, class Compare = std::less<>, class Projection = identity>
auto upper_bound(Range&& range, const Value& value, Compare compare = {},
                 Projection projection = {}) {
  identity same;
  return std::upper_bound(std::begin(range), std::end(range), value,
                          __projected(compare, same, projection));
}
template <class Range, class Value>
bool binary_search(Range&& range, const Value& value) {
  return std::binary_search(std::begin(range), std::end(range), value);
}

template <class First, class Second, class Compare = std::equal_to<>,
          class FirstProjection = identity, class SecondProjection = identity>
bool equal(First&& first, Second&& second, Compare compare = {}, FirstProjection of_first = {},
           SecondProjection of_second = {}) {
  return std::equal(std::begin(first), std::end(first), std::begin(second), std::end(second),
                    __projected(compare, of_first, of_second));
}

#define ACCORD_OF_TWO(name)                                                                      \
  template <class First, class Second, class Output>                                             \
  void name(First&& first, Second&& second, Output output) {                                     \
    std::name(std::begin(first), std::end(first), std::begin(second), std::end(second), output); \
  }
ACCORD_OF_TWO(set_difference)
ACCORD_OF_TWO(set_intersection)
ACCORD_OF_TWO(set_union)
#undef ACCORD_OF_TWO

template <class Range, class Output>
void copy(Range&& range, Output output) {
  std::copy(std::begin(range), std::end(range), output);
}
template <class Range, class Output>
void move(Range&& range, Output output) {
  std::move(std::begin(range), std::end(range), output);
}
template <class Range, class Output, class Test, class Projection = identity>
void copy_if(Range&& range, Output output, Test test, Projection projection = {}) {
  std::copy_if(std::begin(range), std::end(range), output, __tested(test, projection));
}
template <class Range, class Output, class Function>
void transform(Range&& range, Output output, Function function) {
  std::transform(std::begin(range), std::end(range), output, std::move(function));
}
template <class Range>
void reverse(Range&& range) {
  std::reverse(std::begin(range), std::end(range));
}
template <class Range, class Value>
void fill(Range&& range, const Value& value) {
  std::fill(std::begin(range), std::end(range), value);
}
template <class Range, class Value>
void replace(Range&& range, const Value& before, const Value& after) {
  std::replace(std::begin(range), std::end(range), before, after);
}

}  // namespace std::ranges
#endif
#endif
