// Who answers in place of the service? A server of bytes, and a connection of the platform.
package ringfence

import java.io.ByteArrayOutputStream
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.InetAddress
import java.net.Socket
import java.net.URL
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import javax.net.ServerSocketFactory
import kotlin.concurrent.thread

val thisMachine: InetAddress = InetAddress.getByName("127.0.0.1")

fun Socket.write(text: String) =
  getOutputStream().run {
    write(text.toByteArray())
    flush()
  }

/**
 * Lets a test answer each request. `requests`: the head of each one. `serving`: how many are not
 * answered yet.
 */
class Peer(sockets: ServerSocketFactory, private val answer: (Socket) -> Unit) : AutoCloseable {
  val requests = CopyOnWriteArrayList<String>()
  val serving = AtomicInteger()
  private val server = sockets.createServerSocket(0, 50, thisMachine)
  private val open = CopyOnWriteArrayList<AutoCloseable>(listOf(server))
  val url = "http://127.0.0.1:${server.localPort}"

  init {
    thread(isDaemon = true) {
      while (!server.isClosed) {
        val socket = runCatching { server.accept() }.getOrNull() ?: break
        open.add(socket)
        thread(isDaemon = true) { runCatching { socket.use(::serve) } }
      }
    }
  }

  override fun close() = open.forEach(AutoCloseable::close)

  private fun serve(socket: Socket) {
    val head = headOf(socket.getInputStream())
    if (head.isEmpty()) return
    requests.add(head)
    serving.incrementAndGet()
    try {
      answer(socket)
    } finally {
      serving.decrementAndGet()
    }
  }

  /** Reads the body too. Empty: the request ended before. */
  private fun headOf(stream: InputStream): String = buildString {
    while (!endsWith("\r\n\r\n")) append(stream.read().takeIf { it >= 0 }?.toChar() ?: return "")
    val length = Regex("(?i)content-length: ([0-9]+)").find(this)?.groupValues?.get(1)?.toInt()
    repeat(length ?: 0) { stream.read() }
  }
}

/** A response as Android hands it over. */
class PlatformResponse(url: URL, private val status: Int, private val body: InputStream) :
  HttpURLConnection(url) {
  override fun connect() = Unit

  override fun disconnect() = Unit

  override fun usingProxy() = false

  override fun getOutputStream() = ByteArrayOutputStream()

  override fun getResponseCode() = status

  override fun getHeaderFields() = emptyMap<String, List<String>>()

  override fun getInputStream() = body

  override fun getErrorStream() = body
}
