// How much memory has the device?

import Foundation
import RingfenceCore

let memory = Probe("memory") {
  .told(["totalBytes": .whole(Int(exactly: ProcessInfo.processInfo.physicalMemory))])
}
