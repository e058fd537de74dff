// Where does the app start? Initialises both SDKs at launch, without blocking the user interface.

import DeviceIntelligence
import HeadlessAuthentication
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
  /// From `ringfence apps create --bundle-id …`; public. The URL of the service is RingfenceBaseURL in Info.plist.
  private static let appId = "rfa_1b2C3d4E5f6G7h8I9j0K1l2M3n4O"

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    Task { await Self.getReady() }
    return true
  }

  /// Again before each sign-in: at once after a success, and another attempt if the phone was offline at launch.
  static func getReady() async {
    // Device intelligence first, because the sign-in uses its session.
    _ = await DeviceIntelligenceSDK.shared.initialize(appId: appId)
    _ = await HeadlessAuthenticationSDK.shared.initialize(appId: appId)
  }
}

/// Its name is in the scene manifest that Xcode writes.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?

  func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
    guard let scene = scene as? UIWindowScene else { return }
    let window = UIWindow(windowScene: scene)
    window.rootViewController = LoginViewController()
    window.makeKeyAndVisible()
    self.window = window
  }
}
