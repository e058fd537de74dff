package ringfence

import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Environment
import ringfence.core.mobiledata.ConnectedMobileData
import ringfence.core.mobiledata.MobileData
import ringfence.core.mobiledata.MobileDataException
import ringfence.core.mobiledata.NoMobileData
import ringfence.signin.Channel
import ringfence.signin.DeviceFingerprintMode
import ringfence.signin.HeadlessAuthentication
import ringfence.signin.Identity
import ringfence.signin.SignInError
import ringfence.signin.SignInRequest
import ringfence.signin.SignedInUser

class SilentSignInTest {
  private val log = Log()
  private val mobile = LoopbackMobileData()

  private fun real(mobileData: MobileData = mobile, limit: Long = 60_000) =
    signIn(
      started("URL"),
      started("APP_ID"),
      started("PACKAGE_NAME"),
      log,
      mobileData,
      limits(silent = limit),
    )

  private fun atFaults(faults: Faults, mobileData: MobileData) =
    signIn(faults.url, log = log, mobileData = mobileData)

  private fun silent(number: String) = SignInRequest(Channel.SILENT, Identity.mobile(number))

  private fun channelOf(user: SignedInUser): Any? =
    (validated(user.token)["identities"] as List<*>)[0].members()["channel"]

  private fun withOtp(signIn: HeadlessAuthentication, number: String) =
    blocking { signIn.verify(otp = otpSentTo(number)) }.getOrThrow()

  @Test
  fun `a phone on mobile data signs in without a message`() {
    val signIn = real()
    val transaction = signIn.started(silent("917020141826"))
    assertEquals("SILENT", transaction.channel)
    assertNull(transaction.silentError)
    assertEquals("SILENT_AUTH", channelOf(transaction.user!!))
    assertEquals(2, mobile.requests.size, "the operator, and the service that it redirects to")
    signInError<SignInError.NoSignIn> { signIn.verify(otp = "123456") }
    val second = signIn.started(silent("917020141826"))
    assertEquals(
      transaction.user?.userId,
      second.user?.userId,
      "the same person at the second visit",
    )
    assertEquals(emptyList<String>(), log.lines)
  }

  @Test
  fun `a phone that the network does not verify gets an OTP and the reason`() {
    val signIn = real()
    val reasons =
      mapOf(
        "917020140170" to "not_on_mobile_network",
        "917020140171" to "number_not_verified",
        "917020140172" to "not_on_mobile_network",
        "917020140173" to "access_denied",
        "917020140140" to null,
      )
    for ((number, reason) in reasons) {
      val transaction = signIn.started(silent(number))
      assertEquals("OTP", transaction.channel, number)
      assertEquals(reason, transaction.silentError, number)
      assertNull(transaction.user)
      assertEquals("OTP", channelOf(withOtp(signIn, number)))
    }
  }

  @Test
  fun `every failure on the way leads to an OTP`() {
    val plans =
      listOf(
        "no_mobile_data" to NoMobileData,
        "timeout" to hangingMobileData,
        "provider_failed" to ConnectedMobileData { url, _ -> url.openConnection() },
        "provider_failed" to PlannedMobileData { page("<!doctype html>") },
        "provider_failed" to PlannedMobileData { page("[1]") },
        "provider_failed" to PlannedMobileData { redirectTo(it) },
        "provider_failed" to PlannedMobileData { redirectTo("http://[") },
        "provider_failed" to PlannedMobileData { throw StackOverflowError(it) },
      )
    plans.forEachIndexed { index, (reason, mobileData) ->
      val signIn = real(mobileData, if (reason == "timeout") 100 else 60_000)
      val number = "91702014111$index"
      assertEquals(reason, signIn.started(silent(number)).silentError, "$index")
      assertTrue(withOtp(signIn, number).token.isNotEmpty())
    }
    assertTrue(log.lines.isNotEmpty())
    assertEquals(
      emptyList<String>(),
      log.lines.filter { it.contains("91702014") },
      "the log names no phone number",
    )
    val forged =
      real(PlannedMobileData { page("{\"ringfence_code\":\"forged\"}") })
        .started(silent("917020141130"))
    assertEquals("OTP", forged.channel, "the service refuses a code that it did not give")
    assertNotNull(forged.silentError)
  }

