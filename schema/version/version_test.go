package version

import "testing"

func TestParse(t *testing.T) {
	for _, c := range []struct{ in, want, suffix string }{
		{"1.13.1", "1.13.1", ""},
		{" 1.20 ", "1.20", ""},
		{"v1_18", "1.18", ""},
		{"v2_0", "2.0", ""},
		{"flink:1.18.1-scala_2.12-java11", "1.18.1", "scala_2.12-java11"},
		{"registry.example:5000/flink:1.17-java11", "1.17", "java11"},
		{"2.3-SNAPSHOT", "2.3", "SNAPSHOT"},
		{"1.15.2.1", "1.15.2", "1"},
		{"1.14.0-csadh1.6.0.1", "1.14.0", "csadh1.6.0.1"},
	} {
		v, err := Parse(c.in)
		if err != nil || v.String() != c.want || v.Suffix != c.suffix {
			t.Errorf("Parse(%q) = %v %q, %v; want %s %q", c.in, v, v.Suffix, err, c.want, c.suffix)
		}
	}
	for _, bad := range []string{"", "latest", "1", "one.two", "1..2", "flink"} {
		if v, err := Parse(bad); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", bad, v)
		}
	}
}

func TestOrder(t *testing.T) {
	if !MustParse("1.9.3").Before(1, 10) || !MustParse("2.0").AtLeast(1, 20) || MustParse("1.13.1").AtLeastPatch(1, 13, 2) {
		t.Error("versions do not compare as numbers")
	}
	if !MustParse("1.13").AtLeastPatch(1, 13, 2) {
		t.Error("a line without patch level must count as its newest release")
	}
	for _, c := range []struct {
		in    string
		want  Version
		exact bool
	}{{"1.9", Of(1, 10), false}, {"1.13.6", Of(1, 13), true}, {"2.9", Newest(), false}, {"1.25", Of(1, 20), false}} {
		i, exact := MustParse(c.in).Index()
		if Minors[i] != c.want || exact != c.exact {
			t.Errorf("Index(%s) = %v, %v; want %v, %v", c.in, Minors[i], exact, c.want, c.exact)
		}
	}
}
