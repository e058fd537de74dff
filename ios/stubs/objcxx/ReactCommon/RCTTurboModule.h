// What generated code and the wrapper use of React Native's C++, without its libraries.
#pragma once
#import <React/RCTBridgeModule.h>
#define JSI_EXPORT
#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
namespace std {
template <class Type>
class shared_ptr {
 public:
  shared_ptr() {}
  template <class Other>
  shared_ptr(const shared_ptr<Other> &other) : value(other.value) {}
  Type *value = nullptr;
};
template <class Type, class... Arguments>
shared_ptr<Type> make_shared(Arguments &&...arguments) {
  shared_ptr<Type> made;
  made.value = new Type(arguments...);
  return made;
}
}  // namespace std
namespace facebook::react {
class TurboModule {};
class ObjCTurboModule : public TurboModule {
 public:
  struct InitParams {};
  explicit ObjCTurboModule(const InitParams &);
};
class EventEmitterCallback {};
}  // namespace facebook::react
@class EventEmitterCallbackWrapper;
@protocol RCTTurboModule <NSObject>
- (std::shared_ptr<facebook::react::TurboModule>)getTurboModule:
    (const facebook::react::ObjCTurboModule::InitParams &)params;
@end
