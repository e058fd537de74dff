// How does JavaScript call the SDK? Forwards each call. Completions run on a background thread, which React Native allows.

#import "RingfenceDeviceIntelligence.h"
@import DeviceIntelligence;

@implementation RingfenceDeviceIntelligence

RCT_EXPORT_MODULE()

+ (BOOL)requiresMainQueueSetup {
  return NO;
}

RCT_EXPORT_METHOD(setBaseURL : (NSString *)url) {
  DeviceIntelligenceSDK.shared.baseURL = [NSURL URLWithString:url];
}

RCT_EXPORT_METHOD(isInitialized : (RCTResponseSenderBlock)callback) {
  callback(@[ @(DeviceIntelligenceSDK.shared.isInitialized) ]);
}

RCT_EXPORT_METHOD(initialize : (NSString *)appId callback : (RCTResponseSenderBlock)callback) {
  [DeviceIntelligenceSDK.shared initializeWithAppId:appId
                                         completion:^(BOOL success) {
                                           callback(@[ @(success) ]);
                                         }];
}

RCT_EXPORT_METHOD(fetchIntelligence : (nullable NSDictionary *)params
                  updateInfo : (nullable NSDictionary *)updateInfo
                  callback : (RCTResponseSenderBlock)callback) {
  [DeviceIntelligenceSDK.shared
      fetchIntelligenceWithParams:params
                       updateInfo:updateInfo
                       completion:^(BOOL success, NSString *dfrId, NSDictionary *response, NSString *message) {
                         callback(@[
                           @(success), dfrId ?: [NSNull null], response ?: [NSNull null], message ?: [NSNull null]
                         ]);
                       }];
}

@end
