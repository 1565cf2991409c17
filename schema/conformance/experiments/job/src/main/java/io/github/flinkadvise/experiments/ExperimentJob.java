package io.github.flinkadvise.experiments;

import java.util.Locale;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A chain of stages with hash exchanges between them, whose last stage may act out an incident.
 *
 * <pre>
 * --name NAME          job name
 * --stages P,P,...     parallelism of the source, of the stages in between, and of the sink
 * --records N          records in all, 0 for endless
 * --rate N             records per second of each source subtask, 0 for no limit
 * --record-size N      payload of a record, bytes
 * --keys N             number of keys
 * --delay MS           time the last stage takes for each record
 * --state-bytes N      size of the state that the last stage keeps per key
 * --act ACT            none, fail, heap, direct, metaspace, ignore-interrupts
 * --act-after N        records that a subtask of the last stage takes before it acts
 * </pre>
 *
 * Everything else (checkpoints, state backend, restarts) comes from the Flink configuration, which is what the
 * experiments are about.
 */
public final class ExperimentJob {
    private ExperimentJob() {}

    public static void main(String[] args) throws Exception {
        Options options = Options.parse(args);
        String[] stages = options.text("stages", "1,1").split(",");
        long records = options.number("records", 0);
        long keys = options.number("keys", 1024);
        Stage.Act act = Stage.Act.valueOf(
                options.text("act", "none").toUpperCase(Locale.ROOT).replace('-', '_'));

        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        TypeInformation<Tuple2<Long, byte[]>> type =
                Types.TUPLE(Types.LONG, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

        DataStream<Tuple2<Long, byte[]>> stream = env
                .fromSource(
                        // Half of the range: the splits are counted in long, and the whole range would overflow.
                        new NumberSequenceSource(1, records > 0 ? records : Long.MAX_VALUE / 2),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .setParallelism(Integer.parseInt(stages[0]))
                .map(new Pace(options.number("rate", 0), (int) options.number("record-size", 100)))
                .returns(type)
                .name("pace")
                .setParallelism(Integer.parseInt(stages[0]));

        for (int i = 1; i < stages.length; i++) {
            boolean last = i == stages.length - 1;
            Stage stage = last
                    ? new Stage(
                            act,
                            options.number("act-after", 0),
                            options.number("delay", 0),
                            (int) options.number("state-bytes", 0),
                            true)
                    : new Stage(Stage.Act.NONE, 0, 0, 0, false);
            SingleOutputStreamOperator<Tuple2<Long, byte[]>> next = stream
                    .keyBy(record -> record.f0 % keys, Types.LONG)
                    .process(stage)
                    .returns(type)
                    .name(last ? "sink" : "stage-" + i)
                    .setParallelism(Integer.parseInt(stages[i]));
            stream = next;
        }
        env.execute(options.text("name", "experiment"));
    }
}
