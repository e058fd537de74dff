// How does JavaScript call the SDK? Forwards each call. Completions run on a background thread, which React Native allows.

#import "RingfenceDeviceIntelligence.h"
@import DeviceIntelligence;
@import HeadlessAuthentication;

/// Of a sign-in call, by the code of its error.
static NSArray *argumentsOf(NSDictionary *value, NSError *error) {
  if (!error) return @[ value, [NSNull null] ];
  NSArray *codes = @[ @"notConfigured", @"noSignIn", @"refused", @"notVerified", @"unreachable" ];
  NSUInteger place = (NSUInteger)error.code - 1;
  NSMutableDictionary *failure = [NSMutableDictionary dictionaryWithDictionary:error.userInfo];
  failure[@"code"] = place < codes.count ? codes[place] : @"unreachable";
  failure[@"message"] = error.localizedDescription;
  return @[ [NSNull null], failure ];
}

@implementation RingfenceDeviceIntelligence

RCT_EXPORT_MODULE()

+ (BOOL)requiresMainQueueSetup {
  return NO;
}

RCT_EXPORT_METHOD(setBaseURL : (NSString *)url) {
  DeviceIntelligenceSDK.shared.baseURL = [NSURL URLWithString:url];
  HeadlessAuthenticationSDK.shared.baseURL = [NSURL URLWithString:url];
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

RCT_EXPORT_METHOD(initializeSignIn : (NSString *)appId callback : (RCTResponseSenderBlock)callback) {
  [HeadlessAuthenticationSDK.shared initializeWithAppId:appId
                                             completion:^(BOOL success) {
                                               callback(@[ @(success) ]);
                                             }];
}

RCT_EXPORT_METHOD(startSignIn : (NSDictionary *)request callback : (RCTResponseSenderBlock)callback) {
  [HeadlessAuthenticationSDK.shared startWithRequest:request
                                          completion:^(NSDictionary *transaction, NSError *error) {
                                            callback(argumentsOf(transaction, error));
                                          }];
}

RCT_EXPORT_METHOD(resendSignIn : (nullable NSString *)transactionId callback : (RCTResponseSenderBlock)callback) {
  [HeadlessAuthenticationSDK.shared resendWithTransactionId:transactionId
                                                 completion:^(NSDictionary *transaction, NSError *error) {
                                                   callback(argumentsOf(transaction, error));
                                                 }];
}

RCT_EXPORT_METHOD(verifySignIn : (nullable NSString *)otp
                  code : (nullable NSString *)code
                  transactionId : (nullable NSString *)transactionId
                  callback : (RCTResponseSenderBlock)callback) {
  [HeadlessAuthenticationSDK.shared verifyWithOtp:otp
                                             code:code
                                    transactionId:transactionId
                                       completion:^(NSDictionary *user, NSError *error) {
                                         callback(argumentsOf(user, error));
                                       }];
}

RCT_EXPORT_METHOD(signInStatus : (nullable NSString *)transactionId callback : (RCTResponseSenderBlock)callback) {
  [HeadlessAuthenticationSDK.shared statusWithTransactionId:transactionId
                                                 completion:^(NSDictionary *status, NSError *error) {
                                                   callback(argumentsOf(status, error));
                                                 }];
}

RCT_EXPORT_METHOD(openNumberVerification : (NSString *)url callback : (RCTResponseSenderBlock)callback) {
  NSURL *parsed = [NSURL URLWithString:url];
  if (!parsed) {
    NSString *reason = @"the URL is not valid";
    callback(@[ [NSNull null], @{ @"code" : @"notVerified", @"message" : reason, @"reason" : reason } ]);
    return;
  }
  [HeadlessAuthenticationSDK.shared openNumberVerificationWithURL:parsed
                                                       completion:^(NSDictionary *returned, NSError *error) {
                                                         callback(argumentsOf(returned, error));
                                                       }];
}

@end
