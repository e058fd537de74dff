package ringfence

import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.calls.UrlConnectionTransport
import ringfence.signin.Channel
import ringfence.signin.DeviceFingerprintMode
import ringfence.signin.HeadlessAuthentication
import ringfence.signin.Identity
import ringfence.signin.SignInError
import ringfence.signin.SignInLimits
import ringfence.signin.SignInRequest
import ringfence.signin.SignInStatus

class SignInTest {
  private val log = Log()

  private fun request(mode: DeviceFingerprintMode = DeviceFingerprintMode.NONE) =
    SignInRequest(Channel.OTP, Identity.mobile("4915123456789"), deviceFingerprintMode = mode)

  private fun intelligence(faults: Faults, isInitialized: Boolean = true): IntelligenceClient {
    val environment =
      Environment("com.example.shop", QuickClock(), UrlConnectionTransport(60_000), log = log)
    return if (isInitialized) initialized(faults, environment) else IntelligenceClient(environment)
  }

  private fun signIn(faults: Faults, client: IntelligenceClient?, limits: SignInLimits = limits()) =
    signIn(faults.url, log = log, limits = limits, intelligence = client)

  private fun verified(signIn: HeadlessAuthentication) =
    blocking { signIn.verify(otp = "123456") }.getOrThrow()

  @Test
  fun `4_7 rule 5 - the real service signs a person in, and a SYNC fingerprint belongs to the sign-in`() {
    val client = IntelligenceClient(Environment(started("PACKAGE_NAME"), log = Log()))
    assertTrue(blocking { client.initialize(started("APP_ID"), started("URL")) })
    val signIn = HeadlessAuthentication(Environment(started("PACKAGE_NAME"), log = Log()), client)
    assertTrue(blocking { signIn.initialize(started("APP_ID"), started("URL")) })
    val modes =
      mapOf(
        "4915123457701" to DeviceFingerprintMode.SYNC,
        "4915123457702" to DeviceFingerprintMode.NONE,
      )
    for ((number, mode) in modes) {
      val request =
        SignInRequest(Channel.OTP, Identity.mobile(number), "SMS", deviceFingerprintMode = mode)
      assertEquals("OTP", signIn.started(request).channel)
      val wrong = signInError<SignInError.Refused> { signIn.verify(otp = "000000") }
      assertEquals(400, wrong.status)
      assertNotNull(wrong.errorCode)
      val user = blocking { signIn.verify(otp = otpSentTo(number)) }.getOrThrow()
      assertTrue(user.token.isNotEmpty())
      assertEquals(
        mode == DeviceFingerprintMode.SYNC,
        user.dfrId != null,
        "the dfrId of this sign-in",
      )
      assertNotNull(user.fields["identities"])
      assertNotNull(
        user.fields["deviceInfo", "timezoneOffset"],
        "the service reads the facts of Android",
      )
    }
  }

  @Test
  fun `a sign-in sends no fact that the service switched off`() {
    val switches = mapOf("collect" to mapOf("language" to false, "timezone" to false))
    val faults = Faults.planned("device-fingerprint/config" to listOf(switches))
    val signIn = signIn(faults, client = null)
    signIn.started(request())
    verified(signIn)
    for (call in listOf("auth/start", "auth/verify")) {
      val facts = faults.calls(call).single().body["facts"].members()
      assertNull(facts["language"], call)
      assertNull(facts["timezone"], call)
      assertNotNull(facts["timezoneOffset"], call)
    }
  }

  @Test
  fun `4_7 rule 5 - NONE takes no fingerprint`() {
    val faults = Faults.planned()
    val signIn = signIn(faults, intelligence(faults))
    signIn.started(request())
    verified(signIn)
    val names = faults.calls().map { it.name }
    assertEquals(
      listOf("device-fingerprint/config", "auth/start", "auth/verify"),
      names,
      "one session for both",
    )
    val start = faults.calls("auth/start").first()
    assertEquals("NONE", start.body["deviceFingerprintMode"])
    assertNotNull(start.body["facts", "timezone"])
    assertEquals(emptyList<String>(), log.lines)
  }

