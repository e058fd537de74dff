// Which ids does the SDK send?

import Foundation

/// Sent as `sdkVersion`.
public let sdkVersion = "1.2.0"

/// `<UUID>-<epoch seconds>` (specification 2.7, design: wire.md)
public func makeSdkId(_ clock: Clock) -> String {
  "\(UUID().uuidString.lowercased())-\(Int(clock.now().timeIntervalSince1970))"
}

/// `inId`: created at the first start, and stored until the app is deleted.
func installationId(_ surroundings: Surroundings) -> String {
  let name = "inId"
  if let known = surroundings.storage.text(name) { return known }
  let new = makeSdkId(surroundings.clock)
  surroundings.storage.store(new, as: name)
  return new
}
