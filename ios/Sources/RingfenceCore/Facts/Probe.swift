// How is a fact read? By a probe of the same name, unless the service has switched it off.

/// Why a fact is missing.
public enum MissingFact: String, Sendable {
  /// The person or the system does not allow it.
  case refused
  /// The device does not provide it.
  case unavailable
  /// It took too long.
  case timedOut
}

/// The result of a probe.
public enum Reading: Sendable {
  case fact(JSON)
  case missing(MissingFact)
}

/// Reads one fact.
public struct Probe: Sendable {
  /// The name of the fact in the contract (contract/src/facts/ios-facts.ts).
  public let name: String
  public let read: @Sendable () async -> Reading

  public init(_ name: String, reading: @escaping @Sendable () async -> Reading) {
    self.name = name
    read = reading
  }

  /// nil: the device does not provide the fact.
  public init(_ name: String, _ read: @escaping @Sendable () async -> JSON?) {
    self.init(name, reading: { await read().map { .fact($0) } ?? .missing(.unavailable) })
  }
}

/// A fact that takes longer is left out.
public let probeLimitMilliseconds = 3_000

/// Facts by name, and why others are missing.
public struct Collected: Sendable, Equatable {
  public var facts: [String: JSON] = [:]
  public var missing: [String: MissingFact] = [:]

  /// Without what the service switched off since: it may have opened another session meanwhile.
  func without(_ collect: [String: Bool]) -> Collected {
    Collected(
      facts: facts.filter { collect[$0.key] != false }, missing: missing.filter { collect[$0.key] != false })
  }
}

/// Runs all probes in parallel. Probes that are false in `collect` do not run.
public func collectFacts(
  _ probes: [Probe], collect: [String: Bool], limitMilliseconds: Int = probeLimitMilliseconds
) async -> Collected {
  await collectFacts(probes, collect: collect) { _ in limitMilliseconds }
}

/// The same with a limit for each fact, by its name.
func collectFacts(
  _ probes: [Probe], collect: [String: Bool], limitOf: (String) -> Int
) async -> Collected {
  await withTaskGroup(of: (String, Reading).self) { group in
    for probe in probes where collect[probe.name] != false {
      let limit = limitOf(probe.name)
      group.addTask { (probe.name, await within(limit, probe.read) ?? .missing(.timedOut)) }
    }
    var collected = Collected()
    for await (name, reading) in group {
      switch reading {
      case .fact(let fact): collected.facts[name] = fact
      case .missing(let reason): collected.missing[name] = reason
      }
    }
    return collected
  }
}

/// Returns the result of the work, or nil after the time limit. The work is not cancelled.
public func within<Value: Sendable>(
  _ milliseconds: Int, _ work: @escaping @Sendable () async -> Value?
) async -> Value? {
  await within(milliseconds, work) { _, _ in }
}

/// The same. `ended` is called when the work has ended, before its result is returned; or late, and
/// then nobody gets the result.
func within<Value: Sendable>(
  _ milliseconds: Int, _ work: @escaping @Sendable () async -> Value?,
  ended: @escaping @Sendable (Value?, _ isLate: Bool) -> Void
) async -> Value? {
  let first = First<Value>()
  let late = Task {
    try? await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
    first.resolve(nil)
  }
  Task {
    let value = await work()
    first.resolve(value) { ended(value, $0) }
  }
  let value = await first.value()
  late.cancel()
  return value
}
