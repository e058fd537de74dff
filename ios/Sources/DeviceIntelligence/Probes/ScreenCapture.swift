// Is the screen recorded, mirrored or cast? The system does not distinguish them.

#if os(iOS) && !targetEnvironment(macCatalyst)
  import RingfenceCore
  import UIKit

  /// A mirrored screen has no scene, so all screens are read.
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
    guard #available(iOS 17, *) else { return nil }
    let scenes = windowScenes()
    return scenes.isEmpty ? nil : scenes.contains { $0.traitCollection.sceneCaptureState == .active }
  }
#endif
