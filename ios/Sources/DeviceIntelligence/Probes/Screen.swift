// How large is the screen?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import RingfenceCore
  import UIKit

  let screen = Probe("screen") {
    await MainActor.run {
      let screen = currentScreen()
      return .withoutNil([
        "width": .whole(Int(screen.bounds.size.width)),
        "height": .whole(Int(screen.bounds.size.height)),
        "nativeWidth": .whole(Int(screen.nativeBounds.size.width)),
        "nativeHeight": .whole(Int(screen.nativeBounds.size.height)),
        "framesPerSecond": .whole(screen.maximumFramesPerSecond),
      ])
    }
  }
#endif
