package ringfence

import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test
import ringfence.core.calls.Caller
import ringfence.core.calls.Service
import ringfence.core.calls.ServiceException
import ringfence.core.calls.Session
import ringfence.core.calls.Sessions
import ringfence.core.calls.UrlConnectionTransport

class SessionTest {
  private fun sessions(faults: Faults) =
    Sessions(
      Caller("rfa_test", faults.url, "com.example.shop", "16"),
      Service(faults.url, UrlConnectionTransport()),
      QuickClock(),
    )

  private val unknown = ServiceException("The session is unknown", status = 401)

  @Test
  fun `concurrent calls open one session`() {
    val faults = Faults.planned("device-fingerprint/config" to listOf("held"))
    val sessions = sessions(faults)
    val calling = List(2) { CompletableFuture.supplyAsync { sessions.current() } }
    faults.waitForCall("device-fingerprint/config")
    faults.release()
    val both = calling.map { it.get() }
    assertEquals(1, both.toSet().size)
    assertEquals(1, faults.calls().size)
  }

  @Test
  fun `concurrent calls renew an expired session once, and both continue in the new one`() {
    val faults = Faults.planned()
    val sessions = sessions(faults)
    val expired = sessions.current()
    val bothStarted = CountDownLatch(1)
    val renewed = CountDownLatch(1)
    val late =
      CompletableFuture.supplyAsync {
        sessions.run { used ->
          if (used === expired) {
            bothStarted.countDown()
            renewed.await() // the other call renews the session before this one gets its 401
            throw unknown
          }
          used
        }
      }
    val early: Session =
      sessions.run { used ->
        if (used === expired) {
          bothStarted.await()
          throw unknown
        }
        renewed.countDown()
        used
      }
    assertNotEquals(expired, early)
    assertEquals(early, late.get())
    assertEquals(2, faults.calls("device-fingerprint/config").size)
  }

  @Test
  fun `a session that is refused twice is renewed only once`() {
    val faults = Faults.planned()
    val error =
      assertThrows(ServiceException::class.java) { sessions(faults).run<Unit> { throw unknown } }
    assertEquals(401, error.status)
    assertEquals(2, faults.calls("device-fingerprint/config").size)
  }
}
