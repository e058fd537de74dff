// How does a person sign in with a code? Phone number, code, and a token for your backend.

import DeviceIntelligence
import HeadlessAuthentication
import UIKit

final class LoginViewController: UIViewController {
  private let field = UITextField()
  private let status = UILabel()
  private let signIn = HeadlessAuthenticationSDK.shared
  private var isCodeAsked = false

  override func viewDidLoad() {
    super.viewDidLoad()
    ask("Mobile number, digits only: 4915123456789", .telephoneNumber)
    let stack = UIStackView(arrangedSubviews: [
      field, button("Next", #selector(goOn)), button("Send it again", #selector(sendAgain)), status,
    ])
    stack.axis = .vertical
    stack.spacing = 16
    stack.frame = view.bounds.insetBy(dx: 24, dy: 160)
    view.addSubview(stack)
  }

  private func button(_ title: String, _ action: Selector) -> UIButton {
    let button = UIButton(type: .system)
    button.setTitle(title, for: [])
    button.addTarget(self, action: action, for: .touchUpInside)
    return button
  }

  private func ask(_ placeholder: String, _ type: UITextContentType) {
    field.text = ""
    field.placeholder = placeholder
    field.keyboardType = .numberPad
    field.textContentType = type
  }

  @objc private func goOn() {
    let typed = field.text ?? ""
    step { try await self.isCodeAsked ? self.verify(typed) : self.start(typed) }
  }

  @objc private func sendAgain() {
    step { _ = try await self.signIn.resend() }
  }

  /// Runs one step of the sign-in. Shows a failure, so that the person can try again.
  private func step(_ work: @escaping @MainActor () async throws -> Void) {
    status.text = nil
    Task {
      do {
        try await work()
      } catch {
        status.text = error.localizedDescription
      }
    }
  }

  private func start(_ number: String) async throws {
    await AppDelegate.getReady()
    _ = try await signIn.start(
      SignInRequest(
        channel: .otp, identity: .mobile(number), deviceFingerprintMode: .async,
        updateInfo: UpdateInfo(phoneInputType: .manual, userEventType: .login)))
    isCodeAsked = true
    ask("Digits of the message", .oneTimeCode)
  }

  private func verify(_ digits: String) async throws {
    let user = try await signIn.verify(otp: digits)
    let verified = try await Backend().logIn(user)
    status.text = "Signed in as \(verified.userId)"
  }
}
