package conformance;

/** Inputs chosen by hand: the examples of the notes, and every refusal at its edge. */
final class HandPicked {
    private HandPicked() {}

    private static final String P = "taskmanager.memory.process.size=";

    static final String[] MEMORY = {
        "tm;standalone",
        "jm;standalone",
        "tm;standalone;" + P + "1728m",
        "tm;native;" + P + "1728m",
        "tm;standalone;" + P + "1568m",
        "tm;standalone;taskmanager.memory.flink.size=1280m",
        "tm;standalone;" + P + "4g;taskmanager.numberOfTaskSlots=2",
        "tm;standalone;" + P + "4g;taskmanager.numberOfTaskSlots=3",
        "tm;standalone;" + P + "20g;taskmanager.numberOfTaskSlots=4",
        "tm;standalone;" + P + "39680m;taskmanager.numberOfTaskSlots=8;taskmanager.cpu.cores=16",
        "tm;standalone;" + P + "39g;taskmanager.memory.jvm-metaspace.size=512m;taskmanager.numberOfTaskSlots=8",
        "tm;standalone;taskmanager.memory.task.heap.size=1g;taskmanager.memory.managed.size=2g",
        "tm;standalone;taskmanager.memory.task.heap.size=1g;taskmanager.memory.managed.size=0",
        "tm;standalone;taskmanager.memory.task.heap.size=1g;taskmanager.memory.managed.size=2g;taskmanager.memory.flink.size=4g",
        "tm;standalone;taskmanager.memory.task.heap.size=1g",
        "tm;standalone;taskmanager.memory.managed.size=1g",
        "tm;standalone;" + P + "abc", "tm;standalone;" + P + "1.5g", "tm;standalone;taskmanager.memory.flink.size=2Gi",
        "tm;standalone;" + P + "400m", "tm;standalone;" + P + "448m", "tm;standalone;" + P + "469762047", "tm;standalone;" + P + "700m", "tm;standalone;" + P + "1g",
        "tm;standalone;taskmanager.memory.flink.size=512m",
        "tm;standalone;" + P + "2g;taskmanager.memory.network.min=256m;taskmanager.memory.network.max=128m",
        "tm;standalone;" + P + "2g;taskmanager.memory.managed.fraction=1.0",
        "tm;standalone;" + P + "2g;taskmanager.memory.managed.fraction=1.0;taskmanager.memory.managed.size=1m",
        "tm;standalone;" + P + "2g;taskmanager.memory.network.fraction=abc",
        "tm;standalone;" + P + "2g;taskmanager.memory.managed.fraction=abc;taskmanager.memory.managed.size=1m",
        "tm;standalone;taskmanager.memory.flink.size=4g;taskmanager.memory.task.heap.size=3g",
        "tm;standalone;taskmanager.memory.flink.size=4g;taskmanager.memory.task.heap.size=1g;taskmanager.memory.managed.size=1g",
        "tm;standalone;taskmanager.memory.flink.size=3g;" + P + "3200m",
        "tm;standalone;taskmanager.memory.flink.size=3g;" + P + "3328m",
        "tm;standalone;taskmanager.memory.flink.size=3g;" + P + "4g",
        "tm;native;taskmanager.memory.flink.size=3g;" + P + "4g",
        "tm;standalone;taskmanager.memory.flink.size=3g;" + P + "5g",
        "tm;standalone;taskmanager.memory.task.heap.size=1g;taskmanager.memory.managed.size=2g;" + P + "4g",
        "tm;standalone;taskmanager.memory.task.heap.size=1g;taskmanager.memory.managed.size=9223372036854775807",
        "tm;standalone;" + P + "2g;taskmanager.cpu.cores=0",
        "tm;standalone;" + P + "10g;taskmanager.cpu.cores=10", "tm;standalone;" + P + "10g;taskmanager.cpu.cores=1;taskmanager.numberOfTaskSlots=3",
        "tm;standalone;" + P + "10g;taskmanager.cpu.cores=0.1;taskmanager.numberOfTaskSlots=7", "tm;standalone;" + P + "10g;taskmanager.cpu.cores=20000",
        "tm;standalone;" + P + "10g;taskmanager.cpu.cores=1e-5", "tm;standalone;" + P + "10g;taskmanager.cpu.cores=12345678.5;taskmanager.numberOfTaskSlots=1000",
        "tm;standalone;" + P + "8g;taskmanager.memory.jvm-overhead.fraction=0.25;taskmanager.memory.jvm-overhead.max=4g",
        "tm;native;" + P + "8g;taskmanager.memory.jvm-overhead.fraction=0.25;taskmanager.memory.jvm-overhead.max=4g",
        "tm;native;" + P + "1988m", "tm;native;" + P + "8g;kubernetes.taskmanager.cpu=2.5", "tm;native;" + P + "8g;kubernetes.taskmanager.cpu.amount=2.5",
        "tm;standalone;taskmanager.heap.size=1024m", "tm;native;taskmanager.heap.size=1024m", "tm;standalone;taskmanager.heap.mb=1024", "tm;native;taskmanager.heap.mb=1024",
        "tm;standalone;taskmanager.heap.size=1g;" + P + "2g", "tm;standalone;taskmanager.heap.size=1g;taskmanager.heap.mb=2048", "tm;standalone;taskmanager.heap.size=abc", "tm;standalone;taskmanager.heap.mb=-1",
        "tm;standalone;taskmanager.heap.mb=1g", "tm;standalone;taskmanager.heap.size=0",
        "tm;standalone;" + P + "1728m;taskmanager.network.numberOfBuffers=8192",
        "tm;standalone;" + P + "1728m;taskmanager.network.numberOfBuffers=8192;taskmanager.memory.network.fraction=0.1",
        "tm;standalone;" + P + "4g;taskmanager.network.numberOfBuffers=8192;taskmanager.memory.segment-size=64kb",
        "tm;standalone;" + P + "4g;taskmanager.network.numberOfBuffers=8192;taskmanager.memory.segment-size=5000",
        "tm;standalone;taskmanager.memory.flink.size=4g;taskmanager.memory.task.heap.size=1g;taskmanager.network.numberOfBuffers=8192",
        "tm;standalone;taskmanager.memory.flink.size=4g;taskmanager.memory.task.heap.size=3g;taskmanager.memory.managed.size=512m;taskmanager.network.numberOfBuffers=8192",
        "tm;standalone;" + P + "4g;taskmanager.memory.segment-size=64kb", "tm;standalone;" + P + "4g;taskmanager.memory.segment-size=4095",
        "tm;standalone;" + P + "4g;taskmanager.memory.segment-size=5000", "tm;standalone;" + P + "4g;taskmanager.memory.segment-size=8t",
        "tm;standalone;" + P + "4g;taskmanager.numberOfTaskSlots=0", "tm;standalone;" + P + "4g;taskmanager.numberOfTaskSlots=-1", "tm;standalone;" + P + "4g;taskmanager.numberOfTaskSlots=-1;taskmanager.cpu.cores=1",
        "tm;standalone;" + P + "4g;taskmanager.numberOfTaskSlots=0;taskmanager.cpu.cores=1", "tm;standalone;" + P + "4g;taskmanager.numberOfTaskSlots=-7;taskmanager.cpu.cores=1",
        "tm;standalone;taskmanager.memory.flink.size=256t", "tm;standalone;" + P + "8388607t", "tm;standalone;taskmanager.memory.flink.size=9223372036854775807",
        "tm;standalone;" + P + "10g;taskmanager.memory.jvm-overhead.fraction=0", "tm;standalone;" + P + "2g;taskmanager.memory.managed.fraction=0",
        "tm;standalone;" + P + "64g;taskmanager.memory.network.max=1g", "tm;standalone;" + P + "3333333333;taskmanager.memory.managed.fraction=0.333;taskmanager.memory.network.fraction=0.111;taskmanager.memory.jvm-overhead.fraction=0.077",
        "jm;standalone;jobmanager.memory.process.size=1600m", "jm;standalone;jobmanager.memory.flink.size=1g", "jm;standalone;jobmanager.memory.heap.size=2g",
        "jm;standalone;jobmanager.memory.heap.size=2g;jobmanager.memory.off-heap.size=512m", "jm;standalone;jobmanager.memory.heap.size=1g;jobmanager.memory.flink.size=1280m",
        "jm;standalone;jobmanager.memory.heap.size=1g;jobmanager.memory.flink.size=1g", "jm;standalone;jobmanager.memory.process.size=4g", "jm;standalone;jobmanager.memory.process.size=16g",
        "jm;standalone;jobmanager.memory.flink.size=128m", "jm;standalone;jobmanager.memory.process.size=448m", "jm;standalone;jobmanager.memory.process.size=400m",
        "jm;standalone;jobmanager.memory.heap.size=1g;jobmanager.memory.off-heap.size=128m;jobmanager.memory.flink.size=1g",
        "jm;standalone;jobmanager.memory.heap.size=1g;jobmanager.memory.off-heap.size=128m;jobmanager.memory.flink.size=1152m",
        "jm;standalone;jobmanager.memory.heap.size=2g;jobmanager.memory.flink.size=1g",
        "jm;standalone;jobmanager.heap.size=1024m", "jm;native;jobmanager.heap.size=1024m", "jm;standalone;jobmanager.heap.mb=1024", "jm;native;jobmanager.heap.mb=1024",
        "jm;standalone;jobmanager.heap.size=1024", "jm;standalone;jobmanager.heap.size=1g;jobmanager.memory.process.size=3g", "jm;standalone;jobmanager.heap.size=1g;jobmanager.memory.heap.size=3g",
        "jm;standalone;jobmanager.memory.process.size=1600m;jobmanager.memory.enable-jvm-direct-memory-limit=true", "jm;standalone;jobmanager.memory.process.size=1600m;jobmanager.memory.enable-jvm-direct-memory-limit=yes",
        "jm;standalone;jobmanager.memory.heap.size=9223372036854775807", "jm;standalone;jobmanager.memory.heap.size=1g;jobmanager.memory.process.size=9223372036854775807",
    };

