@interface HeadlessAuthenticationSDK : NSObject
- (nonnull instancetype)init SWIFT_UNAVAILABLE;
+ (nonnull instancetype)new SWIFT_UNAVAILABLE_MSG("-init is unavailable");
@end
@interface HeadlessAuthenticationSDK (SWIFT_EXTENSION(HeadlessAuthentication))
SWIFT_CLASS_PROPERTY(@property (nonatomic, class, readonly, strong) HeadlessAuthenticationSDK * _Nonnull shared;)
+ (HeadlessAuthenticationSDK * _Nonnull)shared SWIFT_WARN_UNUSED_RESULT;
@property (nonatomic, copy) NSURL * _Nullable baseURL;
- (void)initializeWithAppId:(NSString * _Nonnull)appId completion:(void (^ _Nullable)(BOOL))completion;
- (void)startWithRequest:(NSDictionary<NSString *, id> * _Nonnull)request completion:(void (^ _Nonnull)(NSDictionary<NSString *, id> * _Nullable, NSError * _Nullable))completion;
- (void)resendWithTransactionId:(NSString * _Nullable)transactionId completion:(void (^ _Nonnull)(NSDictionary<NSString *, id> * _Nullable, NSError * _Nullable))completion;
- (void)verifyWithOtp:(NSString * _Nullable)otp code:(NSString * _Nullable)code transactionId:(NSString * _Nullable)transactionId completion:(void (^ _Nonnull)(NSDictionary<NSString *, id> * _Nullable, NSError * _Nullable))completion;
- (void)statusWithTransactionId:(NSString * _Nullable)transactionId completion:(void (^ _Nonnull)(NSDictionary<NSString *, id> * _Nullable, NSError * _Nullable))completion;
- (void)openNumberVerificationWithURL:(NSURL * _Nonnull)url completion:(void (^ _Nonnull)(NSDictionary<NSString *, id> * _Nullable, NSError * _Nullable))completion;
@end
