import java.lang.reflect.Method;
import java.util.Optional;

/**
 * Prints what Flink's own classes say about buffer pools: the minimum and maximum of a result partition's pool (NettyShuffleUtils), and floating and
 * exclusive buffers of an input gate (InputGateSpecUtils, 1.17+). Reflection, because the methods gained parameters from version to version.
 */
public class Pools {
    static final int[] EXCLUSIVE = {0, 2, 3};
    static final int[] FLOATING = {1, 8};
    static final int[] WIDTH = {1, 7, 100, 101, 499, 500, 1000};
    static final int[] LIMIT = {0, 4, 150, 1000};
    /** sort-shuffle.min-parallelism and min-buffers. */
    static final int SORT_FROM = 1, SORT_BUFFERS = 512;
    /** What a tiered hybrid producer requires. */
    static final int TIERED = 101;

    public static void main(String[] args) throws Exception {
        Class<?> types = Class.forName("org.apache.flink.runtime.io.network.partition.ResultPartitionType");
        Method partition = find("org.apache.flink.runtime.shuffle.NettyShuffleUtils", "getMinMaxNetworkBuffersPerResultPartition");
        Method gate = find("org.apache.flink.runtime.io.network.partition.consumer.InputGateSpecUtils", "createGateBuffersSpec");
        for (String name : new String[] {"PIPELINED_BOUNDED", "BLOCKING", "HYBRID_FULL"}) {
            for (Object type : types.getEnumConstants()) {
                if (type.toString().equals(name)) {
                    partitions(partition, name, type);
                    gates(gate, name, type);
                }
            }
        }
    }

    static Method find(String className, String method) {
        try {
            for (Method m : Class.forName(className).getDeclaredMethods()) {
                if (m.getName().equals(method)) {
                    m.setAccessible(true);
                    return m;
                }
            }
        } catch (ClassNotFoundException e) {
            // This version does not have it.
        }
        return null;
    }

    static void partitions(Method m, String name, Object type) throws Exception {
        if (m == null) {
            return;
        }
        for (int exclusive : EXCLUSIVE) {
            for (int floating : FLOATING) {
                for (int width : WIDTH) {
                    if (m.getParameterCount() == 6) {
                        print("partition", name, 0, exclusive, floating, width, m.invoke(null, exclusive, floating, SORT_FROM, SORT_BUFFERS, width, type));
                        continue;
                    }
                    print("partition", name, 0, exclusive, floating, width, m.invoke(null, exclusive, floating, SORT_FROM, SORT_BUFFERS, width, false, 0, type));
                    print("partition", name, TIERED, exclusive, floating, width, m.invoke(null, exclusive, floating, SORT_FROM, SORT_BUFFERS, width, true, TIERED, type));
                }
            }
        }
    }

    static void gates(Method m, String name, Object type) throws Exception {
        if (m == null) {
            return;
        }
        for (int exclusive : EXCLUSIVE) {
            for (int floating : FLOATING) {
                for (int width : WIDTH) {
                    for (int limit : LIMIT) {
                        Optional<Integer> q = limit == 0 ? Optional.empty() : Optional.of(limit);
                        if (m.getParameterCount() == 5) {
                            print("gate", name, 0, exclusive, floating, width, limit, spec(m.invoke(null, q, exclusive, floating, type, width)));
                            continue;
                        }
                        print("gate", name, 0, exclusive, floating, width, limit, spec(m.invoke(null, q, exclusive, floating, type, width, false)));
                        print("gate", name, TIERED, exclusive, floating, width, limit, spec(m.invoke(null, q, exclusive, floating, type, width, true)));
                    }
                }
            }
        }
    }

    /** Minimum and maximum of the pool, and exclusive buffers of a channel. */
    static String spec(Object spec) throws Exception {
        StringBuilder out = new StringBuilder();
        for (String getter : new String[] {"getRequiredFloatingBuffers", "getTotalFloatingBuffers", "getEffectiveExclusiveBuffersPerChannel"}) {
            Method m = spec.getClass().getDeclaredMethod(getter);
            m.setAccessible(true);
            out.append(out.length() > 0 ? "," : "(").append(m.invoke(spec));
        }
        return out.append(")").toString();
    }

    static void print(Object... cells) {
        StringBuilder line = new StringBuilder();
        for (Object c : cells) {
            line.append(line.length() > 0 ? "\t" : "").append(c);
        }
        System.out.println(line);
    }
}
