// The root of Objective-C: developer.apple.com/documentation/objectivec
#pragma once
#include "stub.h"
typedef _Bool BOOL;
#define YES __objc_yes
#define NO __objc_no
#define nil ((void *)0)
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef struct objc_selector *SEL;
@class NSString;
@protocol NSObject
- (BOOL)isEqual:(id _Nullable)object;
- (BOOL)respondsToSelector:(SEL _Nonnull)selector;
@property(readonly) NSUInteger hash;
@property(readonly, copy) NSString *_Nonnull description;
@end
__attribute__((objc_root_class)) @interface NSObject <NSObject>
- (instancetype _Nonnull)init;
+ (instancetype _Nonnull)alloc;
@end
Class _Nullable objc_lookUpClass(const char *_Nonnull name);
