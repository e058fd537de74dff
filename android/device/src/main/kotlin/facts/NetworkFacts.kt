package ringfence.device.facts

import android.content.Context
import android.net.ConnectivityManager
import android.os.Build.VERSION.SDK_INT
import java.net.NetworkInterface
import ringfence.core.facts.Fact
import ringfence.device.levels.Api31

/** VPN interfaces, by their names: that needs no permission. */
internal class NetworkInterfacesFact : Fact {
  override val name = "networkInterfaces"

  override fun read(): Any {
    val tunnels = NetworkInterface.getNetworkInterfaces().asSequence().filter(::isTunnel)
    return mapOf("routableTunnels" to tunnels.map { it.name }.sorted().take(64).toList())
  }

  private fun isTunnel(network: NetworkInterface): Boolean =
    TUNNELS.any(network.name::startsWith) &&
      network.isUp &&
      network.inetAddresses.asSequence().any { !it.isLinkLocalAddress && !it.isAnyLocalAddress }

  private companion object {
    val TUNNELS = listOf("tun", "tap", "ppp", "ipsec", "wg")
  }
}

/** The proxy of the network in use, without its host. Needs ACCESS_NETWORK_STATE. */
internal class ProxyFact(private val context: Context) : Fact {
  override val name = "proxy"

  override fun read(): Any? {
    val connectivity = context.service<ConnectivityManager>()
    val links = connectivity.activeNetwork?.let(connectivity::getLinkProperties) ?: return null
    val proxy = links.httpProxy
    val host = proxy?.host.orEmpty()
    return mapOf(
      "http" to host.isNotEmpty(),
      "autoConfiguration" to (proxy?.pacFileUrl?.toString().orEmpty().isNotEmpty()),
      "isLoopback" to (host == "localhost" || host == "::1" || host.startsWith("127.")),
    )
  }
}

/** How the Wi-Fi in use is protected. Needs ACCESS_NETWORK_STATE. */
internal class WifiFact(private val context: Context) : Fact {
  override val name = "wifi"

  override fun read(): Any? {
    val connectivity = context.service<ConnectivityManager>()
    val capabilities =
      connectivity.activeNetwork?.let(connectivity::getNetworkCapabilities) ?: return null
    val security = if (SDK_INT >= 31) Api31.wifiSecurity(capabilities) else null
    return security?.let { mapOf("security" to it) }
  }
}
