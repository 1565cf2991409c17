package conformance;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.io.network.NettyShuffleServiceFactory;
import org.apache.flink.runtime.io.network.TaskEventDispatcher;
import org.apache.flink.runtime.io.network.TaskEventPublisher;
import org.apache.flink.runtime.io.network.buffer.BufferPool;
import org.apache.flink.runtime.io.network.partition.ResultPartitionType;
import org.apache.flink.runtime.shuffle.ShuffleEnvironmentContext;

/**
 * Buffer pools. Input: "partition" or "gate"; the type of the exchange; the number of subpartitions or channels; then key=value
 * pairs. Output: the minimum, maximum and overdraft of the pool that a real shuffle environment with these options makes, and for
 * gates the exclusive buffers of each channel.
 */
final class BufferArea implements Area {
    /** Small segments, so that there are many. */
    private static final String SEGMENT = "4kb";

    private static final int SEGMENTS = 20_000;

    record Question(String kind, String type, int count, List<String> options) {}

    @Override
    public String name() {
        return "buffers";
    }

    // ---- what is asked ----

    private static final String N = "taskmanager.network.";
    private static final String E = N + "memory.buffers-per-channel=";
    private static final String F = N + "memory.floating-buffers-per-gate=";
    private static final String O = N + "memory.max-overdraft-buffers-per-gate=";
    private static final String Q = N + "memory.read-buffer.required-per-gate.max=";
    private static final String SORT = N + "sort-shuffle.min-buffers=";
    private static final String SORT_FROM = N + "sort-shuffle.min-parallelism=";
    private static final String MODE = "execution.batch-shuffle-mode=";
    private static final String NEW_MODE = N + "hybrid-shuffle.enable-new-mode=";

    private static final String[][] OPTIONS = {
        {}, {E + 0}, {E + 1}, {E + 3}, {E + 8}, {F + 1}, {F + 4}, {F + 64}, {E + 1, F + 1}, {E + 0, F + 1}, {E + 0, F + 16}, {O + 0}, {O + 1}, {O + 30},
        {N + "memory.max-buffers-per-channel=4"}, {Q + 1}, {Q + 2}, {Q + 4}, {Q + 10}, {Q + 150}, {Q + 1000}, {Q + 5000}, {Q + 2147483647}, {Q + 10, E + 1}, {Q + 10, E + 0}, {Q + 7, E + 5, F + 3}, {Q + 1, F + 1},
        {SORT + 1}, {SORT + 64}, {SORT + 512}, {SORT + 2000}, {SORT_FROM + 1}, {SORT_FROM + 10}, {SORT_FROM + 2147483647}, {SORT + 100, SORT_FROM + 50}, {SORT + 3, SORT_FROM + 2, E + 1},
        {MODE + "ALL_EXCHANGES_HYBRID_FULL"}, {MODE + "ALL_EXCHANGES_HYBRID_SELECTIVE"}, {MODE + "ALL_EXCHANGES_HYBRID_FULL", NEW_MODE + "false"}, {MODE + "ALL_EXCHANGES_HYBRID_FULL", Q + 50}, {MODE + "ALL_EXCHANGES_HYBRID_SELECTIVE", E + 1}};

    private static final int[] COUNTS = {1, 2, 3, 4, 5, 7, 8, 9, 10, 16, 49, 50, 51, 64, 99, 100, 101, 102, 127, 128, 200, 333, 499, 500, 501, 512, 999, 1000, 1001, 2048, 4000};

    @Override
    public List<Input> inputs(long seed) {
        List<Input> all = new ArrayList<>();
        for (String[] options : OPTIONS) {
            boolean hybrid = options.length > 0 && options[0].startsWith(MODE);
            String[] types = hybrid ? new String[] {"PIPELINED_BOUNDED", "HYBRID_FULL", "HYBRID_SELECTIVE"} : new String[] {"PIPELINED_BOUNDED", "BLOCKING"};
            for (String kind : new String[] {"partition", "gate"}) {
                for (String type : types) {
                    for (int n : COUNTS) {
                        List<String> f = new ArrayList<>(List.of(kind, type, Integer.toString(n)));
                        f.addAll(Arrays.asList(options));
                        all.add(new Input(Vectors.line(f), new Question(kind, type, n, List.of(options))));
                    }
                }
            }
        }
        return all;
    }

    // ---- what Flink answers ----

    /** Shuffle environments hold real memory, so one is kept at a time; inputs with equal options stand together. */
    private List<String> current;

    private Object environment;

    private static final ScheduledExecutorService EXECUTOR = Executors.newSingleThreadScheduledExecutor();