    static final String[] MEMORY_SIZES = {
        "", " ", "0", "1", "1024", "1k", "1K", "1kb", "1 kb", "1KB", "1Kb", "1kibibytes", "1m", "1 M", "1MB", "1mebibytes", "1g", "1G", "1gb", "1gibibytes", "1t", "1tb", "1tebibytes", "1b", "1B", "1bytes", "1byte",
        " 12 mb ", "12\tmb", "12\u00a0mb", "\u00a012mb", "1.5g", "1,5g", "-1", "+1", "1_000", "1e9", "2Gi", "2GiB", "2gib", "20%", "abc", "m", "mb", "1 m b", "1mm", "1gb 512mb", "01g", "007", "0x10", "9223372036854775807",
        "9223372036854775808", "99999999999999999999", "8388607t", "8388608t", "16777216t", "8589934591g", "8589934592g", "9007199254740991k", "9007199254740992k", "18014398509481984k", "1088m", "1344m", "1536k", "1025",
        "1048576", "1048577", "1073741824", "1099511627776", "1t", "5t", "1023", "1025k", "1073741825", "805306378", "134217730", "\u0661m", "\uff11m", "1\u041c", "1\u212a", "1\u212ab", "1 \u0000m", "'1g'", "\"1g\"", "4294967295", "2097151g"};

