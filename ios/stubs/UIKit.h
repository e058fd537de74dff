// developer.apple.com/documentation/uikit
#pragma once
@import Foundation;
#include "CoreGraphics.h"
NONNULL_BEGIN
MAIN_ACTOR @interface UIScreen : NSObject
@property(class, nonatomic, readonly) UIScreen *mainScreen SWIFT_NAME(main);
@property(class, nonatomic, readonly) NSArray<UIScreen *> *screens;
@property(nonatomic, readonly) CGRect bounds;
@property(nonatomic, readonly) CGRect nativeBounds;
@property(nonatomic, readonly) double scale;
@property(nonatomic, readonly) NSInteger maximumFramesPerSecond;
@property(nonatomic, readonly, getter=isCaptured) BOOL captured IOS(11.0);
@property(nullable, nonatomic, readonly, strong) UIScreen *mirroredScreen SWIFT_NAME(mirrored);
@end
MAIN_ACTOR @interface UIDevice : NSObject
@property(class, nonatomic, readonly) UIDevice *currentDevice SWIFT_NAME(current);
@property(nonatomic, readonly, strong) NSString *systemName;
@property(nonatomic, readonly, strong) NSString *systemVersion;
@property(nonatomic, readonly, strong) NSString *model;
@property(nullable, nonatomic, readonly, strong) NSUUID *identifierForVendor;
@end
typedef ENUM(NSInteger, UISceneCaptureState) {
  UISceneCaptureStateUnspecified = -1, UISceneCaptureStateInactive, UISceneCaptureStateActive
} SWIFT_NAME(UISceneCaptureState) IOS(17.0);
MAIN_ACTOR @interface UITraitCollection : NSObject
@property(nonatomic, readonly) UISceneCaptureState sceneCaptureState IOS(17.0);
@end
MAIN_ACTOR @interface UIScene : NSObject
@end
MAIN_ACTOR @interface UIWindowScene : UIScene
@property(nonatomic, readonly) UIScreen *screen;
@property(nonatomic, readonly) UITraitCollection *traitCollection;
@end
MAIN_ACTOR @interface UIApplication : NSObject
@property(class, nonatomic, readonly) UIApplication *sharedApplication SWIFT_NAME(shared);
@property(nonatomic, readonly) NSArray<UIScene *> *connectedScenes;
@end
MAIN_ACTOR @interface UIResponder : NSObject
@end
MAIN_ACTOR @interface UIView : UIResponder
@property(nonatomic) BOOL isHidden SWIFT_NAME(isHidden);
@property(nonatomic) CGRect frame;
- (void)addSubview:(UIView *)view SWIFT_NAME(addSubview(_:));
@end
MAIN_ACTOR @interface UIViewController : UIResponder
- (instancetype)init;
@property(null_resettable, nonatomic, strong) UIView *view;
- (void)viewDidLoad;
@end
MAIN_ACTOR @interface UILabel : UIView
@property(nullable, nonatomic, copy) NSString *text;
@end
typedef ENUM(NSInteger, UIKeyboardType) { UIKeyboardTypeDefault, UIKeyboardTypePhonePad = 5, UIKeyboardTypeNumberPad = 4 };
typedef NSString *UITextContentType __attribute__((swift_newtype(struct)));
extern UITextContentType const UITextContentTypeOneTimeCode SWIFT_NAME(UITextContentType.oneTimeCode);
extern UITextContentType const UITextContentTypeTelephoneNumber SWIFT_NAME(UITextContentType.telephoneNumber);
MAIN_ACTOR @interface UITextField : UIView
@property(nullable, nonatomic, copy) NSString *text;
@property(nullable, nonatomic, copy) NSString *placeholder;
@property(nonatomic) UIKeyboardType keyboardType;
@property(null_unspecified, nonatomic, copy) UITextContentType textContentType;
@end
@interface UIAction : NSObject
+ (instancetype)actionWithHandler:(void (^ MAIN_ACTOR)(UIAction *action))handler SWIFT_NAME(init(handler:)) IOS(14.0);
@end
MAIN_ACTOR @interface UIButton : UIView
+ (instancetype)buttonWithTitle:(NSString *)title action:(UIAction *)action SWIFT_NAME(init(title:action:)) IOS(14.0);
@end
MAIN_ACTOR @interface UIStackView : UIView
- (instancetype)initWithArrangedSubviews:(NSArray<UIView *> *)views SWIFT_NAME(init(arrangedSubviews:));
@end
MAIN_ACTOR @interface UIWindow : UIView
@property(nullable, nonatomic, strong) UIViewController *rootViewController;
- (void)makeKeyAndVisible;
@end
NONNULL_END
