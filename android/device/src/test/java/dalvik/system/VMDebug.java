package dalvik.system;

/** In place of Android's virtual machine. */
public final class VMDebug {
  private VMDebug() {}

  public static boolean isDebuggerConnected() {
    return false;
  }
}