  @Test
  fun `only https is opened, and http only on this machine in tests`() {
    val opened = Log()
    val urls =
      listOf(
        "http://operator.example/",
        "http://127.0.0.1/",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://[::1]/",
        "https://[0:0:0:0:0:0:0:1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://0.0.0.0/",
        "https://127.1/",
        "https://2130706433/",
        "https://localhost./",
        "https://app.localhost/",
        "ftp://operator.example/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://",
        "/relative",
        "",
        "https://user:secret@operator.example/",
        "https://operator.example/" + "a".repeat(9_000),
        "https://a b/",
      )
    val mobileData = ConnectedMobileData { url, _ ->
      opened("$url")
      throw java.io.IOException()
    }
    for (url in urls) assertThrows(
      MobileDataException::class.java,
      { mobileData.get(url, 1_000) },
      url,
    )
    assertEquals(emptyList<String>(), opened.lines)
    assertThrows(MobileDataException::class.java) {
      mobileData.get("https://operator.example/", 1_000)
    }
    assertEquals(listOf("https://operator.example/"), opened.lines)
  }

  private fun offering(hasFallback: Boolean, vararg plan: Pair<String, List<Any>>): Faults {
    val answer =
      mapOf(
        "channel" to "SILENT",
        "method" to "SILENT_AUTH",
        "authorizationUrl" to "https://operator.example/",
      )
    val start = if (hasFallback) answer + ("fallback" to "OTP") else answer
    return Faults.planned("auth/start" to listOf(start), *plan)
  }

  @Test
  fun `without a fallback the app learns why, and no OTP is started`() {
    val faults = offering(hasFallback = false)
    val signIn = atFaults(faults, NoMobileData)
    val error = signInError<SignInError.NotVerified> { signIn.start(silent("4915123456789")) }
    assertEquals("no_mobile_data", error.reason)
    assertEquals("The phone was not verified: no_mobile_data", error.message)
    assertEquals(listOf<Any?>("SILENT"), faults.calls("auth/start").map { it.body["channel"] })
    signInError<SignInError.NoSignIn> { signIn.verify(otp = "123456") }
  }

  @Test
  fun `a verify that fails leads to an OTP of the same request`() {
    for ((fault, reason) in
      listOf(500 to "refused", "breaks" to "unreachable", "html" to "unreachable")) {
      val faults = offering(hasFallback = true, "auth/verify" to listOf(fault))
      val signIn = atFaults(faults, PlannedMobileData { page("{\"ringfence_code\":\"c\"}") })
      assertEquals(reason, signIn.started(silent("4915123456789")).silentError)
      assertEquals("c", faults.calls("auth/verify").first().body["code"])
      val starts = faults.calls("auth/start").map { it.body }
      assertEquals(listOf<Any?>("SILENT", "OTP"), starts.map { it["channel"] })
      assertEquals(starts.first()["identity"], starts.last()["identity"])
      assertEquals("user-token", blocking { signIn.verify(otp = "123456") }.getOrThrow().token)
    }
  }

  /** Starts a sign-in, and cancels its coroutine once `isStarted`. The coroutine ends at once. */
  private fun cancelled(
    signIn: HeadlessAuthentication,
    request: SignInRequest,
    isStarted: () -> Unit,
  ) = runBlocking {
    val job = launch(Dispatchers.IO) { signIn.start(request) }
    withContext(Dispatchers.IO) { isStarted() }
    withTimeout(30_000) { job.cancelAndJoin() }
  }

