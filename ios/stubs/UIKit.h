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
typedef ENUM(NSInteger, UISceneActivationState) {
  UISceneActivationStateUnattached = -1, UISceneActivationStateForegroundActive
} SWIFT_NAME(UIScene.ActivationState);
MAIN_ACTOR @interface UIScene : NSObject
@property(nonatomic, readonly) UISceneActivationState activationState;
@end
MAIN_ACTOR @interface UIWindowScene : UIScene
@property(nonatomic, readonly) UIScreen *screen;
@property(nonatomic, readonly) UITraitCollection *traitCollection;
@end
MAIN_ACTOR @interface UISceneSession : NSObject
@end
MAIN_ACTOR SWIFT_NAME(UIScene.ConnectionOptions) @interface UISceneConnectionOptions : NSObject
@end
typedef NSString *UIApplicationLaunchOptionsKey __attribute__((swift_newtype(struct)))
SWIFT_NAME(UIApplication.LaunchOptionsKey);
MAIN_ACTOR @interface UIResponder : NSObject
@end
MAIN_ACTOR @interface UIApplication : UIResponder
@property(class, nonatomic, readonly) UIApplication *sharedApplication SWIFT_NAME(shared);
@property(nonatomic, readonly) NSSet<UIScene *> *connectedScenes;
@end
@class UIWindow;
MAIN_ACTOR @protocol UIApplicationDelegate <NSObject>
@optional
- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(nullable NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions;
@end
MAIN_ACTOR @protocol UISceneDelegate <NSObject>
@optional
- (void)scene:(UIScene *)scene
    willConnectToSession:(UISceneSession *)session
                 options:(UISceneConnectionOptions *)connectionOptions;
@end
MAIN_ACTOR @protocol UIWindowSceneDelegate <UISceneDelegate>
@optional
@property(nullable, nonatomic, strong) UIWindow *window;
@end
MAIN_ACTOR @interface UIView : UIResponder
- (instancetype)initWithFrame:(CGRect)frame;
@property(nonatomic) CGRect frame;
@property(nonatomic) CGRect bounds;
- (void)addSubview:(UIView *)view;
@end
MAIN_ACTOR @interface UIViewController : UIResponder
- (instancetype)init;
@property(null_resettable, nonatomic, strong) UIView *view;
- (void)viewDidLoad;
@end
MAIN_ACTOR @interface UIWindow : UIView
- (instancetype)initWithWindowScene:(UIWindowScene *)windowScene;
@property(nullable, nonatomic, strong) UIViewController *rootViewController;
- (void)makeKeyAndVisible;
@end
MAIN_ACTOR @interface UILabel : UIView
@property(nullable, nonatomic, copy) NSString *text;
@end
typedef ENUM(NSInteger, UIKeyboardType) { UIKeyboardTypeDefault, UIKeyboardTypeNumberPad = 4 };
typedef NSString *UITextContentType __attribute__((swift_newtype(struct)));
extern UITextContentType const UITextContentTypeOneTimeCode SWIFT_NAME(UITextContentType.oneTimeCode);
extern UITextContentType const UITextContentTypeTelephoneNumber SWIFT_NAME(UITextContentType.telephoneNumber);
typedef OPTIONS(NSUInteger, UIControlEvents) { UIControlEventTouchUpInside = 1 << 6 } SWIFT_NAME(UIControl.Event);
typedef OPTIONS(NSUInteger, UIControlState) { UIControlStateNormal = 0 } SWIFT_NAME(UIControl.State);
MAIN_ACTOR @interface UIControl : UIView
- (void)addTarget:(nullable id)target action:(SEL)action forControlEvents:(UIControlEvents)events
    SWIFT_NAME(addTarget(_:action:for:));
@end
MAIN_ACTOR @interface UITextField : UIControl
@property(nullable, nonatomic, copy) NSString *text;
@property(nullable, nonatomic, copy) NSString *placeholder;
@property(nonatomic) UIKeyboardType keyboardType;
@property(null_unspecified, nonatomic, copy) UITextContentType textContentType;
@end
typedef ENUM(NSInteger, UIButtonType) { UIButtonTypeCustom, UIButtonTypeSystem } SWIFT_NAME(UIButton.ButtonType);
MAIN_ACTOR @interface UIButton : UIControl
+ (instancetype)buttonWithType:(UIButtonType)type SWIFT_NAME(init(type:));
- (void)setTitle:(nullable NSString *)title forState:(UIControlState)state SWIFT_NAME(setTitle(_:for:));
@end
typedef ENUM(NSInteger, UILayoutConstraintAxis) {
  UILayoutConstraintAxisHorizontal, UILayoutConstraintAxisVertical
} SWIFT_NAME(NSLayoutConstraint.Axis);
MAIN_ACTOR @interface NSLayoutConstraint : NSObject
@end
MAIN_ACTOR @interface UIStackView : UIView
- (instancetype)initWithArrangedSubviews:(NSArray<UIView *> *)views;
@property(nonatomic) UILayoutConstraintAxis axis;
@property(nonatomic) double spacing;
@end
NONNULL_END
