package quantity

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// What MemorySize.parse reads and refuses; checked against flink-core-api 1.20.1.
func TestParseBytes(t *testing.T) {
	for text, want := range map[string]Bytes{
		"0": 0, "42": 42, "1728m": 1728 * MiB, "1728 mb": 1728 * MiB, " 2 G ": 2 * GiB, "3kibibytes": 3 * KiB, "4 TEBIBYTES": 4 * TiB, "5b": 5, "6 bytes": 6,
		"8388607t": 8388607 * TiB, "9223372036854775807": MaxBytes, "007k": 7 * KiB, "1\tgb": GiB,
	} {
		if got, err := ParseBytes(text); got != want || err != nil {
			t.Errorf("ParseBytes(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", " ", "-1", "+1g", ".5g", "1.5g", "1_000", "2Gi", "1MiB", "1e9", "g", "20%", "9223372036854775808", "16777216t", "8589934592g", "1 m b"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("ParseBytes(%q) = %d; Flink refuses it", text, got)
		}
	}
	if _, err := ParseBytes("8388608t"); !errors.Is(err, ErrOverflow) {
		t.Errorf("2^63 bytes: %v", err)
	}
}

func TestBytesPrint(t *testing.T) {
	for _, c := range []struct {
		b                     Bytes
		text, human, ours, in string
	}{
		{0, "0 bytes", "0 bytes", "0 bytes", "0"},
		{1, "1 bytes", "1 bytes", "1 byte", "1"},
		{1024, "1 kb", "1024 bytes", "1 KiB", "1k"},
		{MiB, "1 mb", "1024.000kb (1048576 bytes)", "1 MiB", "1m"},
		{GiB, "1 gb", "1024.000mb (1073741824 bytes)", "1 GiB", "1g"},
		{TiB, "1099511627776 bytes", "1024.000gb (1099511627776 bytes)", "1 TiB", "1024g"},
		{1728 * MiB, "1728 mb", "1.688gb (1811939328 bytes)", "1.69 GiB", "1728m"},
		{1536 * KiB, "1536 kb", "1.500mb (1572864 bytes)", "1.5 MiB", "1536k"},
		{1025, "1025 bytes", "1.001kb (1025 bytes)", "1 KiB", "1025"},
		// Ties are rounded up, where C's and Go's %.3f would round to even.
		{1088 * MiB, "1088 mb", "1.063gb (1140850688 bytes)", "1.06 GiB", "1088m"},
		{1344 * MiB, "1344 mb", "1.313gb (1409286144 bytes)", "1.31 GiB", "1344m"},
		{MaxBytes, "9223372036854775807 bytes", "8388608.000tb (9223372036854775807 bytes)", "unlimited", "9223372036854775807"},
	} {
		if got := []string{c.b.String(), c.b.Human(), c.b.Pretty(), c.b.Config()}; !cmp.Equal(got, []string{c.text, c.human, c.ours, c.in}) {
			t.Errorf("%d prints as %q", int64(c.b), got)
		}
	}
}

func TestBytesArithmetic(t *testing.T) {
	// 0.1 as Flink has it, a float widened to a double, gives 134217730 and not 134217728.
	tenth, _ := ParseFloat("0.1")
	if got, err := (1280 * MiB).Multiply(float64(tenth)); got != 134217730 || err != nil {
		t.Errorf("1280m * 0.1f = %d, %v", got, err)
	}
	managed, _ := ParseFloat("0.4")
	if got, _ := (1280 * MiB).Multiply(float64(managed)); got != 536870920 {
		t.Errorf("1280m * 0.4f = %d", got)
	}
	f := float64(tenth)
	if got, _ := (1280*MiB + 256*MiB).Multiply(f / (1 - f)); got != 178956973 {
		t.Errorf("1536m * 0.1f/(1-0.1f) = %d", got)
	}
	for _, x := range []float64{-0.1, math.NaN(), math.Inf(1)} {
		if _, err := MiB.Multiply(x); err == nil {
			t.Errorf("multiplying by %v was accepted", x)
		}
	}
	if _, err := MaxBytes.Multiply(1.1); !errors.Is(err, ErrOverflow) {
		t.Errorf("overflow: %v", err)
	}
	if _, err := MaxBytes.Add(1); !errors.Is(err, ErrOverflow) {
		t.Errorf("overflow: %v", err)
	}
	if _, err := Bytes(1).Sub(2); !errors.Is(err, ErrNegative) {
		t.Errorf("negative: %v", err)
	}
	if got := Bytes(1).CeilTo(MiB); got != MiB {
		t.Errorf("CeilTo = %d", got)
	}
	if got := (3*MiB - 1).Mebibytes(); got != 2 {
		t.Errorf("Mebibytes = %d", got)
	}
}

func TestParseDuration(t *testing.T) {
	v14, v120, v20, v21 := version.Of(1, 14), version.Of(1, 20), version.Of(2, 0), version.Of(2, 1)
	for _, c := range []struct {
		text string
		v    version.Version
		want time.Duration
		ok   bool
	}{
		{"5", v120, 5 * time.Millisecond, true},
		{"5 MIN", v120, 5 * time.Minute, true},
		{"60 SECONDS", v120, time.Minute, true},
		{"100ms", v120, 100 * time.Millisecond, true},
		{"7µs", v120, 7 * time.Microsecond, true},
		{"7 micros", v120, 7 * time.Microsecond, true},
		{"1day", v120, 24 * time.Hour, true},
		{"2m", v120, 2 * time.Minute, true},
		{"2m", version.Of(1, 15), 2 * time.Minute, true},
		{"2m", v14, 0, false},
		{"7us", v120, 0, false},
		{"1.5s", v120, 0, false},
		{"1h 30m", v120, 0, false},
		{"-1", v120, 0, false},
		{"1 week", v120, 0, false},
		{"", v120, 0, false},
		{"PT10S", v20, 0, false},
		{"PT10S", v21, 10 * time.Second, true},
		{"pt1h5m0.5s", v21, time.Hour + 5*time.Minute + 500*time.Millisecond, true},
		{"P1DT1H", v21, 25 * time.Hour, true},
		{"-PT1S", v21, 0, false},
		{"PT", v21, 0, false},
		{"P", v21, 0, false},
		{"9223372036854775808", v120, 0, false},
	} {
		d, err := ParseDuration(c.text, c.v)
		if (err == nil) != c.ok || c.ok && d.Std() != c.want {
			t.Errorf("ParseDuration(%q, Flink %s) = %v, %v", c.text, c.v, d.Std(), err)
		}
	}
	if _, err := ParseDuration("9223372036854775808", v20); err != nil {
		t.Errorf("Flink 2.0 reads numbers of any length: %v", err)
	}
	if _, err := ParseDuration("2m", v14); err == nil || !strings.Contains(err.Error(), "1.15") {
		t.Errorf("the refusal of m does not say since when it is read: %v", err)
	}
}

func TestFormatDuration(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		v    version.Version
		want string
	}{
		{0, version.Of(1, 20), "0 ms"}, {time.Minute, version.Of(1, 20), "1 min"}, {90 * time.Second, version.Of(1, 20), "90 s"},
		{1500 * time.Millisecond, version.Of(1, 20), "1500 ms"}, {48 * time.Hour, version.Of(1, 20), "2 d"}, {48 * time.Hour, version.Of(1, 18), "2 d"}, {48 * time.Hour, version.Of(1, 17), "172800000 ms"},
		{time.Microsecond, version.Of(1, 20), "1 µs"}, {time.Nanosecond, version.Of(1, 20), "1 ns"},
	} {
		if got := Of(c.d).Format(c.v); got != c.want {
			t.Errorf("%v in Flink %s prints as %q, want %q", c.d, c.v, got, c.want)
		}
	}
	if got := Of(2 * time.Minute).Pretty(); got != "2min" {
		t.Errorf("Pretty = %q", got)
	}
}