    static final String[] DURATIONS = {
        "", " ", "0", "1", "100", "1ms", "1 ms", "1s", "1S", "1sec", "1secs", "1second", "1seconds", "1m", "1M", "1min", "1minute", "1minutes", "1h", "1H", "1hour", "1hours", "1d", "1day", "1days", "1 D", "1milli", "1millis",
        "1millisecond", "1milliseconds", "1\u00b5s", "1\u03bcs", "1\u039cs", "1us", "1micro", "1micros", "1microsecond", "1microseconds", "1ns", "1nano", "1nanos", "1nanosecond", "1nanoseconds", "1mins", "1 hrs", "1w", "1y",
        "1h 30m", "1.5s", "-1", "-1s", "+1s", "1_000", "abc", "s", "10  s", " 10 s ", "10\ts", "10\u00a0s", "PT1H", "pt1h", "PT-1H", "-PT1H", "P1D", "P1DT2H", "PT10S", "PT0.5S", "P1W", "P1Y", "PT", "P", "PT1H30M", "T1H", "1PT", " PT5M ",
        "9223372036854775807", "9223372036854775808", "9223372036854775807ns", "9223372036854775808ns", "9223372036854775807ms", "9223372036854775807s", "9223372036854775808s", "9223372036854775807min", "9223372036854775807d",
        "153722867280912930min", "153722867280912931min", "106751991167300d", "106751991167301d", "106751d", "106752d", "9223372036s", "9223372037s", "9223372036854ms", "9223372036855ms", "99999999999999999999ns", "60000", "3600000", "86400000",
        "60s", "61s", "120 s", "24h", "25h", "48h", "90min", "1500ms", "1000000ns", "1000001ns", "86400s", "604800 s", "0s", "0 d", "00010s", "1000us", "1000000micros", "\uff11s", "\u0661s", "'10 s'", "2147483647", "1 \u0000s", "1S\u0001"};

