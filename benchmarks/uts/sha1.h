// SHA-1 of FIPS 180-4 for messages of less than one block, and the splittable random numbers that
// UTS makes of it.
//
// A node's state is 20 bytes; its i-th child's is the digest of the state followed by i as four
// bytes, most significant first. The root's is the digest of 16 zero bytes followed by the seed. A
// node's random number is the last 31 bits of its state. The published sizes of the trees
// (kernel.h) check all of it.
#ifndef BENCHMARKS_UTS_SHA1_H
#define BENCHMARKS_UTS_SHA1_H

#include <cstdint>

/// Five words, as in the standard; the bytes of the state are theirs, most significant first.
struct State {
  std::uint32_t word[5];

  /// In [0, 1): the last 31 bits.
  double uniform() const { return static_cast<double>(word[4] & 0x7fffffffu) * 0x1p-31; }
};

inline std::uint32_t rotl(std::uint32_t word, int bits) {
  return word << bits | word >> (32 - bits);
}

/// The digest of `words` words of message (13 at most).
inline State sha1(const std::uint32_t *message, int words) {
  std::uint32_t w[80] = {};
  for (int t = 0; t < words; ++t) w[t] = message[t];
  w[words] = 0x80000000u;
  w[15] = static_cast<std::uint32_t>(words) * 32;
  for (int t = 16; t < 80; ++t) w[t] = rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  const State first = {{0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u}};
  std::uint32_t a = first.word[0], b = first.word[1], c = first.word[2], d = first.word[3],
                e = first.word[4];
  const auto step = [&](int t, std::uint32_t f, std::uint32_t k) {
    const std::uint32_t next = rotl(a, 5) + f + e + k + w[t];
    e = d, d = c, c = rotl(b, 30), b = a, a = next;
  };
  for (int t = 0; t < 20; ++t) step(t, (b & c) | (~b & d), 0x5a827999u);
  for (int t = 20; t < 40; ++t) step(t, b ^ c ^ d, 0x6ed9eba1u);
  for (int t = 40; t < 60; ++t) step(t, (b & c) | (b & d) | (c & d), 0x8f1bbcdcu);
  for (int t = 60; t < 80; ++t) step(t, b ^ c ^ d, 0xca62c1d6u);
  return {{first.word[0] + a, first.word[1] + b, first.word[2] + c, first.word[3] + d,
           first.word[4] + e}};
}

inline State root_state(std::uint32_t seed) {
  const std::uint32_t message[5] = {0, 0, 0, 0, seed};
  return sha1(message, 5);
}

inline State child_state(const State &state, int index) {
  const std::uint32_t message[6] = {state.word[0], state.word[1],
                                    state.word[2], state.word[3],
                                    state.word[4], static_cast<std::uint32_t>(index)};
  return sha1(message, 6);
}

#endif
