// How is a fact read? By a probe of its name, unless the service has switched it off, and within a time.

/// Reads one fact; nil when the device does not tell it.
public struct Probe: Sendable {
  /// As the contract names the fact (contract/src/facts/ios-facts.ts).
  public let name: String
  public let read: @Sendable () async -> JSON?

  public init(_ name: String, _ read: @escaping @Sendable () async -> JSON?) {
    self.name = name
    self.read = read
  }
}

/// A probe that takes longer is left out.
public let probeLimitMilliseconds = 2_000

/// Facts by name, of all probes at once. `collect`: those that are false are not read.
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

/// Whichever is first: what the work answers, or nil when the time is over. The work is not waited for any longer.
public func within<Value: Sendable>(
  _ milliseconds: Int, _ work: @escaping @Sendable () async -> Value?
) async -> Value? {
  let first = First<Value>()
  let late = Task {
    try? await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
    first.answer(nil)
  }
  Task { first.answer(await work()) }
  let value = await first.value()
  late.cancel()
  return value
}
