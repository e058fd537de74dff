// How large is the volume with the app's files, and how much of it is free?

import Foundation
import RingfenceCore

let diskSpace = Probe("diskSpace") {
  guard let sizes = try? FileManager.default.attributesOfFileSystem(forPath: NSHomeDirectory()) else { return nil }
  return .withoutNil([
    "totalBytes": .whole((sizes[.systemSize] as? NSNumber)?.intValue),
    "availableBytes": .whole((sizes[.systemFreeSize] as? NSNumber)?.intValue),
  ])
}
