package io.github.flinkadvise.experiments;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.java.tuple.Tuple2;

/** Turns a sequence number into a record of the wanted size, no faster than the wanted rate. Chained to the source. */
final class Pace implements MapFunction<Long, Tuple2<Long, byte[]>> {
    private static final long serialVersionUID = 1L;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long rate;
    private final int recordSize;
    private transient long next;

    /** rate is in records per second and subtask, 0 for no limit; recordSize in bytes of payload. */
    Pace(long rate, int recordSize) {
        this.rate = rate;
        this.recordSize = recordSize;
    }

    @Override
    public Tuple2<Long, byte[]> map(Long number) throws Exception {
        if (rate > 0) {
            long now = System.nanoTime();
            if (next == 0) {
                next = now;
            }
            if (next > now) {
                Thread.sleep((next - now) / 1_000_000L, (int) ((next - now) % 1_000_000L));
            }
            next += NANOS_PER_SECOND / rate;
        }
        return Tuple2.of(number, new byte[recordSize]);
    }
}
