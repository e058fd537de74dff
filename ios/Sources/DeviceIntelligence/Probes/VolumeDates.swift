// When was made what an erase makes anew? The app's own folder, and the volume that it is on: epoch seconds.

import Foundation
import RingfenceCore

/// Folders outside of the app's are not looked at: Apple wants a reason for their dates, and offers none that fits.
let volumeDates = Probe("volumeDates") {
  let home = NSHomeDirectory()
  let folder = (try? FileManager.default.attributesOfItem(atPath: home))?[.creationDate] as? Date
  let dates: [String: JSON?] = ["home": epochSeconds(folder), "volume": epochSeconds(volumeMade(home))]
  let told = dates.compactMapValues { $0 }
  return told.isEmpty ? nil : .object(told)
}

private func volumeMade(_ path: String) -> Date? {
  #if canImport(UIKit)
    return (try? URL(fileURLWithPath: path).resourceValues(forKeys: [.volumeCreationDateKey]))?.volumeCreationDate
  #else
    return nil
  #endif
}

private func epochSeconds(_ date: Date?) -> JSON? {
  date.map { .int(Int64($0.timeIntervalSince1970)) }
}
