// Does the guide compile? scripts/phones/android-guide.test.ts compares it with this file.
package ringfence

import android.content.Context
import ringfence.core.UpdateInfo
import ringfence.device.RingfenceDevice
import ringfence.signin.Channel
import ringfence.signin.DeviceFingerprintMode
import ringfence.signin.Identity
import ringfence.signin.SignInRequest

fun launch(context: Context) {
  // In onCreate of your Application. The lambda is called on a background thread.
  RingfenceDevice.initialize(context, appId = "rfa_…", baseUrl = "https://ringfence.example") {
    success ->
    if (!success) println("Logcat has the reason, under Ringfence")
  }
}

// When a person signs in, pays, changes something.
suspend fun dfrIdOfPayment(orderId: String): String? {
  val info = UpdateInfo(userId = "u-1001", userEventType = UpdateInfo.UserEventType.TRANSACTION)
  val intelligence = RingfenceDevice.fetchIntelligence(mapOf("orderId" to orderId), info)
  return intelligence.getOrNull()?.dfrId // Treat signals as advice: continue without them.
}

suspend fun signIn(context: Context, number: String, enterDigits: suspend () -> String): String? {
  val signIn = RingfenceDevice.headlessAuthentication(context) // keep it
  signIn.initialize(appId = "rfa_…", baseUrl = "https://ringfence.example")
  val request =
    SignInRequest(
      Channel.OTP,
      Identity.mobile(number),
      deviceFingerprintMode = DeviceFingerprintMode.SYNC,
    )
  val transaction = signIn.start(request).getOrNull() ?: return null
  return signIn.verify(enterDigits(), transactionId = transaction.transactionId).getOrNull()?.token
}
