// Which of two results came first?

import Foundation

/// The first value counts; later ones are ignored.
final class First<Value: Sendable>: @unchecked Sendable {
  private let lock = Lock()
  private var resolved: Value??
  private var waiting: CheckedContinuation<Value?, Never>?

  /// `deciding` learns whether the value came too late, before anyone gets the value.
  func resolve(_ value: Value?, deciding: (_ isLate: Bool) -> Void = { _ in }) {
    let waited: CheckedContinuation<Value?, Never>? = lock.withLock {
      deciding(resolved != nil)
      guard resolved == nil else { return nil }
      resolved = .some(value)
      defer { waiting = nil }
      return waiting
    }
    waited?.resume(returning: value)
  }

  func value() async -> Value? {
    await withCheckedContinuation { continuation in
      let known: Value?? = lock.withLock {
        if resolved == nil { waiting = continuation }
        return resolved
      }
      if let known = known { continuation.resume(returning: known) }
    }
  }
}
