// Does somebody watch the screen? Recording, mirroring and casting look alike.

#if canImport(UIKit)
  import RingfenceCore
  import UIKit

  let screenCapture = Probe("screenCapture") {
    await MainActor.run {
      .told([
        "isCaptured": .bool(UIScreen.screens.contains { $0.isCaptured }),
        "isMirrored": .bool(UIScreen.screens.contains { $0.mirrored != nil }),
        "isSceneCaptured": .flag(isSceneCaptured()),
      ])
    }
  }

  @MainActor private func isSceneCaptured() -> Bool? {
    // An extension has no application.
    guard #available(iOS 17, *), !Bundle.main.bundlePath.hasSuffix(".appex") else { return nil }
    return UIApplication.shared.connectedScenes.contains {
      ($0 as? UIWindowScene)?.traitCollection.sceneCaptureState == .active
    }
  }
#endif
