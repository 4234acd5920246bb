//===- HyperClasses.cpp - Classes that end their hyperobjects -------------===//
//
// See HyperClasses.h. Clang works out a class's properties while members are added, and has no
// call that changes one. So the class has a member for a moment, of a class whose destructor is
// not trivial. Clang then makes the destructor where it is used, as for any other class.
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

void HyperClasses::complete(const TagDecl *Definition) {
  auto *Class = dyn_cast<CXXRecordDecl>(const_cast<TagDecl *>(Definition));
  if (!Class || Class->isUnion() || Class->isInvalidDecl() || Class->isDependentContext() ||
      !Class->hasTrivialDestructor() || !hasOwnHyperobjects(Class))
    return;
  ASTContext &Ctx = Class->getASTContext();
  if (!Destroyed)
    Destroyed = makeDestroyed(Ctx);
  auto *Member = FieldDecl::Create(Ctx, Class, {}, {}, nullptr, compat::typeOf(Destroyed), nullptr,
                                   nullptr, /*Mutable=*/false, ICIS_NoInit);
  Member->setAccess(Class->field_begin()->getAccess()); // all alike: of standard layout
  Class->addDecl(Member);
  Class->removeDecl(Member);
  if (CXXDestructorDecl *Destructor = Class->getDestructor())
    Destructor->setTrivial(false);
}

} // namespace nopal::frontend
