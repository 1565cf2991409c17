package thresholds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
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
 * in the file, which is a guess and no more. The modes:
 *
 * <ul>
 *   <li>streaming: the job reaches RUNNING and stays there.
 *   <li>batch: the job finishes. The subtasks of a stage wait for each other before the first record, as many as have slots, so that they stand
 *       side by side in every run.
 *   <li>restore: the job reaches RUNNING from an unaligned checkpoint that holds data of every channel. The checkpoint is taken under back
 *       pressure with each subtask on a TaskManager of its own, where every channel is remote: a local channel stores nothing, its data is the
 *       producer's. The subtasks of a vertex wait for each other before any reads the state of its channels, so that they hold their buffers at the same
 *       time. What is tried are the numbers in the file.
 *   <li>restore-same: the same, but the checkpoint is taken on the cluster of the job itself.
 * </ul>
 */
public final class Main {
    record Job(String name, int taskManagers, int slots, String mode, String options, String vertices, String edges, String guess) {
        boolean batch() {
            return mode.equals("batch");
        }

        boolean restore() {
            return mode.startsWith("restore");
        }

        int segment() {
            Matcher m = Pattern.compile("segment-size=(\\d+)kb").matcher(options);
            return m.find() ? Integer.parseInt(m.group(1)) << 10 : 32768;
        }

        int subtasks() {
            return Pattern.compile(" ").splitAsStream(vertices).mapToInt(v -> Integer.parseInt(v.replaceAll("\\w+:(\\d+).*", "$1"))).sum();
        }
    }

    /** Empty when the job ran, else Flink's reason. */
    record Outcome(Optional<String> failure) {}

    public static void main(String[] args) throws Exception {
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] f = line.split("\t", -1);
            Job job = new Job(f[0], Integer.parseInt(f[1]), Integer.parseInt(f[2]), f[3], f[4], f[5], f[6], f[7]);
            if (args.length > 2 && !job.name.matches(args[2])) {
                continue;
            }
            for (String result : job.restore() ? restore(job) : List.of(measure(job))) {
                String row = EnvironmentInformation.getVersion() + "\t" + job.name + "\t" + result + "\n";
                System.out.print(row);
                Files.writeString(Path.of(args[1]), row, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        }
        System.exit(0);
    }

    private static String measure(Job job) throws Exception {
        // The job runs with "runs" buffers and fails with "fails", for the reason in message; steps double until both are known.
        int runs = 0, fails = 0;
        String message = "";
        for (int at = Integer.parseInt(job.guess), step = 1; runs == 0; at += step, step *= 2) {
            Outcome o = run(job, at, "");
            if (o.failure.isPresent()) {
                fails = at;
                message = o.failure.get();
            } else {
                runs = at;
            }
        }
        for (int at = runs - 1, step = 1; fails == 0; at = Math.max(at - step, 1), step *= 2) {
            Outcome o = run(job, at, "");
            if (o.failure.isPresent()) {
                fails = at;
                message = o.failure.get();
            } else {
                runs = at;
            }
        }
        while (fails + 1 < runs) {
            int middle = (fails + runs) / 2;
            Outcome o = run(job, middle, "");
            if (o.failure.isPresent()) {
                fails = middle;
                message = o.failure.get();
            } else {
                runs = middle;
            }
        }
        return runs + "\t" + message;
    }

    /** Tries each of the numbers of buffers of the job; which one is the least depends on timing. */
    private static List<String> restore(Job job) throws Exception {
        Path folder = Files.createTempDirectory("thresholds");
        try {
            String checkpoint = checkpoint(job, folder);
            List<String> out = new ArrayList<>();
            for (String n : job.guess.split(",")) {
                out.add(n + "\t" + run(job, Integer.parseInt(n), checkpoint).failure.orElse("runs"));
            }
            return out;
        } finally {
            try (var files = Files.walk(folder)) {
                for (Path p : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                    Files.delete(p);
                }
            }
        }
    }

