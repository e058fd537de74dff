// How does a person sign in with a code? Phone number, code, and a token for your backend.
package com.example.shop

import android.app.Activity
import android.os.Bundle
import android.text.InputType
import android.view.MotionEvent
import android.widget.Button
import android.widget.EditText
import android.widget.LinearLayout
import android.widget.TextView
import ringfence.core.UpdateInfo
import ringfence.device.RingfenceDevice
import ringfence.signin.Channel
import ringfence.signin.DeviceFingerprintMode
import ringfence.signin.Identity
import ringfence.signin.SignInRequest

private const val ASK_FOR_CODE = "Digits of the message"

class LoginActivity : Activity() {
  private val app by lazy { application as ShopApp }
  private val field by lazy { EditText(this).apply { inputType = InputType.TYPE_CLASS_NUMBER } }
  private val status by lazy { TextView(this) }
  private var transactionId: String? = null

  override fun onCreate(state: Bundle?) {
    super.onCreate(state)
    transactionId = state?.getString("transactionId")
    ask(if (transactionId == null) "Mobile number, digits only: 4915123456789" else ASK_FOR_CODE)
    val column = LinearLayout(this).apply { orientation = LinearLayout.VERTICAL }
    listOf(field, button("Next", ::goOn), button("Send it again", ::sendAgain), status)
      .forEach(column::addView)
    setContentView(column)
  }

  /** Android may end the process while the person reads the message. */
  override fun onSaveInstanceState(state: Bundle) {
    super.onSaveInstanceState(state)
    state.putString("transactionId", transactionId)
  }

  /** The report then says whether another app lies over this one. */
  override fun dispatchTouchEvent(event: MotionEvent): Boolean {
    RingfenceDevice.onTouch(event)
    return super.dispatchTouchEvent(event)
  }

  private fun button(title: String, action: () -> Unit) =
    Button(this).apply {
      text = title
      setOnClickListener { action() }
    }

  private fun ask(what: String) {
    field.setText("")
    field.hint = what
  }

  private fun goOn() {
    val typed = field.text.toString()
    if (transactionId != null) verify(typed) else start(typed)
  }

  private fun start(number: String) {
    val info =
      UpdateInfo(
        phoneInputType = UpdateInfo.PhoneInputType.MANUAL,
        userEventType = UpdateInfo.UserEventType.LOGIN,
      )
    val request =
      SignInRequest(
        Channel.OTP,
        Identity.mobile(number),
        deviceFingerprintMode = DeviceFingerprintMode.ASYNC,
        updateInfo = info,
      )
    app.getReady {
      app.signIn.start(request) { transaction, error ->
        show(error?.message) {
          transactionId = transaction?.transactionId
          if (transaction != null) ask(ASK_FOR_CODE)
        }
      }
    }
  }

  private fun sendAgain() {
    app.signIn.resend(transactionId) { _, error -> show(error?.message) {} }
  }

  private fun verify(digits: String) {
    app.signIn.verify(digits, null, transactionId) { user, error ->
      // Callbacks come on a background thread, so the call of the backend may block it.
      val answer = user?.let { runCatching { logIn(it) } }
      val failure = error?.message ?: answer?.exceptionOrNull()?.message
      show(failure ?: "Signed in as ${answer?.getOrNull()}") {}
    }
  }

  /** Shows a failure, so that the person can try again. */
  private fun show(text: String?, more: () -> Unit) = runOnUiThread {
    status.text = text.orEmpty()
    more()
  }
}
