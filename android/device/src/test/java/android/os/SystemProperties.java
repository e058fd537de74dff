package android.os;

/** In place of Android's, which asks the system. */
public final class SystemProperties {
  private SystemProperties() {}

  public static String get(String name) {
    return "";
  }

  public static String get(String name, String other) {
    return other;
  }

  public static int getInt(String name, int other) {
    return other;
  }

  public static long getLong(String name, long other) {
    return other;
  }

  public static boolean getBoolean(String name, boolean other) {
    return other;
  }
}