func TestNumbers(t *testing.T) {
	for text, ok := range map[string]bool{"1": true, "+1": true, "-2147483648": true, "2147483647": true, "2147483648": false, "1_0": false, "1.0": false, "0x1": false, " 1": false, "": false, "1k": false} {
		if _, err := ParseInt(text); (err == nil) != ok {
			t.Errorf("ParseInt(%q): %v", text, err)
		}
	}
	if n, err := ParseLong("-9223372036854775808"); n != math.MinInt64 || err != nil {
		t.Errorf("ParseLong: %d, %v", n, err)
	}
	for text, ok := range map[string]bool{"0.4": true, " .5 ": true, "1.": true, "1e-3": true, "0.4f": true, "0.4D": true, "NaN": true, "-Infinity": true, "0x1.8p1": true, "0x1p": false, "0,5": false, "50%": false, "": false, "inf": false, "1__0": false, "1e": false} {
		if _, err := ParseFloat(text); (err == nil) != ok {
			t.Errorf("ParseFloat(%q): %v", text, err)
		}
		if _, err := ParseDouble(text); (err == nil) != ok {
			t.Errorf("ParseDouble(%q): %v", text, err)
		}
	}
	if f, _ := ParseFloat("1e99"); !math.IsInf(float64(f), 1) {
		t.Errorf("Java answers overflow with infinity, got %v", f)
	}
	if d, _ := ParseDouble("-NaN"); !math.IsNaN(d) {
		t.Errorf("-NaN = %v", d)
	}
	for _, d := range []float64{math.NaN(), 1e39, 1e-46} {
		if _, err := FloatFromDouble(d); err == nil {
			t.Errorf("%v was narrowed to a float", d)
		}
	}
	for text, want := range map[string]bool{"true": true, "TRUE": true, "False": false} {
		if got, err := ParseBool(text); got != want || err != nil {
			t.Errorf("ParseBool(%q) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"yes", "1", " true", "'true'", ""} {
		if _, err := ParseBool(text); err == nil {
			t.Errorf("ParseBool(%q) was accepted", text)
		}
	}
	if c, ok := MatchEnum("exactly_once", []string{"EXACTLY_ONCE", "AT_LEAST_ONCE"}); !ok || c != "EXACTLY_ONCE" {
		t.Errorf("MatchEnum = %q, %v", c, ok)
	}
	if _, ok := MatchEnum("exactly-once", []string{"EXACTLY_ONCE"}); ok {
		t.Error("a hyphen is no underscore")
	}
}

// Java's Double.toString and Float.toString.
func TestFormatDouble(t *testing.T) {
	for d, want := range map[float64]string{
		0: "0.0", 1: "1.0", 1000: "1000.0", 1.2: "1.2", 0.001: "0.001", 0.0001: "1.0E-4", 9999999: "9999999.0", 1e7: "1.0E7", 1.5e10: "1.5E10", -2.5: "-2.5", 12345678.9: "1.23456789E7",
	} {
		if got := FormatDouble(d); got != want {
			t.Errorf("FormatDouble(%v) = %q, want %q", d, got, want)
		}
	}
	for got, want := range map[string]string{
		FormatDouble(math.Copysign(0, -1)): "-0.0", FormatDouble(math.NaN()): "NaN", FormatDouble(math.Inf(-1)): "-Infinity", FormatFloat(0.1): "0.1", FormatFloat(3e10): "3.0E10",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What StructuredOptionsSplitter makes of texts; checked against flink-core 1.20.1.
func TestSplit(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, "a": {"a"}, " a ; b ": {"a", "b"}, "a;;b": {"a", "", "b"}, "a;": {"a"}, ";a": {"a"}, ";;a": {"", "a"}, "'a;b';c": {"a;b", "c"}, `"it""s"`: {`it"s`}, "'it''s' ; x": {"it's", "x"},
		"a'b'c": {"a'b'c"}, "''": {""}, "a,b": {"a,b"}, "\u2003a\u2003": {"a\u2003"},
	} {
		got, err := SplitList(text)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("SplitList(%q): %v\n%s", text, err, diff)
		}
	}
	for _, text := range []string{"'a", "'a'b", `"a" b;c`} {
		if got, err := SplitList(text); err == nil {
			t.Errorf("SplitList(%q) = %q; Flink refuses it", text, got)
		}
	}
	got, err := SplitMap("OPERATOR:70, PYTHON : 30,k:'http://h:1'")
	if diff := cmp.Diff([]Pair{{"OPERATOR", "70"}, {"PYTHON", "30"}, {"k", "http://h:1"}}, got); err != nil || diff != "" {
		t.Errorf("SplitMap: %v\n%s", err, diff)
	}
	for _, text := range []string{"a", "a:b:c", "k:http://h:1", "a:1,a:2", "'k:a':v"} {
		if got, err := SplitMap(text); err == nil {
			t.Errorf("SplitMap(%q) = %v; Flink refuses it", text, got)
		}
	}
}

func TestWhatPrintsParsesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Bytes(rapid.Int64Range(0, math.MaxInt64).Draw(t, "bytes") >> rapid.IntRange(0, 62).Draw(t, "shift"))
		for _, text := range []string{b.String(), b.Config()} {
			if got, err := ParseBytes(text); got != b || err != nil {
				t.Fatalf("%d prints as %q, which reads as %d, %v", int64(b), text, got, err)
			}
		}
		// Flink's formatter takes nanoseconds in 64 bits.
		d := Of(time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "nanos")))
		v := rapid.SampledFrom(version.Minors).Draw(t, "version")
		if got, err := ParseDuration(d.Format(v), v); got != d || err != nil {
			t.Fatalf("%v prints as %q in Flink %s, which reads as %v, %v", d, d.Format(v), v, got, err)
		}
		x := rapid.Float64().Draw(t, "double")
		if got, err := ParseDouble(FormatDouble(x)); got != x || err != nil {
			t.Fatalf("%v prints as %q, which reads as %v, %v", x, FormatDouble(x), got, err)
		}
	})
}

func TestMultiplyTruncatesTheExactProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Bytes(rapid.Int64Range(0, 1<<50).Draw(t, "bytes"))
		x := rapid.Float64Range(0, 8).Draw(t, "factor")
		got, err := b.Multiply(x)
		if err != nil {
			t.Fatal(err)
		}
		exact, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'e', -1, 64))
		exact.Mul(exact, new(big.Rat).SetInt64(int64(b)))
		low, high := new(big.Rat).SetInt64(int64(got)), new(big.Rat).SetInt64(int64(got)+1)
		if exact.Cmp(low) < 0 || exact.Cmp(high) >= 0 {
			t.Fatalf("%d * %v = %d", int64(b), x, got)
		}
	})
}

func TestQuotedListsSplitBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfN(rapid.StringMatching(`[a-z;:,'" ]{0,6}`), 1, 5).Draw(t, "items")
		var quoted []string
		for _, item := range items {
			quoted = append(quoted, "'"+strings.ReplaceAll(item, "'", "''")+"'")
		}
		got, err := SplitList(strings.Join(quoted, " ; "))
		if diff := cmp.Diff(items, got); err != nil || diff != "" {
			t.Fatalf("%q: %v\n%s", quoted, err, diff)
		}
	})
}

func FuzzQuantities(f *testing.F) {
	for _, s := range []string{"1728m", "1.5g", "5 min", "PT1H", "a;'b'';c'", "k:v,x:'y'", "0x1p3", "-NaN"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if b, err := ParseBytes(s); err == nil && b < 0 {
			t.Fatalf("%q reads as %d bytes", s, b)
		}
		for _, v := range []version.Version{version.Oldest(), version.Newest()} {
			if d, err := ParseDuration(s, v); err == nil && (d.Sec < 0 || d.Nanos < 0 || d.Nanos > 999999999) {
				t.Fatalf("%q reads as %+v", s, d)
			}
		}
		_, _ = ParseFloat(s)
		_, _ = ParseDouble(s)
		_, _ = ParseInt(s)
		_, _ = SplitList(s)
		_, _ = SplitMap(s)
	})
}
