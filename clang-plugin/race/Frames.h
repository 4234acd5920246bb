//===- Frames.h - Where functions begin and end for the detector -*- C++ -*-=//
//
// Used by Instrument.cpp, after Clang's ThreadSanitizerPass.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_RACE_FRAMES_H
#define NOPAL_RACE_FRAMES_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace nopal::race {

/// Moves the calls that begin and end the frame of \p F to the paths that need them, and makes one
/// of two where \p F spawns.
void placeFrameCalls(llvm::Function &F);

/// Children tell of their frames by the hooks around their call.
void foldChildFrames(llvm::Module &M);

} // namespace nopal::race

#endif
