package source

import "testing"

func TestLinesEndAsInJava(t *testing.T) {
	f := NewFile("a", []byte("one\rtwo\r\nthrée\n\nlast"))
	want := []string{"one", "two", "thrée", "", "last"}
	if f.Lines() != len(want) {
		t.Fatalf("Lines() = %d, want %d", f.Lines(), len(want))
	}
	for i, w := range want {
		if got, _ := f.Line(i + 1); string(got) != w {
			t.Errorf("Line(%d) = %q, want %q", i+1, got, w)
		}
	}
	if n := NewFile("b", []byte("x\n")).Lines(); n != 1 {
		t.Errorf("a final line end began another line: %d", n)
	}
	if n := NewFile("c", nil).Lines(); n != 1 {
		t.Errorf("empty file has %d lines, want 1 empty one", n)
	}
}

func TestPositionsAndOffsetsAgree(t *testing.T) {
	f := NewFile("a", []byte("ab\r\nçd\xff: x\n\nlast"))
	for off := 0; off <= len(f.Data); off++ {
		line, col := f.Position(off)
		text, start := f.Line(line)
		if off > start+len(text) {
			continue // inside a line end
		}
		if off < len(f.Data) && f.Data[off]&0xC0 == 0x80 && off > start {
			continue // inside a code point
		}
		if got := f.Offset(line, col); got != off {
			t.Errorf("Offset(%d, %d) = %d, want %d", line, col, got, off)
		}
	}
	s := f.Span(-3, 9999)
	if s.Start != 0 || s.End != len(f.Data) || s.String() != "a:1" {
		t.Errorf("Span does not clip: %+v", s)
	}
}

func TestViewsPointBackAtTheFile(t *testing.T) {
	f := NewFile("a", []byte("k: |\n  one\n  two\nx: \"p\\nq\"\n"))
	v := NewView(f)
	v.Append(7, 11)  // "one\n"
	v.Append(13, 17) // "two\n"
	v.AppendText("!", 22)
	if got := string(v.Data); got != "one\ntwo\n!" {
		t.Fatalf("view holds %q", got)
	}
	if s := v.Span(4, 7); s.Text() != "two" || s.Line != 3 || s.Column != 3 {
		t.Errorf("span of two: %+v %q", s, s.Text())
	}
	if s := v.Span(8, 9); s.Start != 22 || s.End != 23 {
		t.Errorf("span of a resolved escape: %+v", s)
	}
	for start := 0; start <= len(v.Data); start++ {
		for end := start; end <= len(v.Data); end++ {
			part := v.Slice(start, end)
			if string(part.Data) != string(v.Data[start:end]) {
				t.Fatalf("Slice(%d, %d) holds %q", start, end, part.Data)
			}
			for i := range part.Data {
				if part.Offset(i) != v.Offset(start+i) {
					t.Fatalf("Slice(%d, %d): byte %d lies at %d, want %d", start, end, i, part.Offset(i), v.Offset(start+i))
				}
			}
		}
	}
	if s := f.Whole().Span(3, 3); s.Start != 3 || s.End != 3 {
		t.Errorf("empty span: %+v", s)
	}
}
