// Is the screen recorded, mirrored or cast? The system does not distinguish them.

#if canImport(UIKit)
  import RingfenceCore
  import UIKit

  let screenCapture = Probe("screenCapture") {
    await MainActor.run {
      .withoutNil([
        "isCaptured": .bool(UIScreen.screens.contains { $0.isCaptured }),
        "isMirrored": .bool(UIScreen.screens.contains { $0.mirrored != nil }),
        "isSceneCaptured": .flag(isSceneCaptured()),
      ])
    }
  }

  @MainActor private func isSceneCaptured() -> Bool? {
    // App extensions have no UIApplication.
    guard #available(iOS 17, *), !Bundle.main.bundlePath.hasSuffix(".appex") else { return nil }
    return UIApplication.shared.connectedScenes.contains {
      ($0 as? UIWindowScene)?.traitCollection.sceneCaptureState == .active
    }
  }
#endif
