// What does JavaScript call on iOS? The methods of src/NativeRingfenceDeviceIntelligence.ts.
#import <React/RCTBridgeModule.h>

@interface RingfenceDeviceIntelligence : NSObject <RCTBridgeModule>
- (void)setBaseURL:(nonnull NSString *)url;
- (void)isInitialized:(nonnull RCTResponseSenderBlock)callback;
- (void)initialize:(nonnull NSString *)appId callback:(nonnull RCTResponseSenderBlock)callback;
- (void)fetchIntelligence:(nullable NSDictionary *)params
               updateInfo:(nullable NSDictionary *)updateInfo
                 callback:(nonnull RCTResponseSenderBlock)callback;
@end
