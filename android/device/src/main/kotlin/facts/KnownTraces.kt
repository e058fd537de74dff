// Which files, properties, libraries and classes indicate root, a hook or an emulator? The server
// decides.
package ringfence.device.facts

internal object KnownTraces {
  val rootPaths =
    listOf(
      "/system/bin/su",
      "/system/xbin/su",
      "/sbin/su",
      "/su/bin/su",
      "/vendor/bin/su",
      "/data/local/su",
      "/data/local/bin/su",
      "/data/local/xbin/su",
      "/system/sd/xbin/su",
      "/system/bin/failsafe/su",
      "/system/app/Superuser.apk",
      "/system/etc/init.d/99SuperSUDaemon",
      "/system/xbin/daemonsu",
      "/system/xbin/busybox",
      "/sbin/.magisk",
      "/sbin/magisk",
      "/data/adb/magisk",
      "/data/adb/modules",
      "/data/adb/ksu",
      "/data/adb/ap",
      "/cache/.disable_magisk",
      "/debug_ramdisk/.magisk",
      "/dev/ksu",
    )

  /** Parts of lines of /proc/self/mounts. */
  val rootMounts = listOf("magisk", "/data/adb/", "KSU ", "APatch ", "/sbin/.core/")

  val rootPackages =
    listOf(
      "com.topjohnwu.magisk",
      "io.github.vvb2060.magisk",
      "io.github.huskydg.magisk",
      "me.weishu.kernelsu",
      "com.rifsxd.ksunext",
      "me.bmax.apatch",
      "eu.chainfire.supersu",
      "com.koushikdutta.superuser",
      "com.noshufou.android.su",
      "com.thirdparty.superuser",
      "com.yellowes.su",
      "com.kingroot.kinguser",
    )

  val openProperties =
    setOf(
      "ro.debuggable=1",
      "ro.secure=0",
      "ro.adb.secure=0",
      "service.adb.root=1",
      "ro.build.selinux=0",
      "ro.boot.verifiedbootstate=orange",
      "ro.boot.flash.locked=0",
      "ro.boot.vbmeta.device_state=unlocked",
    )

  /** In lower case. As words: libfriday.so, libexposed.so and libpineapple.so are honest. */
  private val hookNames =
    Regex(
      "(?<![a-z])(lib)?(xposed|riru|edxp|sandhook|" +
        "(frida|gum-js-loop|lsposed|lspd|zygisk|substrate|dobby|whale\\.so|pine\\.so)(?![a-z]))"
    )

  /** Of a library, or of an abstract socket. */
  fun isOfHook(name: String): Boolean = hookNames.containsMatchIn(name.lowercase())

  val hookClasses =
    listOf(
      "de.robv.android.xposed.XposedBridge",
      "de.robv.android.xposed.XposedHelpers",
      "com.saurik.substrate.MS",
      "org.lsposed.lspd.core.Main",
      "top.canyie.pine.Pine",
      "com.swift.sandhook.SandHook",
    )

  /** Ports of Frida's server. */
  val hookPorts = listOf(27_042, 27_043)

  val emulatorPaths =
    listOf(
      "/dev/qemu_pipe",
      "/dev/socket/qemud",
      "/dev/goldfish_pipe",
      "/system/bin/qemu-props",
      "/system/lib/libc_malloc_debug_qemu.so",
      "/dev/socket/genyd",
      "/dev/socket/baseband_genyd",
      "/dev/vboxguest",
      "/dev/vboxuser",
      "/system/bin/nox-prop",
      "/system/bin/microvirt-prop",
      "/system/bin/ldinit",
      "/data/.bluestacks.prop",
      "/system/bin/androVM-prop",
    )
}
