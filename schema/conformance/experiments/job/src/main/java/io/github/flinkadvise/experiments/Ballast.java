package io.github.flinkadvise.experiments;

/** The class that {@link Stage} defines again and again to fill the metaspace. */
final class Ballast {
    private Ballast() {}

    static long sum(long a, long b) {
        return a + b;
    }
}