    private static Configuration configuration(Job job, int buffers) {
        Configuration conf = new Configuration();
        String size = (long) buffers * job.segment() + "b";
        conf.setString("taskmanager.memory.network.min", size);
        conf.setString("taskmanager.memory.network.max", size);
        conf.setString("taskmanager.memory.managed.size", "64m");
        conf.setString("rest.port", "0");
        conf.setString("rest.bind-port", "0");
        conf.setString("restart-strategy.type", "none");
        // A job that cannot get its buffers is given up soon; a restore takes a few seconds.
        conf.setString("taskmanager.network.memory.exclusive-buffers-request-timeout-ms", job.restore() ? "30000" : "3000");
        for (String o : job.options.isEmpty() ? new String[0] : job.options.split(" ")) {
            conf.setString(o.substring(0, o.indexOf('=')), o.substring(o.indexOf('=') + 1));
        }
        return conf;
    }

    /** Enough for every pool's maximum of the jobs here. */
    private static final int PLENTY = 2048;

    /** Until the queues are full. The sinks take about a thousand records a second, the sources make far more. */
    private static final long FILL_MILLIS = 5_000;

    /** Takes an unaligned checkpoint while the queues are full. */
    private static String checkpoint(Job job, Path folder) throws Exception {
        Configuration conf = configuration(job, PLENTY);
        boolean apart = job.mode.equals("restore");
        int taskManagers = apart ? job.subtasks() : job.taskManagers, slots = apart ? 1 : job.slots;
        MiniClusterConfiguration cluster = new MiniClusterConfiguration.Builder().setConfiguration(conf).setNumTaskManagers(taskManagers).setNumSlotsPerTaskManager(slots).build();
        try (MiniCluster mini = new MiniCluster(cluster)) {
            mini.start();
            conf.setString("execution.checkpointing.dir", folder.toUri().toString());
            conf.setString("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
            JobGraph graph = graph(job, conf, apart);
            mini.submitJob(graph).get();
            Outcome o = await(mini, graph.getJobID(), false, false);
            if (o.failure.isPresent()) {
                throw new IllegalStateException("no checkpoint: " + o.failure.get());
            }
            Thread.sleep(FILL_MILLIS);
            String path = mini.triggerCheckpoint(graph.getJobID()).get();
            mini.cancelJob(graph.getJobID()).get();
            System.err.println(job.name + ": " + path);
            return path;
        }
    }

    private static Outcome run(Job job, int buffers, String checkpoint) throws Exception {
        Configuration conf = configuration(job, buffers);
        MiniClusterConfiguration cluster = new MiniClusterConfiguration.Builder().setConfiguration(conf).setNumTaskManagers(job.taskManagers).setNumSlotsPerTaskManager(job.slots).build();
        try (MiniCluster mini = new MiniCluster(cluster)) {
            mini.start();
            JobGraph graph = graph(job, conf, false);
            if (!checkpoint.isEmpty()) {
                graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(checkpoint, false));
            }
            mini.submitJob(graph).get();
            Outcome outcome = await(mini, graph.getJobID(), job.batch(), true);
            System.err.println(job.name + " with " + buffers + ": " + outcome.failure.orElse("runs"));
            return outcome;
        }
    }

    private static final Pattern SHORTAGE = Pattern.compile("Insufficient number of network buffers: required \\d+, but only \\d+ available\\. The total number of network buffers is currently set to \\d+|Timeout triggered when requesting exclusive buffers");

    /** A channel that gets no buffers fails its task shortly after it was reported as running. */
    private static final long STEADY_NANOS = 1_500_000_000L;