    static final String[] BOOLEANS = {"true", "false", "True", "FALSE", "tRuE", " true", "true ", "yes", "no", "on", "off", "1", "0", "", "t", "'true'", "\"false\"", "truefalse", "TR\u00dcE", "\u212arue", "tru\u0435"};

    static final String[] ENUMS = {
        "EXACTLY_ONCE", "exactly_once", "Exactly_Once", "exactly-once", " EXACTLY_ONCE", "EXACTLY_ONCE ", "NO_CLAIM", "no_claim", "DASHED", "dashed", "dashed-name", "DASHED-NAME", "dashed_name", "", "EXACTLY", "exactly_\u00f6nce", "'NO_CLAIM'", "no_cla\u0131m", "NO_CLA\u0130M"};

    static final String[] INTEGERS = {
        "0", "1", "-1", "+1", "+0", "-0", "007", "2147483647", "2147483648", "-2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "", " ", " 1", "1 ", "1_000", "1,000",
        "1.0", "1e3", "0x1F", "010", "0b1", "1k", "1L", "--1", "+-1", "+", "-", "abc", "\uff11\uff12", "\u0661", "1\u0660", "\u2212" + "1", "00000000000000000000001", "'1'", "1\u0000", "\u09e7"};

    static final String[] FLOATS = {
        "0", "1", "-1", "+1", "0.1", "0.4", "0.25", "1.", ".5", ".", "-.5", "+.5e1", "1e3", "1E3", "1e+3", "1e-3", "1e", "e1", "1e400", "1e-400", "1e39", "3.4028235e38", "3.4028236e38", "1.7976931348623157e308", "1.7976931348623159e308",
        "4.9e-324", "2.4e-324", "1.4e-45", "0.7e-45", "NaN", "nan", "-NaN", "+NaN", "Infinity", "-Infinity", "+Infinity", "infinity", "inf", "INF", ".inf", "0.4f", "0.4F", "0.4d", "0.4D", "0.4ff", "1f", "fd", "f", "0x1p3", "0x1.8p1", "0X1P-2", "0x1", "0x.8p0",
        "0x1p", "0x1p3f", "0x1.p1", "0xp1", "0x1p1024", "0x1p-1075", " 0.4", "0.4 ", "\t0.4\n", "0.4\u00a0", "\u00010.4", "0,5", "50%", "1_0", "1_0.5", "", " ", "abc", "1.2.3", "--1", "0.30000001192092896", "0.1000000014901161193847656250001", "16777217", "33554433",
        "9007199254740993", "0.1" + "0000000000000000000000001", "123456789012345678901234567890", "0.000001", "1000000", "10000000", "1.0E7", "12345678.9", "0.001", "0.0001", "1.0E-5", "100", "2.0E-3", "9.999999e6", "1e7", "1.17549435E-38", "2.2250738585072014E-308",
        "2.2250738585072011e-308", "1e23", "2e-44", "8.41E21", "2.0e0", "5e-324", "0e0", "-0", "-0.0", "0x0p0", "\uff11", "1e99999999999", "1e-99999999999", "0e99999999999", "Infinity ", "InfinityF", "NaNf", "0.4L", "1e3f"};

