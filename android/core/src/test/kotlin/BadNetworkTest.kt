package ringfence

import java.io.ByteArrayInputStream
import java.io.File
import java.io.IOException
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.ServerSocket
import java.net.Socket
import java.net.URL
import java.security.KeyStore
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.TimeUnit
import javax.net.ServerSocketFactory
import javax.net.ssl.KeyManagerFactory
import javax.net.ssl.SSLContext
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.calls.HttpRequest
import ringfence.core.calls.Service
import ringfence.core.calls.ServiceException
import ringfence.core.calls.UrlConnectionTransport

/** Networks that no service is behind, or one that breaks. */
class BadNetworkTest {
  @TempDir lateinit var folder: File

  private val log = Log()
  private val open = CopyOnWriteArrayList<AutoCloseable>()

  private fun peer(
    sockets: ServerSocketFactory = ServerSocketFactory.getDefault(),
    answer: (Socket) -> Unit,
  ) = Peer(sockets, answer).also(open::add)

  private fun answering(text: String) = peer {
    it.write(text.replaceFirst("\r\n", "\r\nConnection: close\r\n"))
  }

  private fun transport(limitMillis: Long = 60_000) = UrlConnectionTransport(limitMillis)

  private fun client(limitMillis: Long = 60_000) =
    IntelligenceClient(Environment("x", QuickClock(), transport(limitMillis), log = log))

  private fun isInitialized(url: String, limitMillis: Long = 60_000) = blocking {
    client(limitMillis).initialize("rfa_test", url)
  }

  @AfterEach fun close() = open.forEach(AutoCloseable::close)

  @Test
  fun `a captive portal that redirects to itself, or to another host, gets no call of the app`() {
    val portal = answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
    for (status in listOf(301, 302, 303, 307, 308)) {
      val peer =
        answering(
          "HTTP/1.1 $status Moved\r\nLocation: ${portal.url}/in\r\nContent-Length: 0\r\n\r\n"
        )
      assertFalse(isInitialized(peer.url))
      assertTrue(log.lines.last().contains("HTTP status $status"), "${log.lines}")
      val body = mapOf("facts" to "of the phone")
      val error =
        assertThrows(ServiceException::class.java) {
          Service(peer.url, transport()).send("/x", mapOf("authorization" to "Bearer s"), body)
        }
      assertEquals(status, error.status)
    }
    assertEquals(emptyList<String>(), portal.requests)
  }

  @Test
  fun `a captive portal with a certificate of its own, or without TLS, gets no call`() {
    val secure = peer(selfSigned()) { it.write("HTTP/1.1 200 OK\r\n\r\n{}") }
    val plain = answering("HTTP/1.1 200 OK\r\n\r\n{}")
    for (portal in listOf(secure, plain)) {
      assertFalse(isInitialized(portal.url.replace("http:", "https:"), limitMillis = 1_000))
      assertTrue(log.lines.last().contains("could not be reached"), "${log.lines}")
    }
    assertEquals(emptyList<String>(), secure.requests)
    assertFalse(plain.requests.any { it.contains("rfa_test") })
  }

  /** The JDK's own tool makes the certificate. */
  private fun selfSigned(): ServerSocketFactory {
    val file = File(folder, "portal.p12")
    val tool = File(System.getProperty("java.home"), "bin/keytool").path
    val key = listOf("-genkeypair", "-alias", "portal", "-keyalg", "EC", "-dname", "CN=127.0.0.1")
    val store = listOf("-keystore", file.path, "-storetype", "PKCS12", "-storepass", "secret")
    val process = ProcessBuilder(listOf(tool) + key + store).redirectErrorStream(true).start()
    assertTrue(process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0)
    val password = "secret".toCharArray()
    val keys = KeyStore.getInstance(file, password)
    val managers = KeyManagerFactory.getInstance("PKIX").apply { init(keys, password) }
    val context = SSLContext.getInstance("TLS").apply { init(managers.keyManagers, null, null) }
    return context.serverSocketFactory
  }