  @Test
  fun `4_7 rule 5 - SYNC takes the fingerprint before the request, in the same session`() {
    val faults = Faults.planned()
    signIn(faults, intelligence(faults)).started(request(DeviceFingerprintMode.SYNC))
    val calls = faults.calls()
    val names =
      listOf("device-fingerprint/config", "intelligence", "device-fingerprint", "auth/start")
    assertEquals(names, calls.map { it.name })
    assertTrue((calls.last().body["dfrId"] as String).startsWith("dfr-of-"))
    assertEquals(1, calls.drop(1).map { it.headers["authorization"] }.toSet().size)
  }

  private fun isWaitingForFingerprint(): Boolean =
    Thread.getAllStackTraces().values.any { stack ->
      stack.any { it.className == "ringfence.signin.SignIns" && it.methodName == "bodyOf" } &&
        stack.any {
          it.className == "java.util.concurrent.FutureTask" && it.methodName == "awaitDone"
        }
    }

  @Test
  fun `4_7 rule 5 - ASYNC takes the fingerprint in parallel, and the request does not wait`() {
    val faults = Faults.planned("intelligence" to listOf("held"))
    val signIn = signIn(faults, intelligence(faults))
    signIn.started(request(DeviceFingerprintMode.ASYNC))
    assertNull(faults.calls("auth/start").first().body["dfrId"])
    faults.waitForCall("intelligence")
    val verifying = CompletableFuture.supplyAsync { verified(signIn) }
    until { isWaitingForFingerprint() } // which is still in flight
    faults.release()
    verifying.get(60, TimeUnit.SECONDS)
    assertTrue((faults.calls("auth/verify").first().body["dfrId"] as String).startsWith("dfr-of-"))
  }

  @Test
  fun `4_7 rule 5 - ASYNC sends the dfrId with each status too`() {
    val faults = Faults.planned("intelligence" to listOf("slow"))
    val signIn = signIn(faults, intelligence(faults))
    val request = SignInRequest(Channel.MAGIC_LINK, Identity.email("ada@shop.example"))
    request.deviceFingerprintMode = DeviceFingerprintMode.ASYNC
    signIn.started(request)
    repeat(2) { blocking { signIn.status() }.getOrThrow() }
    val sent = faults.calls("auth/status").map { (it.body["dfrId"] as String).take(7) }
    assertEquals(listOf("dfr-of-", "dfr-of-"), sent)
  }

  @Test
  fun `4_7 rule 5 - ASYNC waits only a moment for a fingerprint that hangs`() {
    val faults = Faults.planned("intelligence" to List(4) { "hangs" })
    val signIn = signIn(faults, intelligence(faults), limits(lateFingerprint = 100))
    signIn.started(request(DeviceFingerprintMode.ASYNC))
    faults.waitForCall("intelligence")
    assertEquals("user-token", verified(signIn).token)
    assertNull(faults.calls("auth/verify").first().body["dfrId"])
    assertEquals(1, faults.calls("intelligence").size, "its first attempt is still in flight")
  }

  @Test
  fun `4_7 rule 5 - a missing, failed or slow fingerprint logs one warning, and the person signs in without dfrId`() {
    val hangs = "intelligence" to List(4) { "hangs" }
    val plans =
      listOf(
        "not linked" to emptyArray(),
        "not initialised" to emptyArray(),
        "The test asked for 404" to arrayOf("intelligence" to listOf(404)),
        "took longer than 200 ms" to arrayOf(hangs),
      )
    for (mode in listOf(DeviceFingerprintMode.SYNC, DeviceFingerprintMode.ASYNC)) {
      for ((reason, plan) in plans) {
        val faults = Faults.planned(*plan)
        val client =
          if (reason == "not linked") null else intelligence(faults, reason != "not initialised")
        val limit = if (reason.startsWith("took longer")) 200L else 60_000L
        val signIn = signIn(faults, client, limits(fingerprint = limit))
        val before = log.lines.size
        signIn.started(request(mode))
        if (mode == DeviceFingerprintMode.ASYNC) until { log.lines.size > before }
        assertEquals("user-token", verified(signIn).token)
        val lines = log.lines.drop(before)
        assertTrue(lines.size == 1 && lines.first().contains(reason), "$reason: $lines")
        for (name in listOf("auth/start", "auth/verify")) assertNull(
          faults.calls(name).first().body["dfrId"]
        )
      }
    }
  }

