// Does the app run in the iOS Simulator?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import Foundation
  import RingfenceCore

  let simulator = Probe("simulator") {
    let environment = ProcessInfo.processInfo.environment
    #if targetEnvironment(simulator)
      let isTarget = true
    #else
      let isTarget = false
    #endif
    let names = ["SIMULATOR_UDID", "SIMULATOR_DEVICE_NAME", "SIMULATOR_MODEL_IDENTIFIER"]
    return .object(["isTarget": .bool(isTarget), "hasEnvironment": .bool(names.contains { environment[$0] != nil })])
  }
#endif
