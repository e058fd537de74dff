package android.net;

/** In place of Android's, which asks the system: 0 is no tag. */
public final class TrafficStats {
  private static final ThreadLocal<Integer> TAG = ThreadLocal.withInitial(() -> 0);

  private TrafficStats() {}

  public static void setThreadStatsTag(int tag) {
    TAG.set(tag);
  }

  public static int getThreadStatsTag() {
    return TAG.get();
  }
}
