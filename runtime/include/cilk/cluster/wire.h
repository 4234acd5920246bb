/* Bags and results as bytes, for messages between ranks.
 *
 * Trivially copyable types, std::string, and std::vector, std::pair, std::map and
 * std::unordered_map of such; other types by members of their own, or by Boost.Serialization, if
 * the program includes <boost/archive/binary_oarchive.hpp> and <boost/archive/binary_iarchive.hpp>
 * before <cilk/cluster.h>. All ranks run the same program on machines of the same kind: bytes are
 * sent as they are. Checked by tests/cluster/wire_test.cpp.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CLUSTER_WIRE_H
#define CILK_CLUSTER_WIRE_H

#include <cstddef>
#include <cstring>
#include <istream>
#include <map>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cilk {

/// Bytes that are written at the end and read from the front.
class wire {
 public:
  wire() = default;
  explicit wire(std::vector<char> bytes) : bytes_(std::move(bytes)) {}

  std::vector<char> &bytes() { return bytes_; }
  bool is_read() const { return read_ == bytes_.size(); }

  void put_bytes(const void *from, std::size_t size) {
    const char *begin = static_cast<const char *>(from);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  /// Throws std::length_error if fewer are left: sender and receiver do not agree on the type.
  void get_bytes(void *to, std::size_t size) {
    if (size > bytes_.size() - read_)
      throw std::length_error("cilk::wire: a message between ranks is too short for its type");
    if (size != 0) std::memcpy(to, bytes_.data() + read_, size);
    read_ += size;
  }

 private:
  std::vector<char> bytes_;
  std::size_t read_ = 0;
};

namespace detail {

template <class T, class = void>
struct has_wire_members : std::false_type {};
template <class T>
struct has_wire_members<
    T, std::void_t<decltype(std::declval<const T &>().save(std::declval<wire &>())),
                   decltype(std::declval<T &>().load(std::declval<wire &>()))>> : std::true_type {};

template <class T>
inline constexpr bool kNever = false;

}  // namespace detail

/// How a T is written and read. Specialize it for a type that you cannot give members
/// `void save(cilk::wire &) const` and `void load(cilk::wire &)`.
template <class T, class = void>
struct wire_format;

template <class T>
void put(wire &out, const T &value) {
  wire_format<T>::put(out, value);
}
template <class T>
void get(wire &in, T &value) {
  wire_format<T>::get(in, value);
}
template <class T>
T get(wire &in) {
  T value{};
  cilk::get(in, value);
  return value;
}

namespace detail {

/// A stream buffer over a wire's bytes, for archives.
class wire_buffer : public std::streambuf {
 public:
  explicit wire_buffer(wire &bytes) : wire_(bytes) {}

 private:
  std::streamsize xsputn(const char *from, std::streamsize size) override {
    wire_.put_bytes(from, static_cast<std::size_t>(size));
    return size;
  }
  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    wire_.put_bytes(&one, 1);
    return c;
  }
  std::streamsize xsgetn(char *to, std::streamsize size) override {
    wire_.get_bytes(to, static_cast<std::size_t>(size));
    return size;
  }
  int_type uflow() override {
    char one;
    wire_.get_bytes(&one, 1);
    return traits_type::to_int_type(one);
  }
  wire &wire_;
};

template <class Container>
struct container_format {
  static void put(wire &out, const Container &values) {
    cilk::put(out, values.size());
    for (const auto &each : values) cilk::put(out, each);
  }
};

template <class Map>
struct map_format : container_format<Map> {
  static void get(wire &in, Map &values) {
    values.clear();
    for (auto left = cilk::get<std::size_t>(in); left != 0; --left) {
      auto key = cilk::get<typename Map::key_type>(in);
      values.emplace(std::move(key), cilk::get<typename Map::mapped_type>(in));
    }
  }
};

template <class T, class = void>
struct other_format {
#if defined(BOOST_ARCHIVE_BINARY_OARCHIVE_HPP) && defined(BOOST_ARCHIVE_BINARY_IARCHIVE_HPP)
  static constexpr unsigned kFlags = boost::archive::no_header | boost::archive::no_codecvt;
  static void put(wire &out, const T &value) {
    wire_buffer buffer(out);
    boost::archive::binary_oarchive archive(static_cast<std::streambuf &>(buffer), kFlags);
    archive << value;
  }
  static void get(wire &in, T &value) {
    wire_buffer buffer(in);
    boost::archive::binary_iarchive archive(static_cast<std::streambuf &>(buffer), kFlags);
    archive >> value;
  }
#else
  static_assert(kNever<T>,
                "a bag or result that travels between ranks must be trivially copyable, have "
                "members save(cilk::wire &) const and load(cilk::wire &), have a "
                "cilk::wire_format, or be known to Boost.Serialization, whose binary archives are "
                "included before <cilk/cluster.h>");
#endif
};
template <class T>
struct other_format<T, std::enable_if_t<has_wire_members<T>::value>> {
  static void put(wire &out, const T &value) { value.save(out); }
  static void get(wire &in, T &value) { value.load(in); }
};
template <class T>
struct other_format<
    T, std::enable_if_t<!has_wire_members<T>::value && std::is_trivially_copyable_v<T>>> {
  static_assert(!std::is_pointer_v<T> && !std::is_same_v<T, std::string_view>,
                "a pointer means nothing on another rank");
  static constexpr bool kIsPlain = true;
  static void put(wire &out, const T &value) { out.put_bytes(&value, sizeof value); }
  static void get(wire &in, T &value) { in.get_bytes(&value, sizeof value); }
};

/// Travels as its bytes: it has neither members nor a format of the user's.
template <class T, class = void>
struct is_plain : std::false_type {};
template <class T>
struct is_plain<T, std::enable_if_t<wire_format<T>::kIsPlain>> : std::true_type {};

}  // namespace detail

template <class T, class>
struct wire_format : detail::other_format<T> {};

template <>
struct wire_format<std::string> {
  static void put(wire &out, const std::string &text) {
    cilk::put(out, text.size());
    out.put_bytes(text.data(), text.size());
  }
  static void get(wire &in, std::string &text) {
    text.resize(cilk::get<std::size_t>(in));
    in.get_bytes(text.data(), text.size());
  }
};

template <class T, class Allocator>
struct wire_format<std::vector<T, Allocator>> {
  using container = std::vector<T, Allocator>;
  static constexpr bool kHasPlain = !std::is_same_v<T, bool> && detail::is_plain<T>::value;
  static void put(wire &out, const container &values) {
    if constexpr (kHasPlain) {
      cilk::put(out, values.size());
      out.put_bytes(values.data(), values.size() * sizeof(T));
    } else {
      cilk::put(out, values.size());
      for (const T &each : values) cilk::put(out, each);
    }
  }
  static void get(wire &in, container &values) {
    values.clear();
    const auto size = cilk::get<std::size_t>(in);
    if constexpr (kHasPlain) {
      values.resize(size);
      in.get_bytes(values.data(), size * sizeof(T));
    } else {
      for (std::size_t i = 0; i < size; ++i) values.push_back(cilk::get<T>(in));
    }
  }
};

template <class First, class Second>
struct wire_format<std::pair<First, Second>> {
  static void put(wire &out, const std::pair<First, Second> &value) {
    cilk::put(out, value.first);
    cilk::put(out, value.second);
  }
  static void get(wire &in, std::pair<First, Second> &value) {
    cilk::get(in, const_cast<std::remove_const_t<First> &>(value.first));
    cilk::get(in, value.second);
  }
};

template <class Key, class T, class Compare, class Allocator>
struct wire_format<std::map<Key, T, Compare, Allocator>>
    : detail::map_format<std::map<Key, T, Compare, Allocator>> {};
template <class Key, class T, class Hash, class Equal, class Allocator>
struct wire_format<std::unordered_map<Key, T, Hash, Equal, Allocator>>
    : detail::map_format<std::unordered_map<Key, T, Hash, Equal, Allocator>> {};

}  // namespace cilk

#endif
