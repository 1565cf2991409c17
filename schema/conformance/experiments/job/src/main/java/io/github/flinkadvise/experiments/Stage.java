package io.github.flinkadvise.experiments;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * One stage of the job. It forwards what it gets (the last stage drops it), and may act out one misfortune after a
 * number of records.
 */
final class Stage extends KeyedProcessFunction<Long, Tuple2<Long, byte[]>, Tuple2<Long, byte[]>> {
    private static final long serialVersionUID = 1L;
    private static final int MEBIBYTE = 1 << 20;

    /** So coarse that the failing request leaves the JVM some room to report it. */
    private static final int HEAP_PIECE = 16 * MEBIBYTE;

    /** What the acts hold on to. Static, as in a real leak: it outlives the task. */
    private static final List<Object> LEAK = new ArrayList<>();

    enum Act {
        NONE,
        /** Throws from user code. */
        FAIL,
        /** Keeps byte arrays on the heap until it is full. */
        HEAP,
        /** Keeps direct buffers until the limit of the JVM is reached, as a client library may. */
        DIRECT,
        /** Keeps on defining classes until the metaspace is full. */
        METASPACE,
        /** Stays in a loop that swallows every interrupt, so that the task cannot be cancelled. */
        IGNORE_INTERRUPTS
    }

    private final Act act;
    private final long actAfter;
    private final long delayMillis;
    private final int stateBytes;
    private final boolean last;

    private transient long seen;
    private transient ValueState<byte[]> state;

    Stage(Act act, long actAfter, long delayMillis, int stateBytes, boolean last) {
        this.act = act;
        this.actAfter = actAfter;
        this.delayMillis = delayMillis;
        this.stateBytes = stateBytes;
        this.last = last;
    }

    @Override
    public void processElement(Tuple2<Long, byte[]> record, Context context, Collector<Tuple2<Long, byte[]>> out)
            throws Exception {
        seen++;
        if (seen > actAfter) {
            act();
        }
        if (delayMillis > 0) {
            Thread.sleep(delayMillis);
        }
        if (stateBytes > 0) {
            remember(record.f0);
        }
        if (!last) {
            out.collect(record);
        }
    }

    private void act() throws Exception {
        switch (act) {
            case FAIL:
                throw new IllegalStateException("the record cannot be processed");
            case HEAP:
                LEAK.add(new byte[HEAP_PIECE]);
                break;
            case DIRECT:
                LEAK.add(ByteBuffer.allocateDirect(MEBIBYTE));
                break;
            case METASPACE:
                LEAK.add(new Definer(bytecode()).define());
                break;
            case IGNORE_INTERRUPTS:
                refuseToStop();
                break;
            default:
                break;
        }
    }

    /** The state is made on first use: the signature of open() changed in 2.0. The content does not compress. */
    private void remember(long number) throws IOException {
        if (state == null) {
            state = getRuntimeContext().getState(
                    new ValueStateDescriptor<>("payload", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        }
        byte[] value = new byte[stateBytes];
        long noise = number;
        for (int i = 0; i < value.length; i++) {
            noise = noise * 6364136223846793005L + 1442695040888963407L;
            value[i] = (byte) (noise >>> 56);
        }
        state.update(value);
    }

    private static void refuseToStop() {
        Object never = new Object();
        while (true) {
            synchronized (never) {
                try {
                    never.wait(1_000L);
                } catch (InterruptedException swallowed) {
                    // The misfortune itself: a client library that retries for ever does just this.
                }
            }
        }
    }

    private static byte[] bytecode() throws IOException {
        try (InputStream in = Stage.class.getResourceAsStream("Ballast.class")) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[4096];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
            }
            return out.toByteArray();
        }
    }

    /** A class loader of its own for every copy of the class, as each job submission has. */
    private static final class Definer extends ClassLoader {
        private final byte[] bytecode;

        Definer(byte[] bytecode) {
            super(Stage.class.getClassLoader());
            this.bytecode = bytecode;
        }

        Class<?> define() {
            Class<?> defined = defineClass(Ballast.class.getName(), bytecode, 0, bytecode.length);
            resolveClass(defined);
            return defined;
        }
    }
}
