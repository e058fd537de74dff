// How large is the screen?

#if canImport(UIKit)
  import RingfenceCore
  import UIKit

  let screen = Probe("screen") {
    await MainActor.run {
      let (points, pixels) = (UIScreen.main.bounds.size, UIScreen.main.nativeBounds.size)
      return .withoutNil([
        "width": .whole(Int(points.width)),
        "height": .whole(Int(points.height)),
        "nativeWidth": .whole(Int(pixels.width)),
        "nativeHeight": .whole(Int(pixels.height)),
        "framesPerSecond": .whole(UIScreen.main.maximumFramesPerSecond),
      ])
    }
  }
#endif
