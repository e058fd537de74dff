// How does the New Architecture load the module? As a TurboModule, with what codegen writes in the build of the app.
// A file of its own: Objective-C++ cannot import the SDK's module without a flag.

#ifdef RCT_NEW_ARCH_ENABLED
#import "RingfenceDeviceIntelligence.h"
#import <RingfenceReactNativeSpec/RingfenceReactNativeSpec.h>

@interface RingfenceDeviceIntelligence (TurboModule) <NativeRingfenceDeviceIntelligenceSpec>
@end

@implementation RingfenceDeviceIntelligence (TurboModule)

- (std::shared_ptr<facebook::react::TurboModule>)getTurboModule:
    (const facebook::react::ObjCTurboModule::InitParams &)params {
  return std::make_shared<facebook::react::NativeRingfenceDeviceIntelligenceSpecJSI>(params);
}

@end
#endif