    static final String[] LISTS = {
        "", " ", ";", ";;", ",", ",,", ":", "a", " a ", "a;b", "a; b", " a ;b ", "a;;b", "a;", ";a", "a,b", "a:b", "a:b,c:d", "a:b;c:d", "a:b,a:c", "a:b,", ",a:b", "a:b,,c:d", "a:", ":b", "a::b", "a:b:c", "a : b , c : d", "'a'", "'a;b'", "\"a;b\"", "'a'';b'",
        "\"a\"\"b\"", "'a", "a'", "\"a", "a\"", "'a'b", "'a' ", " 'a'", "'a' b", "a'b'c", "a;'b", "''", "\"\"", "'';''", "' a '", "'a:b':c", "a:'b:c'", "a:'http://h:1'", "a:http://h:1", "'a:b,c:d'", "'a':'b','c':'d'", "a:b;'c", "'a':b'", "a:b 'c'",
        "[a, b]", "[a,b]", "[a;b]", "[ a ]", "[]", "[a", "a]", "[1, 2]", "[1, x]", "1;2", "1; x", "[true, 1.0, null]", "[~]", "[a, ~, b]", "- a", "- a\n- b", "{a: b}", "{a: b, c: d}", "{a:b}", "{}", "{a: 1, b: 2.0, c: true}", "{a: ~}", "{a: {b: c}}", "{a: [b, c]}",
        "{1: a}", "{a: b, a: c}", "a: b", "a: b, c: d", "a: b\nc: d", "[{a: b}, {c: d}]", "[{a: b}]", "a:b,c:d;e:f", "[a: b]", "[[a, b], c]", "'[a, b]'", "10 s", "10 s;1 min", "[10 s, 1 min]", "[10, 1.5]", "1m;2m", "a#b", "a #b", "#a", "a: #b", "*", "*:*", "*:*:*;a:b",
        "&a", "&a b", "*a", "!a", "!!int 3", "%a", "@a", "`a`", "|", ">", "? a", "a\tb", "a\u00a0;b", "\u00e9;\u65e5\u672c", "null", "~", "true", "1", "010", "1.0", "0x1F", "1e3", "2024-01-01", "---", "--- a", "...", "a\n---\nb", "\\", "a\\;b", "\"a\\nb\"",
        "\"a\\x41\"", "\"\\q\"", "OPERATOR:70,PYTHON:30", "OPERATOR: 70, PYTHON: 30", "STATE_BACKEND:70,OPERATOR:70,PYTHON:30", "key:k1,operator:Equal,value:v1,effect:NoSchedule;key:k2,operator:Exists", "k:'a,b'", "k:\"a,b\"", "'k:a':v", "k:a;b",
        "[a, b]; c", "a; [b, c]", "[\"a\", 'b']", "['a'';b']", "[a b, c  d]", "[ ]", "{ }", "{a: 'x, y'}", "{'a:b': c}", "{a: 010}", "{a: 1.20}", "[010, 1.20]", "[0x10]", "{a: \"1\"}", "{true: 1}", "{a: 10:30}", "[a:b, c:d]", "[a:b,c:d]"};

