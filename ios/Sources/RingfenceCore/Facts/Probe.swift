// How is a fact read? By a probe of the same name, unless the service has switched it off.

/// Reads one fact; nil if the device does not provide it.
public struct Probe: Sendable {
  /// The name of the fact in the contract (contract/src/facts/ios-facts.ts).
  public let name: String
  public let read: @Sendable () async -> JSON?

  public init(_ name: String, _ read: @escaping @Sendable () async -> JSON?) {
    self.name = name
    self.read = read
  }
}

/// A fact that takes longer is left out.
public let probeLimitMilliseconds = 2_000

/// Runs all probes in parallel and returns facts by name. Probes that are false in `collect` do not
/// run.
public func collectFacts(
  _ probes: [Probe], collect: [String: Bool], limitMilliseconds: Int = probeLimitMilliseconds
) async -> [String: JSON] {
  await withTaskGroup(of: (String, JSON?).self) { group in
    for probe in probes where collect[probe.name] != false {
      group.addTask { (probe.name, await within(limitMilliseconds, probe.read)) }
    }
    var facts: [String: JSON] = [:]
    for await (name, fact) in group { facts[name] = fact }
    return facts
  }
}

/// Returns the result of the work, or nil after the time limit. The work is not cancelled.
public func within<Value: Sendable>(
  _ milliseconds: Int, _ work: @escaping @Sendable () async -> Value?
) async -> Value? {
  let first = First<Value>()
  let late = Task {
    try? await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
    first.resolve(nil)
  }
  Task { first.resolve(await work()) }
  let value = await first.value()
  late.cancel()
  return value
}
