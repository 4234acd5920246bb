//===- Markers.h - The markers between front-end and passes -----*- C++ -*-===//
//
// Everything here comes from the table in Markers.def: an enum, the signature of each
// marker, and a view of its calls, as in LLVM's CoroInstr.h:
//
//   if (auto *Spawn = dyn_cast<SpawnMarker>(&I))
//     use(Spawn->helper(), Spawn->region(), Spawn->helperOperands());
//   SyncMarker::create(Ret->getIterator(), Region);
//
// Used by the front-end (names and signatures) and by all passes. Tests:
// tests/pass, and the front-end's in tests/diagnostics/ir.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_MARKERS_H
#define NOPAL_CONTRACT_MARKERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace nopal {

enum class Marker : uint8_t {
#define NOPAL_MARKER(Name, Symbol, Result, Effect, Maker) Name,
#include "Markers.def"
};

/// The type of a result or an operand: in C, and as a value of LLVM.
enum class MarkerType : uint8_t {
  Void,
  U32,        ///< unsigned, i32
  U64,        ///< uint64_t, i64
  Text,       ///< const char *, ptr
  Address,    ///< const void *, ptr
  Storage,    ///< void *, ptr
  U32Pointer, ///< unsigned *, ptr
  Code,       ///< a function, ptr
};

/// What the optimizer may know of a marker.
enum class MarkerEffect : uint8_t {
  MayThrow,
  NoThrow,
  FreshStorage,  ///< does not throw, and gives memory that nobody else knows
  ReadsThread,   ///< does not throw, and reads memory that nobody can name
  TouchesThread, ///< does not throw, and may write such memory, too
  Computes,      ///< does not throw, and its result depends on the operands alone
};

enum class MarkerMaker : uint8_t { FrontEnd, Outliner };

struct MarkerSignature {
  const char *Name;
  MarkerType Result;
  MarkerEffect Effect;
  MarkerMaker Maker;
  llvm::ArrayRef<MarkerType> Operands; ///< without the rest
  bool HasRest;
};

const MarkerSignature &signatureOf(Marker M);
inline llvm::StringRef nameOf(Marker M) { return signatureOf(M).Name; }
/// The marker with this name, if there is one.
std::optional<Marker> markerNamed(llvm::StringRef Name);
/// The marker that \p I calls, if it does.
std::optional<Marker> markerCalled(const llvm::Instruction &I);

bool isMarker(const llvm::Instruction &I, Marker M);
bool isMarker(const llvm::Instruction &I, llvm::ArrayRef<Marker> Any);
bool hasMarker(const llvm::Function &F, Marker M);

/// The declaration of \p M, or null if the module has none.
inline llvm::Function *declarationOf(const llvm::Module &In, Marker M) {
  return In.getFunction(nameOf(M));
}
/// The same; declares it if necessary.
llvm::FunctionCallee declare(llvm::Module &In, Marker M);

/// Tells the optimizer the effects of these markers, where Clang has declared them.
void describe(llvm::Module &In, llvm::ArrayRef<Marker> Any);

/// The calls of these markers, in the order of the markers and of their use lists.
llvm::SmallVector<llvm::CallBase *, 16> callsOf(const llvm::Module &In, llvm::ArrayRef<Marker> Any);
/// The functions that call one of these, in the module's order.
llvm::SmallSetVector<llvm::Function *, 16> callersOf(llvm::Module &In, llvm::ArrayRef<Marker> Any);

/// Puts a call of \p M in the place of \p Old. An invoke stays an invoke.
llvm::CallBase *replaceMarker(llvm::CallBase &Old, Marker M,
                              llvm::ArrayRef<llvm::Value *> Operands);
/// Erases the call of a marker. An invoke becomes a branch to its normal successor.
void eraseMarker(llvm::CallBase &CB);
/// Erases all calls of these in \p F. Blocks may be left that nobody reaches.
void eraseMarkers(llvm::Function &F, llvm::ArrayRef<Marker> Any);
/// At the end of the passes: erases the declarations of all markers that nobody calls.
void eraseMarkerDeclarations(llvm::Module &M);

