package thresholds;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Finds the least number of network buffers with which a job runs, by running it.
 *
 * <p>Arguments: the file of jobs and the file of results, to which this version's lines are appended. Each job is started with one
 * more and one less buffer until a number is found with which it runs while with one less it fails; the search begins at the number
 * in the file, which is a guess and no more.
 */
public final class Main {
    private static final int SEGMENT = 32768;

    record Job(String name, int taskManagers, int slots, String mode, String options, String vertices, String edges, int guess) {}

    /** Empty when the job ran, else Flink's reason. */
    record Outcome(Optional<String> failure) {}

    public static void main(String[] args) throws Exception {
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] f = line.split("\t", -1);
            Job job = new Job(f[0], Integer.parseInt(f[1]), Integer.parseInt(f[2]), f[3], f[4], f[5], f[6], Integer.parseInt(f[7]));
            if (args.length > 2 && !job.name.matches(args[2])) {
                continue;
            }
            String result = measure(job);
            System.out.println(EnvironmentInformation.getVersion() + "\t" + job.name + "\t" + result);
            Files.writeString(Path.of(args[1]), EnvironmentInformation.getVersion() + "\t" + job.name + "\t" + result + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        System.exit(0);
    }

    private static String measure(Job job) throws Exception {
        int runs = job.guess;
        Outcome at = run(job, runs);
        String message = "";
        while (at.failure.isPresent()) {
            message = at.failure.get();
            at = run(job, ++runs);
        }
        while (message.isEmpty() && runs > 1) {
            Outcome below = run(job, runs - 1);
            if (below.failure.isPresent()) {
                message = below.failure.get();
            } else {
                runs--;
            }
        }
        return runs + "\t" + message;
    }

    private static Outcome run(Job job, int buffers) throws Exception {
        Configuration conf = new Configuration();
        String size = (long) buffers * SEGMENT + "b";
        conf.setString("taskmanager.memory.network.min", size);
        conf.setString("taskmanager.memory.network.max", size);
        conf.setString("taskmanager.memory.managed.size", "64m");
        conf.setString("rest.port", "0");
        conf.setString("rest.bind-port", "0");
        conf.setString("restart-strategy.type", "none");
        // A job that cannot get its slots or buffers is given up soon.
        conf.setString("taskmanager.network.memory.exclusive-buffers-request-timeout-ms", "3000");
        for (String o : job.options.isEmpty() ? new String[0] : job.options.split(" ")) {
            conf.setString(o.substring(0, o.indexOf('=')), o.substring(o.indexOf('=') + 1));
        }
        MiniClusterConfiguration cluster = new MiniClusterConfiguration.Builder().setConfiguration(conf).setNumTaskManagers(job.taskManagers).setNumSlotsPerTaskManager(job.slots).build();
        try (MiniCluster mini = new MiniCluster(cluster)) {
            mini.start();
            JobGraph graph = graph(job, conf);
            mini.submitJob(graph).get();
            Outcome outcome = await(mini, graph.getJobID(), job.mode.equals("batch"));
            System.err.println(job.name + " with " + buffers + ": " + outcome.failure.orElse("runs"));
            return outcome;
        }
    }

    private static final Pattern SHORTAGE = Pattern.compile("Insufficient number of network buffers: required \\d+, but only \\d+ available\\. The total number of network buffers is currently set to \\d+|Timeout triggered when requesting exclusive buffers");

    /** A channel that gets no buffers fails its task shortly after it was reported as running. */
    private static final long STEADY_NANOS = 1_500_000_000L;

