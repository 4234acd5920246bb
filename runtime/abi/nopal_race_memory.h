/* Where the race detector's shadow memory lies, as far as instrumented code reads it: whether an
 * access is recorded already (clang-plugin/race/Checks.cpp). All of it: runtime/race/README.md.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef NOPAL_RACE_MEMORY_H
#define NOPAL_RACE_MEMORY_H

/* The bits of an address on which the place of its shadow memory depends. */
#define NOPAL_RACE_MASK 0x0fffffffffff

/* The low 28 bits of where the parts begin differ from each other: AMD's processors find a line of
 * the first cache by a hash of these, and parts of the same low bits would evict each other and the
 * memory that they are for. Places lie between the two. */

/* 16 bytes for 8: two times of the last write, then two of the last read. */
#define NOPAL_RACE_TIMES 0x100000000000

/* A record for each chunk. If its first 4 bytes are NOPAL_RACE_APART, the times are in use. */
#define NOPAL_RACE_CHUNKS 0x500001e00000
#define NOPAL_RACE_CHUNK 512
#define NOPAL_RACE_CHUNK_RECORD 16

/* In place of the time of a write: the time of the read is the index of a list. */
#define NOPAL_RACE_APART 0xffffffff

/* The thread's serial time, in both halves of 64 bits; 0: accesses are not checked. */
#define NOPAL_RACE_NOW "__nopal_race_now"

/* Debug information of an access: a function of that name and the field's is inlined there. */
#define NOPAL_RACE_FIELD "__nopal_field:"

/* Times that are parallel to those of the checked thread, of which it asked last: the first one,
 * and how many there are, of 4 bytes each. */
#define NOPAL_RACE_PARALLEL "__nopal_race_parallel"

#endif
