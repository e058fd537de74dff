// developer.apple.com/documentation/networkextension/nehotspotnetwork
#pragma once
@import Foundation;
NONNULL_BEGIN
IOS(9.0) @interface NEHotspotNetwork : NSObject
@property(readonly) NSString *SSID SWIFT_NAME(ssid);
@property(readonly) NSString *BSSID SWIFT_NAME(bssid);
+ (void)fetchCurrentWithCompletionHandler:(void (^SENDABLE)(NEHotspotNetwork *_Nullable currentNetwork))completionHandler
    SWIFT_NAME(fetchCurrent(completionHandler:)) IOS(14.0);
@end
NONNULL_END
