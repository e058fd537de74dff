// developer.apple.com/documentation/cloudkit/ckcontainer
#pragma once
@import Foundation;
NONNULL_BEGIN
SENDABLE @interface CKRecordID : NSObject
@property(nonatomic, readonly, strong) NSString *recordName;
@end
SENDABLE @interface CKContainer : NSObject
+ (instancetype)containerWithIdentifier:(NSString *)identifier SWIFT_NAME(init(identifier:));
- (void)fetchUserRecordIDWithCompletionHandler:(void (^SENDABLE)(CKRecordID *_Nullable recordID, NSError *_Nullable error))completionHandler
    SWIFT_NAME(fetchUserRecordID(completionHandler:));
@end
NONNULL_END