    private static Outcome await(MiniCluster mini, JobID id, boolean batch) throws Exception {
        long running = 0;
        long end = System.nanoTime() + 120_000_000_000L;
        while (System.nanoTime() < end) {
            AccessExecutionGraph g = mini.getExecutionGraph(id).get();
            if (g.getState() == JobStatus.FAILED) {
                String text = g.getFailureInfo() == null ? "?" : g.getFailureInfo().getExceptionAsString();
                Matcher m = SHORTAGE.matcher(text);
                if (!m.find()) {
                    throw new IllegalStateException("failed for another reason: " + text);
                }
                return new Outcome(Optional.of(m.group()));
            }
            if (batch && g.getState() == JobStatus.FINISHED) {
                return new Outcome(Optional.empty());
            }
            if (batch || !allRunning(g)) {
                running = 0;
            } else if (running == 0) {
                running = System.nanoTime();
            } else if (System.nanoTime() - running > STEADY_NANOS) {
                mini.cancelJob(id).get();
                return new Outcome(Optional.empty());
            }
            Thread.sleep(50);
        }
        throw new IllegalStateException("neither running nor failed after two minutes");
    }

    private static boolean allRunning(AccessExecutionGraph g) {
        if (g.getState() != JobStatus.RUNNING) {
            return false; // before that there may be no vertices at all
        }
        for (AccessExecutionVertex v : g.getAllExecutionVertices()) {
            if (v.getExecutionState() != ExecutionState.RUNNING) {
                return false;
            }
        }
        return true;
    }

    /** Vertices "name:parallelism[@group]" and edges "from-STRATEGY->to", in topological order. */
    private static JobGraph graph(Job job, Configuration conf) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(conf);
        boolean batch = job.mode.equals("batch");
        env.setRuntimeMode(batch ? RuntimeExecutionMode.BATCH : RuntimeExecutionMode.STREAMING);
        Map<String, DataStream<Long>> streams = new LinkedHashMap<>();
        for (String vertex : job.vertices.split(" ")) {
            Matcher v = Pattern.compile("(\\w+):(\\d+)(?:@(\\w+))?").matcher(vertex);
            if (!v.matches()) {
                throw new IllegalArgumentException(vertex);
            }
            int parallelism = Integer.parseInt(v.group(2));
            DataStream<Long> in = null;
            for (String edge : job.edges.split(" ")) {
                Matcher e = Pattern.compile("(\\w+)-(\\w+)->(\\w+)").matcher(edge);
                if (!e.matches()) {
                    throw new IllegalArgumentException(edge);
                }
                if (e.group(3).equals(v.group(1))) {
                    DataStream<Long> one = partitioned(streams.get(e.group(1)), e.group(2));
                    in = in == null ? one : in.union(one);
                }
            }
            SingleOutputStreamOperator<Long> s;
            if (in == null) {
                // The source and its brake are one task.
                SingleOutputStreamOperator<Long> source = env.fromSequence(0, batch ? 100 : Long.MAX_VALUE).setParallelism(parallelism);
                if (v.group(3) != null) {
                    source.slotSharingGroup(v.group(3));
                }
                s = source.map(x -> {
                    Thread.sleep(batch ? 0 : 200);
                    return x;
                }).returns(Long.class).setParallelism(parallelism);
            } else {
                // In a batch the tasks of a stage have to last long enough to stand side by side.
                s = in.map(x -> {
                    Thread.sleep(batch ? 100 : 0);
                    return x;
                }).returns(Long.class).setParallelism(parallelism).disableChaining();
            }
            if (v.group(3) != null) {
                s.slotSharingGroup(v.group(3));
            }
            streams.put(v.group(1), s);
        }
        return env.getStreamGraph().getJobGraph();
    }

    private static DataStream<Long> partitioned(DataStream<Long> s, String strategy) {
        switch (strategy) {
            case "HASH":
                return s.keyBy(x -> x, org.apache.flink.api.common.typeinfo.Types.LONG);
            case "REBALANCE":
                return s.rebalance();
            case "RESCALE":
                return s.rescale();
            case "BROADCAST":
                return s.broadcast();
            case "SHUFFLE":
                return s.shuffle();
            case "GLOBAL":
                return s.global();
            case "FORWARD":
                return s.forward();
            default:
                throw new IllegalArgumentException(strategy);
        }
    }
}
