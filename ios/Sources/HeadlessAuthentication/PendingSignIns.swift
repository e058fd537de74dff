// Which sign-ins are in progress in this process?

/// The last few sign-ins, in the order in which they were started.
struct PendingSignIns {
  struct SignIn: Equatable {
    let transactionId: String
    var dfrId: String?
  }

  private static let maxCount = 5
  private var signIns: [SignIn] = []

  /// The sign-in with this id, or without an id the last one. A sign-in that another process
  /// started has no dfrId.
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

  mutating func add(dfrId: String, to transactionId: String) {
    for index in signIns.indices where signIns[index].transactionId == transactionId { signIns[index].dfrId = dfrId }
  }

  mutating func forget(_ transactionId: String) {
    signIns.removeAll { $0.transactionId == transactionId }
  }
}
