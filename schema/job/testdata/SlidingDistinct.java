// Prints the two plans of a small SQL job: what flink info shows (NAME-info.json) and what GET /jobs/<id>/plan answers (NAME-rest.json). The
// sliding-*.json files beside it were made with the lib folder of a Flink distribution on the class path:
//
//	javac -cp "$FLINK/lib/*" -d out SlidingDistinct.java && java -cp "$FLINK/lib/*:out" SlidingDistinct sliding-1.20.5
//
// Flink 1.13 on Java 17 also needs --add-opens java.base/{java.lang,java.lang.invoke,java.util}=ALL-UNNAMED, and has no JacksonMapperFactory: there
// generatePlan returns text already, and the other branch is to be cut.
import java.nio.file.Files;
import java.nio.file.Paths;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.jsonplan.JsonPlanGenerator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.util.jackson.JacksonMapperFactory;

public class SlidingDistinct {
    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(4);
        StreamTableEnvironment tables = StreamTableEnvironment.create(env);
        tables.executeSql(
                "CREATE TABLE visits (org STRING, visitor BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) "
                        + "WITH ('connector'='datagen')");
        Table counts =
                tables.sqlQuery(
                        "SELECT org, window_end, COUNT(DISTINCT visitor) c "
                                + "FROM TABLE(HOP(TABLE visits, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '15' MINUTE)) "
                                + "GROUP BY org, window_start, window_end");
        tables.toDataStream(counts)
                .rebalance()
                .map(row -> row.toString())
                .returns(String.class)
                .setParallelism(2)
                .filter(text -> text.length() < 9)
                .setParallelism(2)
                .print()
                .setParallelism(2);
        StreamGraph graph = env.getStreamGraph();
        Files.writeString(Paths.get(args[0] + "-info.json"), graph.getStreamingPlanAsJSON());
        Object plan = JsonPlanGenerator.class.getMethod("generatePlan", JobGraph.class).invoke(null, graph.getJobGraph());
        String text = plan instanceof String ? (String) plan : JacksonMapperFactory.createObjectMapper().writeValueAsString(plan);
        Files.writeString(Paths.get(args[0] + "-rest.json"), text);
    }
}
