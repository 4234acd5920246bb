// Over-aligned objects (64 bytes to a page), vectors of up to 64 bytes and of odd lengths: locals,
// arguments and results of spawns, in a stack frame that is realigned for them. vectors_512.cpp is
// the same for AVX-512.
// matrix: flags -Wno-psabi

#include "../support/alignment.h"
