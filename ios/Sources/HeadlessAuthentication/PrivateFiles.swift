// Where are sign-ins stored while the person is in the browser? In files that no backup copies.

import Foundation
import RingfenceCore

/// One file for each value. What cannot be stored is lost with the process.
struct PrivateFiles: PersistentStorage {
  private let folder: URL

  init(_ folder: URL) {
    self.folder = folder
  }

  static var ofApp: PersistentStorage {
    let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    return support.map { PrivateFiles($0.appendingPathComponent("ringfence")) } ?? TemporaryStorage()
  }

  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
      .flatMap { String(data: $0, encoding: .utf8) }
  }

  func store(_ text: String?, as name: String) {
    let file = folder.appendingPathComponent(name)
    guard let text = text else {
      try? FileManager.default.removeItem(at: file)
      return
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      #if canImport(Darwin)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var excluded = folder
        try excluded.setResourceValues(values)
      #endif
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      NSLog("Ringfence: a sign-in is lost when the app is closed: %@", "\(error)")
    }
  }
}