    static final String[] YAML_SCALARS = {
        "", "~", "null", "Null", "NULL", "nUll", "true", "True", "TRUE", "tRue", "false", "yes", "no", "on", "off", "y", "n", "0", "1", "-1", "+1", "-0", "+0", "010", "007", "-010", "00", "0o10", "0o18", "-0o10", "0O10", "0x1F", "0xff", "0XFF", "-0x1F", "0x", "0xG", "0b11",
        "1_000", "1,000", "2147483647", "2147483648", "-2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "99999999999999999999", "0x7fffffff", "0x80000000", "0xffffffffffffffff", "0o777777777777777777777",
        "1.0", "1.20", "1.", ".5", "-.5", "+.5", ".", "..5", "1.2.3", "1e3", "1E3", "1e+3", "1e-3", "1.e3", ".5e1", "12e4567", "-12e4567", "1e-4567", "1e", "e3", "1.5e3.2", ".inf", "-.inf", "+.inf", ".Inf", ".INF", ".iNf", "inf", ".nan", ".NaN", ".NAN", ".Nan", "nan", "-.nan",
        "0.1", "0.4", "0.30000001192092896", "16777217", "16777217.0", "1e10", "1.0E10", "1e39", "-1e39", "3.4028235677973366e38", "1e-46", "123456789.0", "0.00001", "100.0", "1e7", "1e6", "1e21", "1e22", "4.0", "1024.0", "1e9", "-0.0", "0.0", "+1.5", "123456789012345678901234567890", "1.7976931348623157e308",
        "2024-01-01", "2024-01-01T00:00:00Z", "10:30", "1:30:00", "12:30:45.5", "<<", "=", "-", "--", "---", "- a", "?", "? a", ":", "::", ":a", "a:", "a:b", "a: b", "a:b:c", "a b", "a  b", " a ", "a#b", "a #b", "a# b", "#a", "a,b", "a;b", "[a, b]", "[]", "[a", "{a: b}", "{}", "{a", "[1, 2]", "[010, 1.20]",
        "[a, ~]", "[a, [b]]", "[\"a;b\", 'c,d']", "['it''s']", "{a: 1, b: 2.0}", "{a: }", "{a}", "[true]", "'a'", "'a''b'", "'a", "a'", "'a' b", "\"a\"", "\"a\\tb\"", "\"a\\nb\"", "\"\\u00e9\"", "\"\\U0001F600\"", "\"\\x41\"", "\"\\q\"", "\"a", "\"a\\\"b\"", "\"\\/\"", "\"\\ a\"", "\"\\0\"", "\"\\N\\_\\L\\P\\e\"",
        "''", "\"\"", "'true'", "\"1\"", "'~'", "'1 g'", "1g", "1 gb", "10 s", "1024m", "\"10 min\"", "PT1H", "1728m # default", "*a", "&a", "&a 1", "&a b", "!a", "!a b", "!!str 1", "!!str", "!!str true", "!!int 3", "!!int \"3\"", "!!int x", "!!float 3", "!!float 1.5", "!!bool true", "!!bool yes", "!!null a",
        "!!null ''", "!!timestamp 2024-01-01", "!!map {a: b}", "!!seq [a]", "!!set {a}", "! 1", "! a", "!<tag:yaml.org,2002:str> 1", "!<x> 1", "@a", "`a", "%a", "|", ">", "|\n  a\n  b", ">\n  a\n  b", "|-\n  a", ">-\n  a\n\n  b", "|+\n  a\n\n", "|2\n   a", "| a", "\n  a", "\n  a\n  b", "\n  - a\n  - b", "\n- a\n- b",
        "\n  x: y", "a\n  b", "a\n b", "a\nb", "\ta", "a\t", "a\tb", "\t", "\u00e9", "\u65e5\u672c", "\ud83d\ude00", "\u00a0", "\u00a0a\u00a0", "\u0085", "\u2028", "\ufeff", "\u0000", "\u0007", "\u007f", "${HOME}", "$HOME", "$(x)", "*:*", "*:*:*", "a*b", "a&b", "a!b", "a%b", "a@b", "a|b", "a>b", "http://h:80/p", "-Dx=y -XX:+UseG1GC",
        "-XX:+A -Dx='a b'", "k1:v1,k2:v2", "k1: v1,k2: v2", "k:'a:b'", "EXACTLY_ONCE", "exactly_once", "dashed-name", "a\\b", "C:\\x", "\\", "]", "}", ",", ",a", "[,]", "[a,]", "[,a]", "[a,,b]", "{a: b,}", "[a b]", "[a: b]", "[a:b]", "{a:b}", "{\"a\":b}", "{a: b: c}", "[ 'a' : b ]", "{? a : b}", "[? a : b]"};

