// Which facts does Foundation tell, on every platform?

import Foundation

/// Language, time zone, memory and times; no system framework is asked.
public let foundationProbes: [Probe] =
  plainProbes + [
    Probe("memory") { .told(["totalBytes": .whole(Int(exactly: ProcessInfo.processInfo.physicalMemory))]) },
    Probe("bootTime") {
      .int(Int64(Date().timeIntervalSince1970 - ProcessInfo.processInfo.systemUptime))
    },
    Probe("diskSpace") { diskSpace() },
    Probe("volumeDates") { volumeDates() },
  ]

/// What a sign-in sends for `deviceInfo`: nothing that is not in every locale's settings.
public let plainProbes: [Probe] = [
  Probe("language") { .words(Locale.preferredLanguages.first) },
  Probe("languages") { Locale.preferredLanguages.isEmpty ? nil : .words(Array(Locale.preferredLanguages.prefix(64))) },
  Probe("locale") { .string(Locale.current.identifier) },
  Probe("timezone") { .string(TimeZone.current.identifier) },
  // As browsers tell it: minutes, and positive behind UTC.
  Probe("timezoneOffset") { .int(Int64(-TimeZone.current.secondsFromGMT() / 60)) },
]

/// Of the volume that the app's files are on.
private func diskSpace() -> JSON? {
  guard let sizes = try? FileManager.default.attributesOfFileSystem(forPath: NSHomeDirectory()) else { return nil }
  return .told([
    "totalBytes": .whole((sizes[.systemSize] as? NSNumber)?.intValue),
    "availableBytes": .whole((sizes[.systemFreeSize] as? NSNumber)?.intValue),
  ])
}

/// When the folders that an erase makes anew were made: epoch seconds.
private func volumeDates() -> JSON? {
  let folders = ["home": NSHomeDirectory(), "var": "/private/var", "mobile": "/private/var/mobile"]
  let dates = folders.compactMapValues { path -> JSON? in
    let made = (try? FileManager.default.attributesOfItem(atPath: path))?[.creationDate] as? Date
    return made.map { .int(Int64($0.timeIntervalSince1970)) }
  }
  return dates.isEmpty ? nil : .object(dates)
}
