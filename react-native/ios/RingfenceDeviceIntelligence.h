// What does JavaScript call on iOS? The methods of src/NativeRingfenceDeviceIntelligence.ts.
#import <React/RCTBridgeModule.h>

@interface RingfenceDeviceIntelligence : NSObject <RCTBridgeModule>
- (void)setBaseURL:(nonnull NSString *)url;
- (void)isInitialized:(nonnull RCTResponseSenderBlock)callback;
- (void)initialize:(nonnull NSString *)appId callback:(nonnull RCTResponseSenderBlock)callback;
- (void)fetchIntelligence:(nullable NSDictionary *)params
               updateInfo:(nullable NSDictionary *)updateInfo
                 callback:(nonnull RCTResponseSenderBlock)callback;
- (void)initializeSignIn:(nonnull NSString *)appId callback:(nonnull RCTResponseSenderBlock)callback;
- (void)startSignIn:(nonnull NSDictionary *)request callback:(nonnull RCTResponseSenderBlock)callback;
- (void)resendSignIn:(nullable NSString *)transactionId callback:(nonnull RCTResponseSenderBlock)callback;
- (void)verifySignIn:(nullable NSString *)otp
                code:(nullable NSString *)code
       transactionId:(nullable NSString *)transactionId
            callback:(nonnull RCTResponseSenderBlock)callback;
- (void)signInStatus:(nullable NSString *)transactionId callback:(nonnull RCTResponseSenderBlock)callback;
- (void)openNumberVerification:(nonnull NSString *)url callback:(nonnull RCTResponseSenderBlock)callback;
@end
