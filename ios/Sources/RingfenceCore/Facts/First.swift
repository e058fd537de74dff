// Which of two came first?

import Foundation

/// The first answer counts, later ones do not.
final class First<Value: Sendable>: @unchecked Sendable {
  private let lock = Lock()
  private var answered: Value??
  private var waiting: CheckedContinuation<Value?, Never>?

  func answer(_ value: Value?) {
    let waited: CheckedContinuation<Value?, Never>? = lock.doing {
      guard answered == nil else { return nil }
      answered = .some(value)
      defer { waiting = nil }
      return waiting
    }
    waited?.resume(returning: value)
  }

  func value() async -> Value? {
    await withCheckedContinuation { continuation in
      let known: Value?? = lock.doing {
        if answered == nil { waiting = continuation }
        return answered
      }
      if let known = known { continuation.resume(returning: known) }
    }
  }
}
