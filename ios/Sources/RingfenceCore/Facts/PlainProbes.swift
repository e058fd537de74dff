// Which facts does every sign-in send? Language and time zone.

import Foundation

/// Sent by every sign-in for `deviceInfo`, and by device intelligence. Language and region settings
/// only.
public let plainProbes: [Probe] = [
  Probe("language") { .words(Locale.preferredLanguages.first) },
  Probe("languages") { Locale.preferredLanguages.isEmpty ? nil : .words(Array(Locale.preferredLanguages.prefix(64))) },
  Probe("locale") { .string(Locale.current.identifier) },
  Probe("timezone") { .string(TimeZone.current.identifier) },
  // As in browsers: minutes, positive west of UTC.
  Probe("timezoneOffset") { .int(Int64(-TimeZone.current.secondsFromGMT() / 60)) },
]
