import java.util.*;
import org.apache.flink.api.common.*;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.*;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.*;
import org.apache.flink.streaming.api.datastream.*;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs small job graphs on a MiniCluster whose TaskManagers have exactly so many network buffers, and tells whether all tasks come to run. */
public class Buffers {
    static class Slow implements MapFunction<Long, Long> {
        public Long map(Long x) throws Exception { Thread.sleep(50); return x; }
    }
    static class Key implements KeySelector<Long, Long> {
        public Long getKey(Long x) { return x % 1000; }
    }
    static DataStream<Long> source(StreamExecutionEnvironment env, int p) {
        return env.fromSequence(1, Long.MAX_VALUE - 1).setParallelism(p).map(new Slow()).setParallelism(p);
    }
    static SingleOutputStreamOperator<Long> map(DataStream<Long> in, int p) {
        return in.map(new Slow()).setParallelism(p);
    }
    static void build(String name, StreamExecutionEnvironment env) {
        switch (name) {
            case "E1": case "E2": case "E11": case "E13": map(source(env, 4).keyBy(new Key()), 4); break;
            case "E3": map(map(source(env, 4).keyBy(new Key()), 4).rebalance(), 4); break;
            case "E4": map(source(env, 4), 4).startNewChain(); break;
            case "E5": map(source(env, 2).rescale(), 6); break;
            case "E5b": map(source(env, 5).rescale(), 2); break;
            case "E9": map(source(env, 8).keyBy(new Key()), 2); break;
            case "E7": {
                DataStream<Long> a = source(env, 3);
                a.keyBy(new Key()).connect(a.keyBy(new Key())).map(new org.apache.flink.streaming.api.functions.co.CoMapFunction<Long, Long, Long>() {
                    public Long map1(Long x) throws Exception { Thread.sleep(50); return x; }
                    public Long map2(Long x) throws Exception { Thread.sleep(50); return x; }
                }).setParallelism(3);
                break;
            }
            default: throw new IllegalArgumentException(name);
        }
    }
    /** Runs one job; returns "RUNNING", or the root of the failure. */
    static String run(String name, int tms, int slots, long buffers, Map<String, String> options) throws Exception {
        Configuration conf = new Configuration();
        String bytes = buffers * 32768 + "b";
        conf.setString("taskmanager.memory.network.min", bytes);
        conf.setString("taskmanager.memory.network.max", bytes);
        conf.setString("rest.port", "0");
        conf.setString("rest.bind-port", "0");
        conf.setString("taskmanager.network.memory.buffers-request-timeout", "5 s");
        for (Map.Entry<String, String> o : options.entrySet()) conf.setString(o.getKey(), o.getValue());
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder().setNumTaskManagers(tms).setNumSlotsPerTaskManager(slots).setConfiguration(conf).build());
        try {
            cluster.start();
            Configuration job = new Configuration(conf);
            job.setString("restart-strategy", "none");
            job.setString("restart-strategy.type", "none");
            StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(job);
            build(name, env);
            JobGraph graph = env.getStreamGraph().getJobGraph();
            cluster.submitJob(graph).get();
            JobID id = graph.getJobID();
            for (int i = 0; i < 600; i++) {
                JobStatus status = cluster.getJobStatus(id).get();
                if (status.isGloballyTerminalState()) {
                    Throwable t = cluster.requestJobResult(id).get().getSerializedThrowable().get().deserializeError(Buffers.class.getClassLoader());
                    while (t.getCause() != null) t = t.getCause();
                    return String.valueOf(t.getMessage()).split("\\. ")[0];
                }
                boolean all = status == JobStatus.RUNNING;
                int vertices = 0;
                for (org.apache.flink.runtime.executiongraph.AccessExecutionVertex v : cluster.getArchivedExecutionGraph(id).get().getAllExecutionVertices()) {
                    vertices++;
                    all &= v.getExecutionState() == org.apache.flink.runtime.execution.ExecutionState.RUNNING;
                }
                if (all && vertices > 0) {
                    cluster.cancelJob(id).get();
                    return "RUNNING";
                }
                Thread.sleep(50);
            }
            return "TIMEOUT";
        } finally {
            cluster.close();
        }
    }
    public static void main(String[] args) throws Exception {
        // name, TaskManagers, slots, required, options
        for (String line : args) {
            String[] w = line.split(",");
            Map<String, String> options = new LinkedHashMap<>();
            for (int i = 4; i < w.length; i++) { String[] kv = w[i].split("="); options.put(kv[0], kv[1]); }
            long required = Long.parseLong(w[3]);
            for (long n : new long[] {required, required - 1}) {
                String result = run(w[0], Integer.parseInt(w[1]), Integer.parseInt(w[2]), n, options);
                System.out.println(w[0] + "\t" + w[1] + " x " + w[2] + "\t" + n + "\t" + result);
            }
        }
        System.exit(0);
    }
}
