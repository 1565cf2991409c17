package io.github.flinkadvise.experiments;

/** Hands out permission to move bytes at a fixed rate, first come first served. */
final class Throttle {
    private static final double NANOS_PER_SECOND = 1e9;

    private final double bytesPerSecond;
    private long freeAt = System.nanoTime();

    Throttle(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Waits until the line has carried {@code bytes} more bytes. */
    void take(int bytes) throws InterruptedException {
        long until;
        synchronized (this) {
            freeAt = Math.max(freeAt, System.nanoTime()) + (long) (bytes / bytesPerSecond * NANOS_PER_SECOND);
            until = freeAt;
        }
        long wait = until - System.nanoTime();
        if (wait > 0) {
            Thread.sleep(wait / 1_000_000L, (int) (wait % 1_000_000L));
        }
    }
}
