@interface DeviceIntelligenceSDK : NSObject
- (nonnull instancetype)init;
@end
@interface DeviceIntelligenceSDK (SWIFT_EXTENSION(DeviceIntelligence))
SWIFT_CLASS_PROPERTY(@property (nonatomic, class, readonly, strong) DeviceIntelligenceSDK * _Nonnull shared;)
+ (DeviceIntelligenceSDK * _Nonnull)shared SWIFT_WARN_UNUSED_RESULT;
@property (nonatomic, copy) NSURL * _Nullable baseURL;
@property (nonatomic, readonly) BOOL isInitialized;
- (void)initializeWithAppId:(NSString * _Nonnull)appId completion:(void (^ _Nullable)(BOOL))completion;
- (void)fetchIntelligenceWithParams:(NSDictionary<NSString *, id> * _Nullable)params updateInfo:(NSDictionary<NSString *, id> * _Nullable)updateInfo completion:(void (^ _Nonnull)(BOOL, NSString * _Nullable, NSDictionary<NSString *, id> * _Nullable, NSString * _Nullable))completion;
@end