    static final String[] FLAT_FILES = {
        "", "\n", "#", "# c\n", "a: b", "a: b\n", "a: b\r\n", "a: b\rc: d\r", "a:b\n", "a:\tb\n", "a:\n", "a: \n", "a: # c\n", "a: x#y\n", "b: \"q # z\"\n", "a: hdfs://h:1/p: x\n", "a b: c\n", "a.b   : c\n", "a: \"v\"\n", "a: 'v'\n", "a: 1\na: 2\n",
        "jobmanager:\n  rpc:\n    port: 6123\n", "- foo: bar\n", "---\na: b\n", "a: |\n  x: y\n  z\n", "a: [x, y]\n", "\ufeffa: b\n", "\ufeff# c\na: b\n", "a: \u00a0b\u00a0\n", "\u00a0a: b\n", "a:\u00a0b\n", ": b\n", " : b\n", "a : b\n", "a :b\n", "a: b: c\n", "a:: b\n", "a: : b\n",
        "\ta: b\n", "a: b\t\n", "a: b\u0001\n", "\u0001a: b\n", "a: b\u0000c\n", "a: b\u000cc: d\n", "a: b\u000bc\n", "a: b\u0085c: d\n", "a: b\u2028c: d\n", "a: b\n\n\nc: d\n", "a: b # c # d\n", "#a: b\n  # x\nc: d#\n", "a: #\n", "a:  b\n", "a: b \n", "taskmanager.memory.process.size: 1728m\ntaskmanager.numberOfTaskSlots: 4\n",
        "\u00e9: \u00fc\n", "a: \u65e5\u672c\ud83d\ude00\n", "a: ''\n", "a: \"\"\n", "a: ~\n", "a: null\n", "a: {}\n", "%: b\n", "a=b: c\n", "a = b\n", "\\: b\n", "a: b\\\n  c\n", "a: &x 1\nb: *x\n", "<<: *x\n", "? a\n: b\n", "a: b\r\n\r\nc: d", "a: b\n\rc: d\n", "\r\r\na: b"};

