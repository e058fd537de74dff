// developer.apple.com/documentation/devicecheck
#pragma once
@import Foundation;
NONNULL_BEGIN
SENDABLE IOS(11.0) @interface DCDevice : NSObject
@property(class, readonly) DCDevice *currentDevice SWIFT_NAME(current);
@property(readonly, getter=isSupported) BOOL supported SWIFT_NAME(isSupported);
- (void)generateTokenWithCompletionHandler:(void (^SENDABLE)(NSData *_Nullable token, NSError *_Nullable error))completion;
@end
SENDABLE IOS(14.0) @interface DCAppAttestService : NSObject
@property(class, readonly) DCAppAttestService *sharedService SWIFT_NAME(shared);
@property(readonly, getter=isSupported) BOOL supported SWIFT_NAME(isSupported);
- (void)generateKeyWithCompletionHandler:(void (^SENDABLE)(NSString *_Nullable keyId, NSError *_Nullable error))completionHandler;
- (void)attestKey:(NSString *)keyId
      clientDataHash:(NSData *)clientDataHash
   completionHandler:(void (^SENDABLE)(NSData *_Nullable attestationObject, NSError *_Nullable error))completionHandler
    SWIFT_NAME(attestKey(_:clientDataHash:completionHandler:));
- (void)generateAssertion:(NSString *)keyId
           clientDataHash:(NSData *)clientDataHash
        completionHandler:(void (^SENDABLE)(NSData *_Nullable assertionObject, NSError *_Nullable error))completionHandler
    SWIFT_NAME(generateAssertion(_:clientDataHash:completionHandler:));
@end
NONNULL_END
