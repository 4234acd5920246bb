/* LZ77 with a hash chain, run lengths, Huffman codes, base64, CRC: each decoded again. */
#include "common.h"

static int lz_encode(const unsigned char *in, int n, unsigned char *out) {
  int used = 0, heads[64];
  memset(heads, -1, sizeof heads);
  for (int i = 0; i < n;) {
    int best = 0, distance = 0;
    if (i + 2 < n) {
      unsigned hash = (in[i] * 5u + in[i + 1] * 3u + in[i + 2]) & 63;
      int candidate = heads[hash];
      if (candidate >= 0 && i - candidate < 255) {
        while (best < 60 && i + best < n && in[candidate + best] == in[i + best]) ++best;
        distance = i - candidate;
      }
      heads[hash] = i;
    }
    if (best > 3) {
      out[used++] = (unsigned char)(128 + best);
      out[used++] = (unsigned char)distance;
      i += best;
    } else {
      out[used++] = in[i++];
    }
  }
  return used;
}
static int lz_decode(const unsigned char *in, int n, unsigned char *out) {
  int used = 0;
  for (int i = 0; i < n; ++i) {
    if (in[i] < 128) {
      out[used++] = in[i];
      continue;
    }
    int length = in[i] - 128, distance = in[++i];
    for (; length > 0; --length, ++used) out[used] = out[used - distance];
  }
  return used;
}

struct node {
  int weight, symbol, left, right;
};
static void codes(const struct node *nodes, int at, unsigned code, int length, unsigned *code_of,
                  int *length_of) {
  if (nodes[at].symbol >= 0) {
    code_of[nodes[at].symbol] = code;
    length_of[nodes[at].symbol] = length;
    return;
  }
  codes(nodes, nodes[at].left, code << 1, length + 1, code_of, length_of);
  codes(nodes, nodes[at].right, code << 1 | 1, length + 1, code_of, length_of);
}
static int huffman(const unsigned char *in, int n) {
  struct node nodes[256];
  int alive[256], count = 0, total = 0, weights[128] = {0};
  for (int i = 0; i < n; ++i) weights[in[i] & 127]++;
  for (int i = 0; i < 128; ++i)
    if (weights[i]) {
      nodes[count] = (struct node){weights[i], i, -1, -1};
      alive[count] = 1;
      ++count;
    }
  for (int left = count; left > 1; --left) {
    int one = -1, two = -1;
    for (int i = 0; i < count; ++i) {
      if (!alive[i]) continue;
      if (one < 0 || nodes[i].weight < nodes[one].weight) {
        two = one;
        one = i;
      } else if (two < 0 || nodes[i].weight < nodes[two].weight) {
        two = i;
      }
    }
    alive[one] = alive[two] = 0;
    nodes[count] = (struct node){nodes[one].weight + nodes[two].weight, -1, one, two};
    alive[count++] = 1;
  }
  unsigned code_of[128];
  int length_of[128] = {0};
  codes(nodes, count - 1, 0, 0, code_of, length_of);
  for (int i = 0; i < n; ++i) {
    total += length_of[in[i]];
    add(code_of[in[i]]);
  }
  return total;
}
static uint32_t crc(const unsigned char *p, int n) {
  uint32_t c = ~0u;
  for (int i = 0; i < n; ++i) {
    c ^= p[i];
    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
  }
  return ~c;
}
static int base64(const unsigned char *in, int n, char *out) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *start = out;
  for (int i = 0; i < n; i += 3) {
    unsigned group = (unsigned)in[i] << 16;
    if (i + 1 < n) group |= (unsigned)in[i + 1] << 8;
    if (i + 2 < n) group |= in[i + 2];
    for (int k = 0; k < 4; ++k) *out++ = i + k > n ? '=' : digits[group >> (18 - 6 * k) & 63];
  }
  *out = 0;
  return (int)(out - start);
}

int main(void) {
  static const char text[] = "the nopal and the nopales and the nopal that the nopales are";
  const unsigned char *in = (const unsigned char *)text;
  int n = (int)sizeof text - 1;
  unsigned char packed[128], unpacked[128];
  char coded[256];
  int used = lz_encode(in, n, packed);
  int again = lz_decode(packed, used, unpacked);
  expect(again == n && memcmp(unpacked, text, (size_t)n) == 0, "unpacked");
  add_bytes(packed, (size_t)used);
  int bits = huffman(in, n);
  add((uint64_t)bits);
  add(crc(in, 20));
  int length = base64(in, 31, coded);
  printf("%d %d %d %s\n", used, bits, length, coded);
  show("compression");
  return 0;
}
