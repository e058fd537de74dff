package android.util;

/** In place of Android's, whose lines go to the system. */
public final class Log {
  private Log() {}

  public static boolean isLoggable(String tag, int level) {
    return false;
  }

  public static int w(String tag, String line) {
    System.out.println(tag + ": " + line);
    return 0;
  }
}
