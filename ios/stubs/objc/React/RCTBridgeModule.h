// The part that the wrapper uses, without the registration: reactnative.dev/docs/legacy/native-modules-ios
#pragma once
@import Foundation;
typedef void (^RCTResponseSenderBlock)(NSArray *_Nonnull response);
@protocol RCTBridgeModule <NSObject>
+ (NSString *_Nonnull)moduleName;
@optional
+ (BOOL)requiresMainQueueSetup;
@end
#define RCT_EXPORT_MODULE(name)        \
  +(NSString *_Nonnull)moduleName {    \
    return @ #name;                    \
  }
#define RCT_EXPORT_METHOD(method) -(void)method