  @Test
  fun `a refused call is a SignInError, and the sign-in stays in progress`() {
    val faults =
      Faults.planned("auth/start" to listOf("html", "breaks"), "auth/verify" to listOf(401, 500))
    val signIn = signIn(faults, null)
    repeat(2) { signInError<SignInError.Unreachable> { signIn.start(request()) } }
    signInError<SignInError.NoSignIn> { signIn.verify(otp = "123456") }
    val transaction = signIn.started(request())
    assertEquals(500, signInError<SignInError.Refused> { signIn.verify(otp = "123456") }.status)
    val wrong = signInError<SignInError.Refused> { signIn.verify(otp = "1") }
    assertEquals(
      listOf<Any?>(400, "7203", "Request error: Wrong OTP", "request-of-http", null),
      listOf(wrong.status, wrong.errorCode, wrong.message, wrong.requestId, wrong.retryAfterSeconds),
    )
    assertEquals(SignInStatus.Status.PENDING, blocking { signIn.status() }.getOrThrow().status)
    assertEquals(transaction.transactionId, blocking { signIn.resend() }.getOrThrow().transactionId)
    assertEquals("u1", verified(signIn).userId)
    signInError<SignInError.NoSignIn> { signIn.resend() }
  }

  @Test
  fun `an unusable response is a SignInError, and start is not sent twice`() {
    for (fault in
      listOf<Any>("html", "list", "redirect", "huge", "deep", "breaks", "hangs", 404, 429, 500)) {
      val faults = Faults.planned("auth/start" to listOf(fault))
      val signIn = signIn(faults.url, transport = ImpatientTransport())
      signInError<SignInError> { signIn.start(request()) }
      assertEquals(1, faults.calls("auth/start").size, "$fault")
      signIn.started(request())
      assertEquals("user-token", verified(signIn).token)
    }
  }

  @Test
  fun `initialize returns false when the service refuses, and a sign-in tries again`() {
    val faults = Faults.planned("device-fingerprint/config" to listOf(404))
    val signIn =
      HeadlessAuthentication(Environment("com.example.shop", QuickClock(), log = log), null)
    assertFalse(blocking { signIn.initialize("rfa_test", "ringfence.example") })
    assertFalse(blocking { signIn.initialize("rfa_test", faults.url) })
    assertEquals(2, log.lines.size)
    assertTrue(log.lines.last().contains("The test asked for 404"), "${log.lines}")
    assertTrue(signIn.started(request()).transactionId.isNotEmpty())
  }

  @Test
  fun `every call before initialize is NotConfigured`() {
    val signIn = HeadlessAuthentication(Environment("com.example.shop", log = log), null)
    signInError<SignInError.NotConfigured> { signIn.start(request()) }
    signInError<SignInError.NotConfigured> { signIn.verify(otp = "123456") }
    signInError<SignInError.NotConfigured> { signIn.resend() }
    signInError<SignInError.NotConfigured> { signIn.status() }
  }

  @Test
  fun `7_4 - an initialize that the service refuses logs the requestId`() {
    val faults = Faults.planned("device-fingerprint/config" to listOf(404))
    val signIn = HeadlessAuthentication(Environment("com.example.shop", log = log), null)
    assertFalse(blocking { signIn.initialize("rfa_test", faults.url) })
    val line = "not initialised: The test asked for 404 (requestId request-of-fault)"
    assertEquals(listOf(line), log.lines)
  }
}
