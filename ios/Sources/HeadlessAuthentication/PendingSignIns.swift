// Which sign-ins are in progress in this process?

/// The last few sign-ins, in the order in which they were started.
struct PendingSignIns {
  struct SignIn: Equatable {
    let transactionId: String
    /// The dfrId of an ASYNC sign-in. nil if there was no fingerprint.
    var fingerprint: Task<String?, Never>?
  }

  private static let maxCount = 5
  private var signIns: [SignIn] = []

  /// The sign-in with this id, or without an id the last one. A sign-in that another process
  /// started has no fingerprint here: the service finds that of its session.
  func of(_ transactionId: String?) -> SignIn? {
    guard let transactionId = transactionId else { return signIns.last }
    return signIns.last { $0.transactionId == transactionId } ?? SignIn(transactionId: transactionId)
  }

  mutating func save(_ transactionId: String) {
    let known = signIns.last { $0.transactionId == transactionId }
    forget(transactionId)
    signIns.append(known ?? SignIn(transactionId: transactionId))
    signIns = Array(signIns.suffix(PendingSignIns.maxCount))
  }

  mutating func add(_ fingerprint: Task<String?, Never>, to transactionId: String) {
    for index in signIns.indices where signIns[index].transactionId == transactionId {
      signIns[index].fingerprint = fingerprint
    }
  }

  mutating func forget(_ transactionId: String) {
    signIns.removeAll { $0.transactionId == transactionId }
  }
}
