package source

import "testing"

func TestExcerptKeepsLineNumbers(t *testing.T) {
	f := NewExcerpt("taskmanager.log", []NumberedLine{{3, "first"}, {700, "two\nwords"}})
	if text, start := f.Line(700); string(text) != "two words" || start != 6 {
		t.Errorf("line 700 is %q at %d", text, start)
	}
	if text, _ := f.Line(4); text != nil {
		t.Errorf("line 4 is %q, and is not part of the excerpt", text)
	}
	if f.Lines() != 700 {
		t.Errorf("Lines() = %d", f.Lines())
	}
	at := f.Offset(700, 5)
	s := f.Span(at, at+5)
	if s.String() != "taskmanager.log:700" || s.Column != 5 || s.Text() != "words" {
		t.Errorf("span %v, column %d, text %q", s, s.Column, s.Text())
	}
	if empty := NewExcerpt("x", nil); empty.Span(0, 0).Line != 1 || empty.Lines() != 1 {
		t.Error("an empty excerpt has no place")
	}
}
