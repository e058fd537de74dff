// Under which ids does the SDK call?

import Foundation

/// Sent as `sdkVersion`.
public let sdkVersion = "1.2.0"

/// `<UUID>-<epoch seconds>` (specification 2.7, design: wire.md)
public func makeSdkId(_ clock: Clock) -> String {
  "\(UUID().uuidString.lowercased())-\(Int(clock.now().timeIntervalSince1970))"
}

/// `inId`: made at the first start of this installation, and kept as long as the app is installed.
func installationId(_ surroundings: Surroundings) -> String {
  let name = "inId"
  if let known = surroundings.memory.text(name) { return known }
  let new = makeSdkId(surroundings.clock)
  surroundings.memory.keep(new, as: name)
  return new
}
