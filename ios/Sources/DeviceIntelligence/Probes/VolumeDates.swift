// When were the app's folder and its volume created, in epoch seconds? An erase resets both.

import Foundation
import RingfenceCore

/// Only the app's own folders: Apple requires a reason for reading file dates, and has none that
/// covers other folders.
let volumeDates = Probe("volumeDates") {
  let home = NSHomeDirectory()
  let folder = (try? FileManager.default.attributesOfItem(atPath: home))?[.creationDate] as? Date
  let dates: [String: JSON?] = ["home": epochSeconds(folder), "volume": epochSeconds(volumeCreated(home))]
  let known = dates.compactMapValues { $0 }
  return known.isEmpty ? nil : .object(known)
}

private func volumeCreated(_ path: String) -> Date? {
  #if os(iOS) && !targetEnvironment(macCatalyst)
    return (try? URL(fileURLWithPath: path).resourceValues(forKeys: [.volumeCreationDateKey]))?.volumeCreationDate
  #else
    return nil
  #endif
}

private func epochSeconds(_ date: Date?) -> JSON? {
  date.map { .int(Int64($0.timeIntervalSince1970)) }
}
