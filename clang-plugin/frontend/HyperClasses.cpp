//===- HyperClasses.cpp - Classes that end their hyperobjects -------------===//
//
// See HyperClasses.h. Clang works out a class's properties while members are added, and has no
// call that changes one. So the class has a member for a moment, of a class whose destructor is
// not trivial. Clang then makes the destructor where it is used, as for any other class. The member
// is mutable, so that constants are not in read-only memory: a view may be reduced into them.
//
//===----------------------------------------------------------------------===//
#include "HyperClasses.h"
#include "../compatibility/Compatibility.h"
#include "HyperTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace nopal::frontend {

/// A class without members whose destructor is not trivial, but for calls: an object may be passed
/// in registers.
static CXXRecordDecl *makeDestroyed(ASTContext &Ctx) {
  DeclContext *Unit = Ctx.getTranslationUnitDecl();
  auto *Class = CXXRecordDecl::Create(Ctx, TagTypeKind::Struct, Unit, {}, {}, nullptr);
  Class->setImplicit();
  Class->startDefinition();
  FunctionProtoType::ExtProtoInfo Info;
  Info.ExceptionSpec.Type = EST_BasicNoexcept;
  auto *Destructor = CXXDestructorDecl::Create(
      Ctx, Class, {},
      {Ctx.DeclarationNames.getCXXDestructorName(Ctx.getCanonicalType(compat::typeOf(Class))),
       SourceLocation()},
      Ctx.getFunctionType(Ctx.VoidTy, {}, Info), nullptr, /*UsesFPIntrin=*/false, /*isInline=*/true,
      /*isImplicitlyDeclared=*/true,
      Ctx.getLangOpts().CPlusPlus20 ? ConstexprSpecKind::Constexpr
                                    : ConstexprSpecKind::Unspecified);
  Destructor->setAccess(AS_public);
  Destructor->setTrivial(false);
  Destructor->setTrivialForCall(true);
  Class->addDecl(Destructor);
  Class->completeDefinition();
  return Class;
}

/// Whether the destructor of \p Class would be trivial, but for its hyperobjects.
static bool endsNothingElse(const CXXRecordDecl *Class) {
  const CXXDestructorDecl *Destructor = Class->getDestructor();
  if (!Destructor || !Destructor->isExplicitlyDefaulted())
    return Class->hasTrivialDestructor();
  return !Destructor->isVirtual() &&
         llvm::none_of(
             Class->bases(),
             [](const CXXBaseSpecifier &Base) { return Base.getType().isDestructedType(); }) &&
         llvm::none_of(Class->fields(),
                       [](const FieldDecl *Field) { return Field->getType().isDestructedType(); });
}

void HyperClasses::complete(const TagDecl *Definition) {
  auto *Class = dyn_cast<CXXRecordDecl>(const_cast<TagDecl *>(Definition));
  if (!Class || Class->isUnion() || Class->isInvalidDecl() || Class->isDependentContext() ||
      !hasOwnHyperobjects(Class) || !endsNothingElse(Class))
    return;
  ASTContext &Ctx = Class->getASTContext();
  if (!Destroyed)
    Destroyed = makeDestroyed(Ctx);
  auto *Member = FieldDecl::Create(Ctx, Class, {}, {}, nullptr, compat::typeOf(Destroyed), nullptr,
                                   nullptr, /*Mutable=*/true, ICIS_NoInit);
  Member->setAccess(Class->field_begin()->getAccess()); // all alike: of standard layout
  Class->addDecl(Member);
  Class->removeDecl(Member);
  CXXDestructorDecl *Destructor = Class->getDestructor();
  if (!Destructor)
    return;
  Destructor->setTrivial(false);
  if (!Destructor->isExplicitlyDefaulted())
    return;
  // Clang would look at the members again, but for an implicit one.
  Destructor->setImplicit(true);
  Destructor->setTrivialForCall(true);
  Class->setTrivialForCallFlags(Destructor);
  Defaulted.insert(Destructor);
}

void HyperClasses::finish(const TagDecl *Definition) {
  auto *Class = dyn_cast<CXXRecordDecl>(Definition);
  CXXDestructorDecl *Destructor =
      Class && !Defaulted.empty() && Class->hasDefinition() ? Class->getDestructor() : nullptr;
  if (Defaulted.erase(Destructor))
    Destructor->setImplicit(false);
}

} // namespace nopal::frontend
