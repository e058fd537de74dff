package android.os;

/** In place of Android's, which asks the system: this phone was started an hour ago. */
public final class SystemClock {
  private static final long HOUR = 3_600_000;

  private SystemClock() {}

  public static long elapsedRealtime() {
    return HOUR;
  }

  public static long elapsedRealtimeNanos() {
    return HOUR * 1_000_000;
  }

  public static long uptimeMillis() {
    return HOUR;
  }
}
