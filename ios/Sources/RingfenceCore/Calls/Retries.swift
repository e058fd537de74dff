// When is a call retried? (specification 4.7, rule 3)

/// Milliseconds between the four attempts.
private let waits = [500, 1_000, 2_000]

/// At most four attempts. A final refusal of the service is not retried.
func withRetries<Value: Sendable>(
  _ clock: Clock, _ attempt: @Sendable () async throws -> Value
) async throws -> Value {
  for milliseconds in waits {
    do {
      return try await attempt()
    } catch let error as ServiceError where error.isFinal {
      throw error
    } catch is ServiceError {
      try await clock.wait(milliseconds: milliseconds)
    }
  }
  return try await attempt()
}
