// How does a person sign in by a code? A number, the digits of a message, and a token for the app's own backend.

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
    let next = UIButton(type: .system)
    next.setTitle("Next", for: [])
    next.addTarget(self, action: #selector(goOn), for: .touchUpInside)
    let stack = UIStackView(arrangedSubviews: [field, next, status])
    stack.axis = .vertical
    stack.spacing = 16
    stack.frame = view.bounds.insetBy(dx: 24, dy: 160)
    view.addSubview(stack)
  }

  private func ask(_ placeholder: String, _ type: UITextContentType) {
    field.text = ""
    field.placeholder = placeholder
    field.keyboardType = .numberPad
    field.textContentType = type
  }

  @objc private func goOn() {
    let typed = field.text ?? ""
    Task { await self.send(typed) }
  }

  private func send(_ typed: String) async {
    do {
      if isCodeAsked {
        let user = try await signIn.verify(otp: typed)
        // The backend exchanges it at /auth/v1/validate/token, where the device's verdicts come with it.
        status.text = "Signed in as \(user.userId). Send its token to your backend."
      } else {
        _ = try await signIn.start(
          SignInRequest(channel: .otp, identity: .mobile(typed), deviceFingerprintMode: .async))
        isCodeAsked = true
        ask("Digits of the message", .oneTimeCode)
        status.text = nil
      }
    } catch {
      status.text = (error as? SignInError)?.message ?? "\(error)"
    }
  }
}