/// The number of operands, without the rest.
constexpr unsigned operandCount(Marker M) {
  switch (M) {
#define NOPAL_MARKER(Name, Symbol, Result, Effect, Maker)                                          \
  case Marker::Name:                                                                               \
    return 0
#define NOPAL_OPERAND(Index, Name, Type) +1
#define NOPAL_MARKER_END(Name) ;
#include "Markers.def"
  }
}

/// What all views share. A view is a CallBase, so a call or an invoke.
template <Marker M> class MarkerCall : public llvm::CallBase {
public:
  MarkerCall() = delete;
  MarkerCall(const MarkerCall &) = delete;
  MarkerCall &operator=(const MarkerCall &) = delete;

  static constexpr unsigned FirstOfRest = operandCount(M);

  static llvm::FunctionCallee declare(llvm::Module &In) { return nopal::declare(In, M); }

  /// Calls the marker before \p At.
  template <class... Ts>
  static llvm::CallInst *create(llvm::BasicBlock::iterator At, Ts *...Operands) {
    static_assert(sizeof...(Ts) == operandCount(M), "a marker's operands: Markers.def");
    return llvm::CallInst::Create(declare(*At.getNodeParent()->getModule()),
                                  llvm::ArrayRef<llvm::Value *>{Operands...}, "", At);
  }

  static bool classof(const llvm::Value *V) {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
    return I && isMarker(*I, M);
  }
};

template <MarkerType T>
using MarkerOperand = std::conditional_t<T == MarkerType::Code, llvm::Function *, llvm::Use &>;

template <MarkerType T> MarkerOperand<T> operandAs(const llvm::CallBase &CB, unsigned Index) {
  auto &U = const_cast<llvm::CallBase &>(CB).getArgOperandUse(Index);
  if constexpr (T == MarkerType::Code)
    return llvm::dyn_cast<llvm::Function>(U);
  else
    return U;
}

// SpawnMarker, SyncMarker and so on. An operand is a Use: read it as a value, or set() it.
// That of type Code is also there as a function, which is null if another pass has merged two.
#define NOPAL_MARKER(Name, Symbol, Result, Effect, Maker)                                          \
  class Name##Marker : public MarkerCall<Marker::Name> {                                           \
  public:
#define NOPAL_OPERAND(Index, Name, Type)                                                           \
  MarkerOperand<MarkerType::Type> Name() const { return operandAs<MarkerType::Type>(*this, Index); }
#define NOPAL_REST(Name)                                                                           \
  auto Name() { return llvm::drop_begin(args(), FirstOfRest); }                                    \
  auto Name() const { return llvm::drop_begin(args(), FirstOfRest); }
#define NOPAL_MARKER_END(Name)                                                                     \
  }                                                                                                \
  ;
#include "Markers.def"

/// The number that an operand is; ~0 if another pass has merged two.
uint64_t numberOf(const llvm::Value *Operand);

/// A statement, a loop or a region begins.
class AnyBeginMarker : public BeginMarker {
public:
  static bool classof(const llvm::Value *V) {
    return llvm::isa<BeginMarker, BlockBeginMarker, LoopBeginMarker, RegionBeginMarker>(V);
  }
};

/// One of them ends.
class AnyEndMarker : public EndMarker {
public:
  static bool classof(const llvm::Value *V) {
    return llvm::isa<EndMarker, LoopEndMarker, RegionEndMarker>(V);
  }
};

/// Says of a variable how it belongs to a statement.
class AnyStorageMarker : public OuterMarker {
public:
  static bool classof(const llvm::Value *V) { return llvm::isa<OuterMarker, LiteralMarker>(V); }
};

/// A sync, as the outliner leaves them.
class AnySyncMarker : public SyncMarker {
public:
  static bool classof(const llvm::Value *V) { return llvm::isa<SyncMarker, SyncInFlightMarker>(V); }
};

} // namespace nopal

#endif
