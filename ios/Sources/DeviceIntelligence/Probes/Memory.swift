// How much memory does the device have?

import Foundation
import RingfenceCore

let memory = Probe("memory") {
  .withoutNil(["totalBytes": .whole(Int(exactly: ProcessInfo.processInfo.physicalMemory))])
}
