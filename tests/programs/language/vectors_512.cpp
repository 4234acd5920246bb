// alignment.cpp in the registers of AVX-512: vectors of 64 bytes live across spawns, are arguments
// and results.
//
// matrix: flags -mavx512f
// matrix: needs avx512f

#include "../support/alignment.h"
