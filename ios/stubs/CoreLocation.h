// developer.apple.com/documentation/corelocation
#pragma once
@import Foundation;
NONNULL_BEGIN
struct CLLocationCoordinate2D { double latitude; double longitude; };
typedef struct CLLocationCoordinate2D CLLocationCoordinate2D;
SENDABLE IOS(15.0) @interface CLLocationSourceInformation : NSObject
@property(nonatomic, readonly) BOOL isSimulatedBySoftware;
@property(nonatomic, readonly) BOOL isProducedByAccessory;
@end
SENDABLE @interface CLLocation : NSObject
@property(readonly, nonatomic) CLLocationCoordinate2D coordinate;
@property(readonly, nonatomic) double altitude;
@property(readonly, nonatomic) double horizontalAccuracy;
@property(readonly, nonatomic) double verticalAccuracy;
@property(readonly, nonatomic, copy) NSDate *timestamp;
@property(nonatomic, readonly, copy, nullable) CLLocationSourceInformation *sourceInformation IOS(15.0);
@end
typedef ENUM(int, CLAuthorizationStatus) {
  kCLAuthorizationStatusNotDetermined, kCLAuthorizationStatusRestricted, kCLAuthorizationStatusDenied,
  kCLAuthorizationStatusAuthorizedAlways SWIFT_NAME(authorizedAlways),
  kCLAuthorizationStatusAuthorizedWhenInUse SWIFT_NAME(authorizedWhenInUse)
};
@interface CLLocationManager : NSObject
- (void)requestWhenInUseAuthorization;
@property(nonatomic, readonly) CLAuthorizationStatus authorizationStatus IOS(14.0);
@property(readonly, nonatomic, copy, nullable) CLLocation *location;
@end
NONNULL_END