    static final String[] YAML_FILES = {
        "", "\n", "# c\n", "---\n", "---\n---\n", "--- {}\n", "{}\n", "[]\n", "a\n", "- a\n", "null\n", "~\n", "1\n", "a: b\n", "a: b", "---\na: b\n", "---\na: b\n---\nc: d\n", "a: b\n...\n", "a: b\n...\nc: d\n", "a: b\n...\n---\n", "%YAML 1.2\n---\na: b\n", "%YAML 1.1\n---\na: yes\n", "%YAML 2.0\n---\na: b\n",
        "%TAG ! tag:x,2000:\n---\na: !y b\n", "%FOO bar\n---\na: b\n", "a:\n", "a: ~\n", "a: null\n", "a:\n  b:\n", "a: ''\n", "a: {}\n", "a: []\n", "a: b\na: c\n", "a.b: 1\na: {b: 2}\n", "a: {b: 2}\na.b: 1\n", "a:\n  b: 1\na.b: 2\n", "a: {b: 1, b: 2}\n", "1: x\n", "true: x\n", "null: x\n", "~: x\n", "1.5: x\n", "'1': x\n",
        "a: {1: x}\n", "[a]: x\n", "{a: b}: x\n", "? a\n: b\n", "? a\n", "? [a, b]\n: c\n", "a: b: c\n", "a:b\n", "a:b: c\n", "a : b\n", "'a': b\n", "\"a\": b\n", "\"a.b\".c: d\n", "a b: c\n", "a:\tb\n", "\ta: b\n", "a:\n\tb: c\n", "a: b\t# c\n", "a: b # c\n", "a: b# c\n", "a: 'b # c'\n", "a: \"b # c\"\n", "a: 'b' # c\n", "a: 'b'# c\n",
        "a: *x\n", "a: &x 1\nb: *x\n", "a: &x {c: 1}\nb: *x\n", "a: &x {c: 1}\nb:\n  <<: *x\n  d: 2\n", "a: &x [1, 2]\nb: *x\n", "a: &x 1\na2: &x 2\nb: *x\n", "*x : b\n", "&k a: b\n", "a: &x\n", "a: &x *x\n", "a: &x\n  b: *x\n", "a: |\n  x\n  y\n", "a: |-\n  x\n  y\n", "a: >\n  x\n  y\n\n  z\n", "a: >-\n  x\n   y\n  z\n", "a: |\nb: c\n", "a: |\n\n\nb: c\n", "a: |2\n  x\n",
        "a: |+\n  x\n\n\nb: c\n", "a: |1x\n  y\n", "a: >\n  x # no comment\n", "a: x\n  y\n", "a: x\ny\n", "a: 'x\n  y'\n", "a: \"x\\\n  y\"\n", "a: \"x\n\n  y\"\n", "a:\n  - x\n  - y\n", "a:\n- x\n- y\n", "a:\n - x\n  - y\n", "a: - x\n", "- a: b\n", "a:\n  - b: c\n    d: e\n  - f\n", "a:\n  -\n  - x\n", "a: [x, y\n", "a: [x,\n  y]\n", "a: [x,\ny]\n", "a: {x: 1,\n  y: 2}\n", "a: [x]]\n", "a: [x] y\n",
        "a: !x b\n", "a: !!str 123\n", "a: !!int x\n", "a: !!binary aGk=\n", "a: !!binary \"?\"\n", "a: !!set {b, c}\n", "a: !!omap [b: c]\n", "a: @x\n", "a: `x`\n", "a: %x\n", "a: x@y\n", "a: ,\n", "a: ]\n", "a: }\n", "a: :\n", "a: ?\n", "a: -\n", "a: --\n", "a: -x\n", "a: ?x\n", "a: :x\n", "a: '\n", "a: \"\n", "a: 'x''y'\n", "a: \"\\x4\"\n", "a: \"\\u00e9\\n\"\n",
        "\ufeffa: b\n", "\ufeff# c\na: b\n", "a: \u00e9\n", "\u65e5\u672c: \ud83d\ude00\n", "a: \u00a0b\n", "a: \u0000\n", "a: \u0007\n", "a: b\u0085c: d\n", "a: b\u2028c\n", "a: \u007f\n", "a: \ufffe\n", "a: b\r\nc: d\r\n", "a: b\rc: d\r", "a: b\r\n\r\n  c\r\n", "a: 1\n b: 2\n", "  a: 1\n  b: 2\n", "  a: 1\nb: 2\n", "a:\n    b: 1\n  c: 2\n", "a:\n  b: 1\n   c: 2\n", "a: 1\n  b: 2\n",
        "taskmanager:\n  memory:\n    process:\n      size: 1728m\n  numberOfTaskSlots: 4\n", "taskmanager.memory.process.size: 1728m\ntaskmanager:\n  numberOfTaskSlots: 4\n", "env.java.opts.all: --add-exports=java.base/sun.net.util=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED\n", "env:\n  java:\n    opts:\n      all: -XX:+UseG1GC -Dx=y\n",
        "metrics.reporter.x.filter.includes: *:*:*\n", "high-availability: zookeeper\nhigh-availability.storageDir: s3://x\n", "state.backend: rocksdb\nstate:\n  backend:\n    incremental: true\n", "a: 010\nb: 0o10\nc: 0x1F\nd: +5\ne: 1_000\nf: 1.20\ng: 1e3\nh: .5\ni: 1.\nj: 12e4567\nk: .inf\nl: .nan\nm: yes\nn: 2024-01-01\no: 10:30\n",
        "a: [1, 2.0, true, ~, 'x', \"y\"]\n", "a: [[1, 2], {b: c}]\n", "a:\n  - 1\n  -\n    - 2\n    - 3\n", "a: [\"x: y\", 'it''s', \"tab\\t\"]\n", "a: [-1, '-1', '', 'a,b', '#', 'a #b', '*', '&a', '!x', '@', '%', '|', '>', '?', '-', ': ', 'null', 'true', '1.0', ' lead', 'trail ']\n", "a: [\"line\\nbreak\", \"\\u00e9\", \"\\U0001F600\", \"\\x07\"]\n",
        "a: [x, \"a very long text that goes on and on and on and on and on and on and on and on and on and on and on and on and on beyond any line width\"]\n", "a: {b: [c, {d: e}]}\n", "a: [{b: c, d: 1}, {e: ''}]\n", "a: [2024-01-01, 10:30, 0x1F, 010, 1e3, .inf, yes]\n", "a: [9223372036854775808, 1.0E10, 1e-7, 100000000.0]\n", "a.: b\n", ".a: b\n", "a..b: c\n", "'': b\n", "a: {'': b}\n", "a: {'.': b}\n",
        "a:\n  b: c\n\n  # note\n  d: e\n# end\n", "a: # note\n  b: c\n", "a:\n# note\n  b: c\n", "a: b #\n", "#\n#\na: b\n", "a: b\n \nc: d\n", "a: b\n\t\nc: d\n", "a: b\n\t# c\nd: e\n", "a: b\nc\n", "a: b\nc:\n", "a: b\n- c\n", "a: \"b\" c\n", "a: 'b' 'c'\n", "\"a\n b\": c\n", "a: !!str\n", "a: !\n", "<<: {a: b}\n", "=: x\n", "a: <<\n", "a: =\n"};
}
