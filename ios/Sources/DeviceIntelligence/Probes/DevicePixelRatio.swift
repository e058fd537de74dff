// How many pixels are in one point?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import RingfenceCore
  import UIKit

  let devicePixelRatio = Probe("devicePixelRatio") {
    .number(await MainActor.run { Double(currentScreen().scale) })
  }
#endif