    private static Outcome await(MiniCluster mini, JobID id, boolean batch, boolean cancel) throws Exception {
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
                if (cancel) {
                    mini.cancelJob(id).get();
                }
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

    /** Where subtasks of one run wait for each other, by name. All TaskManagers are in this process. */
    private static final Map<String, CountDownLatch> BARRIERS = new ConcurrentHashMap<>();

    private static final AtomicInteger RUNS = new AtomicInteger();

    /** A subtask that waits for the others of its stage before the first record, and then takes its time with each record. */
    private static final class Stage extends RichMapFunction<Long, Long> {
        private final String barrier;
        private final int subtasks;
        private final long millis;

        Stage(String barrier, int subtasks, long millis) {
            this.barrier = barrier;
            this.subtasks = subtasks;
            this.millis = millis;
        }

        @Override
        public void open(OpenContext context) throws Exception {
            CountDownLatch all = BARRIERS.computeIfAbsent(barrier, k -> new CountDownLatch(subtasks));
            all.countDown();
            if (!all.await(60, TimeUnit.SECONDS)) {
                throw new IOException("the others of " + barrier + " did not come");
            }
        }

        @Override
        public Long map(Long x) throws Exception {
            if (millis > 0) {
                Thread.sleep(millis);
            }
            return x;
        }
    }

    /** Vertices "name:parallelism[@group]" and edges "from-STRATEGY->to", in topological order; apart gives each vertex slots of its own. */
    private static JobGraph graph(Job job, Configuration conf, boolean apart) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(conf);
        boolean batch = job.batch();
        env.setRuntimeMode(batch ? RuntimeExecutionMode.BATCH : RuntimeExecutionMode.STREAMING);
        if (job.restore()) {
            // Checkpoints are triggered by hand.
            env.enableCheckpointing(3_600_000);
            env.getCheckpointConfig().enableUnalignedCheckpoints();
        }
        int run = RUNS.incrementAndGet();
        Map<String, DataStream<Long>> streams = new LinkedHashMap<>();
        // A stage waits for its subtasks. In a batch it is what has as many blocking exchanges before it; while restoring it is a vertex, and sources
        // wait for nobody, since their output may have to be consumed before they open; elsewhere it is the job.
        Map<String, Integer> stages = new LinkedHashMap<>(), width = new LinkedHashMap<>();
        for (String vertex : job.vertices.split(" ")) {
            String name = vertex.substring(0, vertex.indexOf(':'));
            int stage = 0;
            for (String edge : job.edges.split(" ")) {
                if (batch && edge.endsWith(">" + name)) {
                    stage = Math.max(stage, stages.get(edge.substring(0, edge.indexOf('-'))) + 1);
                }
            }
            stages.put(name, job.restore() ? stages.size() : stage);
            width.merge(run + "." + stages.get(name), Integer.parseInt(vertex.replaceAll("\\w+:(\\d+).*", "$1")), Integer::sum);
        }
        for (String vertex : job.vertices.split(" ")) {
            Matcher v = Pattern.compile("(\\w+):(\\d+)(?:@(\\w+))?").matcher(vertex);
            if (!v.matches()) {
                throw new IllegalArgumentException(vertex);
            }
            String name = v.group(1), group = apart ? name : v.group(3), barrier = run + "." + stages.get(name);
            int parallelism = Integer.parseInt(v.group(2));
            int together = job.restore() && job.edges.indexOf(">" + name) < 0 ? 1 : batch ? Math.min(width.get(barrier), job.taskManagers * job.slots) : width.get(barrier);
            DataStream<Long> in = null;
            boolean sink = true;
            for (String edge : job.edges.split(" ")) {
                Matcher e = Pattern.compile("(\\w+)-(\\w+)->(\\w+)").matcher(edge);
                if (!e.matches()) {
                    throw new IllegalArgumentException(edge);
                }
                sink &= !e.group(1).equals(name);
                if (e.group(3).equals(name)) {
                    DataStream<Long> one = partitioned(streams.get(e.group(1)), e.group(2));
                    in = in == null ? one : in.union(one);
                }
            }
            SingleOutputStreamOperator<Long> s;
            if (in == null) {
                // The source and its brake are one task. Under back pressure the sink is the brake.
                SingleOutputStreamOperator<Long> source = env.fromSequence(0, batch ? 100 : Long.MAX_VALUE).setParallelism(parallelism).uid(name + "-source");
                if (group != null) {
                    source.slotSharingGroup(group);
                }
                s = source.map(new Stage(barrier, together, batch || job.restore() ? 0 : 200)).returns(Long.class).setParallelism(parallelism);
            } else {
                s = in.map(new Stage(barrier, together, job.restore() && sink ? 1 : 0)).returns(Long.class).setParallelism(parallelism).disableChaining();
            }
            if (group != null) {
                s.slotSharingGroup(group);
            }
            streams.put(name, s.uid(name));
        }
        return env.getStreamGraph().getJobGraph();
    }

    /** Each edge has an object of its own: Flink lets edges of a batch share a partition when their key selectors are equal. */
    private static final class Key implements KeySelector<Long, Long> {
        @Override
        public Long getKey(Long x) {
            return x;
        }
    }

    private static DataStream<Long> partitioned(DataStream<Long> s, String strategy) {
        switch (strategy) {
            case "HASH":
                return s.keyBy(new Key(), Types.LONG);
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