  @Test
  fun `facts and credentials are sent by HTTPS, and by HTTP to this machine only`() {
    val urls =
      listOf(
        "http://ringfence.example",
        "HTTP://ringfence.example",
        "http://10.0.2.2:8080",
        "http://192.168.0.2",
        "http://127.0.0.1.ringfence.example",
        "http://127.ringfence.example",
        "http://localhost.ringfence.example",
        "http://localhost@ringfence.example",
        "http://127.0.0.1:80@ringfence.example",
        "http://[::1]@ringfence.example",
        "http://localhost\\@ringfence.example",
      )
    val opened = Log()
    val transport =
      UrlConnectionTransport(5_000) {
        opened("${it.protocol}://${it.host}")
        throw IOException("no network")
      }
    fun initialize(url: String) = blocking {
      IntelligenceClient(Environment("x", QuickClock(), transport, log = log))
        .initialize("rfa_test", url)
    }
    for (url in urls) assertFalse(initialize(url), url)
    assertEquals(
      urls.size,
      log.lines.count { it.contains("HTTP is for a service on this machine") },
    )
    assertEquals(emptyList<String>(), opened.lines)
    val allowed =
      listOf("https://ringfence.example", "http://localhost", "http://127.0.0.1", "http://[::1]")
    for (url in allowed) initialize("$url:1/path")
    assertEquals(allowed, opened.lines.distinct())
  }

  @Test
  fun `a slow network takes the time limit and no longer, wherever it is slow, and its connections end`() {
    fun drip(before: String) = peer { socket ->
      socket.write(before)
      while (true) {
        socket.write("a")
        Thread.sleep(20)
      }
    }
    val full = ServerSocket(0, 1, thisMachine).also(open::add)
    val waiting = List(3) { Socket().also(open::add) }
    for (socket in waiting) runCatching { socket.connect(full.localSocketAddress, 200) }
    val slow =
      mapOf(
        "to answer" to peer { it.getInputStream().read() },
        "to send its status" to drip(""),
        "to send its headers" to drip("HTTP/1.1 200 OK\r\nX-A: "),
        // Java reads the rest of a shorter one after its end, to use the connection again.
        "to send a body of known length" to
          drip("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"),
        "to send a body that ends with its connection" to drip("HTTP/1.1 200 OK\r\n\r\n"),
        "to send an error" to drip("HTTP/1.1 500 No\r\nContent-Length: 1000000\r\n\r\n"),
      )
    val urls =
      slow.mapValues { it.value.url } +
        ("to accept a connection" to "http://127.0.0.1:${full.localPort}")
    for ((where, url) in urls) for (body in listOf(null, "{}".toByteArray())) {
      val requests = slow[where]?.requests
      val before = requests?.size
      // On a busy machine the limit may end a call that has not reached the peer.
      do checkLate(where) { send(transport(limitMillis = 300), url, body) } while (
        requests != null && requests.size == before
      )
    }
    val lookUp = UrlConnectionTransport(300) { throw Thread.sleep(60_000).let { AssertionError() } }
    checkLate("to find the name") { send(lookUp, "http://127.0.0.1:1", null) }
    for (peer in slow.values) until { peer.serving.get() == 0 }
  }

  private fun send(transport: UrlConnectionTransport, url: String, body: ByteArray?) =
    transport.send(HttpRequest(URL(url), emptyMap(), body))

  private fun checkLate(where: String, call: () -> Unit) {
    assertTrue(ranMillis { assertThrows(IOException::class.java, call, where) } < 5_000, where)
  }

  @Test
  fun `a body is read to its limit, also one that the platform unpacks without end`() {
    var count = 0L
    val endless =
      object : InputStream() {
        override fun read() = 0

        override fun read(bytes: ByteArray, offset: Int, length: Int): Int {
          count += length
          return length
        }
      }
    val transport = UrlConnectionTransport { PlatformResponse(it, 200, endless) }
    assertThrows(IOException::class.java) { send(transport, "http://a", null) }
    assertTrue(count in (1 shl 20)..(1 shl 20) + 16_384, "$count")
  }