    private static Object argument(Class<?> type, Configuration conf) throws Exception {
        if (type == Configuration.class) {
            return conf;
        } else if (type == ResourceID.class) {
            return ResourceID.generate();
        } else if (type == MemorySize.class) {
            return new MemorySize(4096L * SEGMENTS);
        } else if (type == boolean.class) {
            return true;
        } else if (type == InetAddress.class) {
            return InetAddress.getLoopbackAddress();
        } else if (type == int.class) {
            return 1;
        } else if (type == String[].class) {
            return new String[] {System.getProperty("java.io.tmpdir")};
        } else if (type == TaskEventPublisher.class) {
            return new TaskEventDispatcher();
        } else if (type == MetricGroup.class) {
            return new UnregisteredMetricsGroup();
        } else if (type == Executor.class) {
            return EXECUTOR;
        }
        return Flink.create(Flink.find("org.apache.flink.util.concurrent.ScheduledExecutorServiceAdapter"), EXECUTOR);
    }

    private void prepare(List<String> options) throws Exception {
        if (options.equals(current)) {
            return;
        }
        if (environment != null) {
            Flink.call(environment, "close");
            environment = null;
            current = null;
        }
        Configuration conf = new Configuration();
        conf.setString("taskmanager.memory.segment-size", SEGMENT);
        options.forEach(o -> conf.setString(o.substring(0, o.indexOf('=')), o.substring(o.indexOf('=') + 1)));
        Constructor<?> constructor = ShuffleEnvironmentContext.class.getConstructors()[0];
        List<Object> arguments = new ArrayList<>();
        for (Class<?> type : constructor.getParameterTypes()) {
            arguments.add(argument(type, conf));
        }
        environment = new NettyShuffleServiceFactory().createShuffleEnvironment((ShuffleEnvironmentContext) constructor.newInstance(arguments.toArray()));
        current = options;
    }

    private static Object field(Object o, String name) throws Exception {
        Field f = o.getClass().getDeclaredField(name);
        f.setAccessible(true);
        return f.get(o);
    }

    @Override
    public String answer(Input input) throws Exception {
        Question q = (Question) input.value();
        ResultPartitionType type;
        try {
            type = ResultPartitionType.valueOf(q.type);
        } catch (IllegalArgumentException e) {
            return null;
        }
        try {
            prepare(q.options);
            return q.kind.equals("partition") ? partition(type, q.count) : gate(type, q.count);
        } catch (IllegalArgumentException | IllegalStateException e) {
            return "refused " + FileArea.chain(e);
        }
    }

    private String partition(ResultPartitionType type, int subpartitions) throws Exception {
        Object factory = Flink.call(field(environment, "resultPartitionFactory"), "createBufferPoolFactory", subpartitions, type);
        // A supplier from 1.12 on, a function of the pool's owner before.
        Method make = Arrays.stream(factory.getClass().getDeclaredMethods()).filter(m -> m.getName().equals("get") || m.getName().equals("apply")).findFirst().orElseThrow();
        make.setAccessible(true);
        return pool((BufferPool) Flink.invoke(make, factory, new Object[make.getParameterCount()]));
    }

    private static String pool(BufferPool pool) throws Exception {
        try {
            int overdraft = Flink.atLeast(1, 16) ? (Integer) Flink.call(pool, "getMaxOverdraftBuffersPerGate") : 0;
            return Vectors.line(Integer.toString(pool.getNumberOfRequiredMemorySegments()), Integer.toString(pool.getMaxNumberOfMemorySegments()), Integer.toString(overdraft));
        } finally {
            pool.lazyDestroy();
        }
    }

    private String gate(ResultPartitionType type, int channels) throws Exception {
        Object config = field(environment, "config");
        int exclusive = (Integer) Flink.call(config, "networkBuffersPerChannel");
        int floating = (Integer) Flink.call(config, "floatingNetworkBuffersPerGate");
        Object pools = field(environment, "networkBufferPool");
        Class<?> factoryClass = field(environment, "singleInputGateFactory").getClass();
        Object supplier;
        if (Flink.atLeast(1, 17)) {
            Class<?> utils = Flink.find("org.apache.flink.runtime.io.network.partition.consumer.InputGateSpecUtils");
            Optional<?> limit = (Optional<?>) Flink.call(config, "maxRequiredBuffersPerGate");
            Object spec = Flink.atLeast(1, 18)
                ? Flink.callStatic(utils, "createGateBuffersSpec", limit, exclusive, floating, type, channels, Flink.call(config, "getTieredStorageConfiguration") != null)
                : Flink.callStatic(utils, "createGateBuffersSpec", limit, exclusive, floating, type, channels);
            exclusive = (Integer) Flink.call(spec, "getEffectiveExclusiveBuffersPerChannel");
            supplier = Flink.callStatic(factoryClass, "createBufferPoolFactory", pools, Flink.call(spec, "getRequiredFloatingBuffers"), Flink.call(spec, "getTotalFloatingBuffers"));
        } else if (Flink.atLeast(1, 14)) {
            supplier = Flink.callStatic(factoryClass, "createBufferPoolFactory", pools, floating);
        } else {
            supplier = Flink.callStatic(factoryClass, "createBufferPoolFactory", pools, exclusive, floating, channels, type);
        }
        return pool((BufferPool) Flink.call(supplier, "get")) + "\t" + exclusive;
    }
}