  @Test
  fun `a SILENT sign-in whose coroutine is cancelled sends no message in its place`() {
    val faults = offering(hasFallback = true)
    val opened = CountDownLatch(1)
    val answers = CountDownLatch(1)
    val ended = CountDownLatch(1)
    val mobileData = PlannedMobileData {
      opened.countDown()
      answers.await()
      ended.countDown()
      page("<!doctype html>")
    }
    cancelled(atFaults(faults, mobileData), silent("4915123456789")) { opened.await() }
    answers.countDown()
    ended.await()
    untilNoSignInRuns() // the message has come now
    assertEquals(listOf<Any?>("SILENT"), faults.calls("auth/start").map { it.body["channel"] })
  }

  @Test
  fun `a sign-in whose coroutine is cancelled while its fingerprint is taken sends no message`() {
    val faults = Faults.planned("intelligence" to List(4) { "hangs" })
    val client = initialized(faults, Environment("com.example.shop", QuickClock(), log = log))
    val app =
      signIn(faults.url, log = log, limits = limits(fingerprint = 1_000), intelligence = client)
    val request =
      SignInRequest(
        Channel.OTP,
        Identity.mobile("4915123456789"),
        deviceFingerprintMode = DeviceFingerprintMode.SYNC,
      )
    cancelled(app, request) { faults.waitForCall("intelligence") }
    untilNoSignInRuns()
    assertEquals(emptyList<Call>(), faults.calls("auth/start"))
  }

  @Test
  fun `with a redirectUrl the app itself opens the URL`() {
    val untouched = PlannedMobileData { page("{}") }
    val request = silent("4915123456789").also { it.redirectUrl = "com.example.shop://signed-in" }
    val transaction = atFaults(offering(hasFallback = true), untouched).started(request)
    assertEquals("https://operator.example/", transaction.authorizationUrl)
    assertNull(transaction.user)
    assertEquals(emptyList<String>(), untouched.requests)
  }

  @Test
  fun `a backend learns whether the phone has the number`() {
    val signIn = real()
    fun begin(number: String) = outside("begin-verification", mapOf("number" to number))
    for ((number, verified) in mapOf("917020141826" to true, "917020140171" to false)) {
      val begun = begin(number)
      val before = mobile.requests.size
      val returned = blocking { signIn.openNumberVerification(begun["url"] as String) }.getOrThrow()
      assertNull(returned.error)
      assertEquals(1, mobile.requests.size - before, "the redirect URI is not opened")
      val answer =
        mapOf(
          "id" to begun["verificationId"] as String,
          "state" to returned.state!!,
          "code" to returned.code!!,
        )
      assertEquals(verified, outside("complete-verification", answer)["verified"])
    }
    val onWifi =
      blocking { signIn.openNumberVerification(begin("917020140170")["url"] as String) }
        .getOrThrow()
    assertEquals(listOf(null, "login_required"), listOf(onWifi.code, onWifi.error))
    assertNotNull(onWifi.state)
  }

  @Test
  fun `a Number Verification that does not reach the redirect URI is an error`() {
    val url = "https://operator.example/?redirect_uri=https%3A%2F%2Fshop.example%2Fback"
    val plans =
      listOf(
        "no_mobile_data" to NoMobileData,
        "provider_failed" to PlannedMobileData { page("no redirect") },
        "provider_failed" to PlannedMobileData { redirectTo("https://other.example/back?code=c") },
        "timeout" to hangingMobileData,
      )
    for ((reason, mobileData) in plans) {
      val environment = Environment("com.example.shop", mobileData = mobileData, log = log)
      val signIn =
        HeadlessAuthentication(
          lazyOf(environment),
          null,
          limits(silent = if (reason == "timeout") 100 else 60_000),
        )
      assertEquals(
        reason,
        signInError<SignInError.NotVerified> { signIn.openNumberVerification(url) }.reason,
      )
    }
    signInError<SignInError.NotVerified> {
      real().openNumberVerification("https://operator.example/")
    }
  }
}
