// The part of developer.apple.com/documentation/foundation that the SDK uses; overlay/Foundation.swift has the Swift part.
#pragma once
@import ObjectiveC;
NONNULL_BEGIN
typedef double NSTimeInterval;
@class NSData, NSDate, NSURL, NSNumber;
@protocol NSCopying
@end
@protocol NSLocking
- (void)lock;
- (void)unlock;
@end
BRIDGED(Swift.String) @interface NSString : NSObject <NSCopying>
@property(readonly) NSUInteger length;
@end
@interface NSNumber : NSObject <NSCopying>
+ (NSNumber *)numberWithBool:(BOOL)value;
- (instancetype)initWithLongLong:(long long)value SWIFT_NAME(init(value:));
- (instancetype)initWithUnsignedLongLong:(unsigned long long)value SWIFT_NAME(init(value:));
@property(readonly) NSInteger integerValue SWIFT_NAME(intValue);
@end
@interface NSNull : NSObject <NSCopying>
+ (NSNull *)null;
@end
BRIDGED(Swift.Array) @interface NSArray<Element> : NSObject
+ (instancetype)arrayWithObjects:(const Element _Nonnull[_Nullable])objects count:(NSUInteger)count;
@property(readonly) NSUInteger count;
- (Element)objectAtIndexedSubscript:(NSUInteger)index;
@end
BRIDGED(Swift.Set) @interface NSSet<Element> : NSObject
@end
BRIDGED(Swift.Dictionary) @interface NSDictionary<Key, Value> : NSObject
+ (instancetype)dictionaryWithObjects:(const Value _Nonnull[_Nullable])objects
                              forKeys:(const id<NSCopying> _Nonnull[_Nullable])keys
                                count:(NSUInteger)count;
@end
@interface NSMutableDictionary<Key, Value> : NSDictionary<Key, Value>
+ (instancetype)dictionaryWithDictionary:(NSDictionary<Key, Value> *)dictionary;
- (void)setObject:(nullable Value)object forKeyedSubscript:(Key)key;
@end
@interface NSError : NSObject
@property(readonly) NSInteger code;
@property(readonly, copy) NSString *domain;
@property(readonly, copy) NSDictionary<NSString *, id> *userInfo;
@property(readonly, copy) NSString *localizedDescription;
@end
BRIDGED(Foundation.UUID) @interface NSUUID : NSObject
@end
BRIDGED(Foundation.Data) @interface NSData : NSObject
@end
BRIDGED(Foundation.Date) @interface NSDate : NSObject
@end
BRIDGED(Foundation.URL) @interface NSURL : NSObject
+ (nullable instancetype)URLWithString:(NSString *)text;
@end
SENDABLE @interface NSLock : NSObject <NSLocking>
@end
SWIFT_NAME(Bundle) SENDABLE @interface NSBundle : NSObject
@property(class, readonly, strong) NSBundle *mainBundle SWIFT_NAME(main);
@property(nullable, readonly, copy) NSString *bundleIdentifier;
@property(readonly, copy) NSString *bundlePath;
- (nullable id)objectForInfoDictionaryKey:(NSString *)key;
- (nullable NSString *)pathForResource:(nullable NSString *)name ofType:(nullable NSString *)type SWIFT_NAME(path(forResource:ofType:));
@end
typedef struct { NSInteger majorVersion, minorVersion, patchVersion; } NSOperatingSystemVersion SWIFT_NAME(OperatingSystemVersion);
SWIFT_NAME(ProcessInfo) SENDABLE @interface NSProcessInfo : NSObject
@property(class, readonly, strong) NSProcessInfo *processInfo SWIFT_NAME(processInfo);
@property(readonly) unsigned long long physicalMemory;
@property(readonly) NSOperatingSystemVersion operatingSystemVersion;
@property(readonly, copy) NSDictionary<NSString *, NSString *> *environment;
@end
typedef NSString *NSFileAttributeKey __attribute__((swift_newtype(struct))) SWIFT_NAME(FileAttributeKey);
extern NSFileAttributeKey const NSFileSystemSize SWIFT_NAME(FileAttributeKey.systemSize);
extern NSFileAttributeKey const NSFileSystemFreeSize SWIFT_NAME(FileAttributeKey.systemFreeSize);
extern NSFileAttributeKey const NSFileCreationDate SWIFT_NAME(FileAttributeKey.creationDate);
SWIFT_NAME(FileManager) SENDABLE @interface NSFileManager : NSObject
@property(class, readonly, strong) NSFileManager *defaultManager SWIFT_NAME(default);
- (nullable NSDictionary<NSFileAttributeKey, id> *)attributesOfItemAtPath:(NSString *)path error:(NSError **)error;
- (nullable NSDictionary<NSFileAttributeKey, id> *)attributesOfFileSystemForPath:(NSString *)path error:(NSError **)error;
- (BOOL)fileExistsAtPath:(NSString *)path;
- (nullable NSData *)contentsAtPath:(NSString *)path;
@end
NSString *NSHomeDirectory(void);
Class _Nullable NSClassFromString(NSString *name);
SWIFT_NAME(UserDefaults) SENDABLE @interface NSUserDefaults : NSObject
@property(class, readonly, strong) NSUserDefaults *standardUserDefaults SWIFT_NAME(standard);
- (nullable NSString *)stringForKey:(NSString *)key SWIFT_NAME(string(forKey:));
- (void)setObject:(nullable id)value forKey:(NSString *)key SWIFT_NAME(set(_:forKey:));
@end
NONNULL_END
