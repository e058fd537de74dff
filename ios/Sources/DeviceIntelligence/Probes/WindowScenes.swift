// On which screen is the app?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import UIKit

  /// Empty in an app extension, which has no UIApplication, and before the first scene connects.
  @MainActor func windowScenes() -> [UIWindowScene] {
    guard !Bundle.main.bundlePath.hasSuffix(".appex") else { return [] }
    return UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
  }

  /// The screen of the scene in use. Without a scene, the main screen.
  @MainActor func currentScreen() -> UIScreen {
    let scenes = windowScenes()
    return (scenes.first { $0.activationState == .foregroundActive } ?? scenes.first)?.screen ?? UIScreen.main
  }
#endif