  @Test
  fun `the service is asked for a body that is not packed, and a packed one is no answer`() {
    val bytes = java.io.ByteArrayOutputStream()
    java.util.zip.GZIPOutputStream(bytes).use { it.write("{}".toByteArray()) }
    val peer = peer {
      it.write(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.size()}\r\n\r\n"
      )
      it.getOutputStream().write(bytes.toByteArray())
    }
    val error =
      assertThrows(ServiceException::class.java) {
        Service(peer.url, transport()).send("/x", emptyMap())
      }
    assertEquals("The response is not a JSON object", error.message)
    val head = peer.requests.single().lowercase()
    assertTrue(head.contains("\r\naccept-encoding: identity\r\n"), head)
    assertFalse(head.contains("\r\ncookie:"), head)
  }

  @Test
  fun `a body is UTF-8, whatever charset its headers name`() {
    val json = "{\"größe\":\"尺寸 🙂\"}"
    for (type in listOf("application/json", "text/html; charset=iso-8859-1", "a/b; charset=\"")) {
      val length = json.toByteArray().size
      val peer =
        answering("HTTP/1.1 200 OK\r\nContent-Type: $type\r\nContent-Length: $length\r\n\r\n$json")
      val response = Service(peer.url, transport()).send("/x", emptyMap())
      assertEquals(mapOf("größe" to "尺寸 🙂"), response, type)
    }
  }

  @Test
  fun `a response of 20,000 members, or with one name 20,000 times, gives its dfrId`() {
    val many = List(20_000) { "m$it" to listOf(mapOf("a" to it)) }.toMap()
    val faults =
      Faults.planned(
        "device-fingerprint/config" to listOf(many),
        "intelligence" to listOf(many),
        "device-fingerprint" to listOf(mapOf("intelligenceResponse" to many)),
      )
    val client =
      client().also { client -> assertTrue(blocking { client.initialize("rfa_test", faults.url) }) }
    val intelligence = blocking { client.fetch() }.getOrThrow()
    assertEquals(many.keys, intelligence.report?.keys)
    assertEquals(3, faults.calls().size)
    val same = "{" + "\"dfrId\":\"a\",".repeat(20_000) + "\"dfrId\":\"last\"}"
    val peer = answering("HTTP/1.1 200 OK\r\nContent-Length: ${same.length}\r\n\r\n$same")
    assertEquals("last", Service(peer.url, transport()).send("/x", emptyMap())["dfrId"])
  }

  @Test
  fun `Java sends a POST whose connection broke a second time, and the SDK does not`() {
    val peer = peer { it.close() }
    val connection = URL("${peer.url}/java").openConnection() as HttpURLConnection
    connection.doOutput = true
    connection.outputStream.use { it.write("{}".toByteArray()) }
    assertThrows(IOException::class.java) { connection.responseCode }
    assertEquals(2, peer.requests.count { it.startsWith("POST /java") })
    assertThrows(IOException::class.java) {
      send(transport(), "${peer.url}/sdk", "{}".toByteArray())
    }
    assertEquals(1, peer.requests.count { it.startsWith("POST /sdk") })
  }

  @Test
  fun `what a 401 says is used where the platform has its body, and not needed where it drops it`() {
    val json = "{\"errorMessage\":\"The session is unknown\",\"errorCode\":\"4011\"}"
    val posted = mapOf("a" to 1)
    val android = UrlConnectionTransport {
      PlatformResponse(it, 401, ByteArrayInputStream(json.toByteArray()))
    }
    val error =
      assertThrows(ServiceException::class.java) {
        Service("http://a", android).send("/x", emptyMap(), posted)
      }
    assertEquals(listOf("The session is unknown", "4011"), listOf(error.message, error.errorCode))
    val peer =
      answering("HTTP/1.1 401 No\r\nContent-Length: ${json.length}\r\nX-Request-Id: r\r\n\r\n$json")
    val onJava =
      assertThrows(ServiceException::class.java) {
        Service(peer.url, transport()).send("/x", emptyMap(), posted)
      }
    assertEquals(listOf(401, "r"), listOf(onJava.status, onJava.requestId))
    assertNull(onJava.errorCode)
    assertTrue(error.isOfSession && onJava.isOfSession)
    assertEquals(1, peer.requests.size)
  }
}
