// What is written to a wire is read back from it, and a wrong type is refused.
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/list.hpp>
#include <boost/serialization/string.hpp>

#include <cilk/cluster/wire.h>

#include <gtest/gtest.h>

#include <list>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

/// Trivially copyable, with a format of its own: as its text.
struct Handle {
  const std::string *name;
};
const std::string kNames[] = {"the first", "another"};

}  // namespace

template <>
struct cilk::wire_format<Handle> {
  static void put(wire &out, const Handle &handle) { cilk::put(out, *handle.name); }
  static void get(wire &in, Handle &handle) {
    const auto name = cilk::get<std::string>(in);
    handle.name = name == kNames[0] ? &kNames[0] : name == kNames[1] ? &kNames[1] : nullptr;
  }
};

namespace {

template <class T>
T there_and_back(const T &value) {
  cilk::wire bytes;
  put(bytes, value);
  cilk::wire other(bytes.bytes());
  T read = cilk::get<T>(other);
  EXPECT_TRUE(other.is_read());
  return read;
}

struct Plain {
  int a;
  double b;
  bool operator==(const Plain &) const = default;
};

struct WithMembers {
  std::string name;
  std::vector<int> values;
  void save(cilk::wire &out) const {
    put(out, name);
    put(out, values);
  }
  void load(cilk::wire &in) {
    get(in, name);
    get(in, values);
  }
  bool operator==(const WithMembers &) const = default;
};

struct ForBoost {
  std::list<std::string> words;
  template <class Archive>
  void serialize(Archive &archive, unsigned) {
    archive & words;
  }
  bool operator==(const ForBoost &) const = default;
};

TEST(Wire, ReadsWhatWasWritten) {
  EXPECT_EQ(there_and_back(42), 42);
  EXPECT_EQ(there_and_back(Plain{1, 2.5}), (Plain{1, 2.5}));
  EXPECT_EQ(there_and_back(std::string("a\0b", 3)), std::string("a\0b", 3));
  EXPECT_EQ(there_and_back(std::vector<Plain>{{1, 2}, {3, 4}}),
            (std::vector<Plain>{{1, 2}, {3, 4}}));
  EXPECT_EQ(there_and_back(std::vector<bool>{true, false}), (std::vector<bool>{true, false}));
  EXPECT_EQ(there_and_back(std::vector<std::string>{"", "x"}), (std::vector<std::string>{"", "x"}));
  const std::map<std::string, std::vector<int>> map{{"a", {1}}, {"b", {}}};
  EXPECT_EQ(there_and_back(map), map);
  const std::unordered_map<int, std::pair<int, std::string>> hashed{{1, {2, "c"}}};
  EXPECT_EQ(there_and_back(hashed), hashed);
  EXPECT_EQ(there_and_back(WithMembers{"n", {1, 2}}), (WithMembers{"n", {1, 2}}));
  EXPECT_EQ(there_and_back(std::vector<WithMembers>{{"n", {1}}}),
            (std::vector<WithMembers>{{"n", {1}}}));
}

TEST(Wire, UsesTheFormatOfElements) {
  const std::vector<Handle> handles{{&kNames[1]}, {&kNames[0]}};
  cilk::wire bytes;
  put(bytes, handles);
  EXPECT_EQ(bytes.bytes().size(), 3 * sizeof(std::size_t) + kNames[0].size() + kNames[1].size());
  const std::vector<Handle> read = there_and_back(handles);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].name, &kNames[1]);
  EXPECT_EQ(read[1].name, &kNames[0]);
}

TEST(Wire, Empty) {
  EXPECT_EQ(there_and_back(std::string()), "");
  EXPECT_TRUE(there_and_back(std::vector<int>()).empty());
}

TEST(Wire, UsesBoostForTheRest) {
  EXPECT_EQ(there_and_back(ForBoost{{"a", "", "b"}}), (ForBoost{{"a", "", "b"}}));
  EXPECT_EQ(there_and_back(std::vector<ForBoost>{{{"x"}}, {}}),
            (std::vector<ForBoost>{{{"x"}}, {}}));
}

TEST(Wire, RefusesToReadPastTheEnd) {
  cilk::wire bytes;
  put(bytes, 1);
  EXPECT_THROW(cilk::get<double>(bytes), std::length_error);
  cilk::wire text;
  put(text, std::size_t{1000});
  EXPECT_THROW(cilk::get<std::string>(text), std::length_error);
}

}  // namespace
