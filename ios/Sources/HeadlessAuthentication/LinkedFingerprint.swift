// Is device intelligence linked into this app? An app may link only one of the two products.

import Foundation
import RingfenceCore

@Sendable func linkedFingerprint() -> IntelligenceClient? {
  let linked = NSClassFromString("DeviceIntelligence.DeviceIntelligenceSDK") as? FingerprintSource.Type
  return linked?.source.client
}
