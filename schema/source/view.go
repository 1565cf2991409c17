package source

import "sort"

// A View is text that was taken out of a file (the block scalar of a ConfigMap, a value of a compose file), with the way back: every byte of
// Data knows the byte of File it came from, so that spans found in the text point at the true place.
type View struct {
	File *File
	Data []byte
	// pieces are runs of Data that lie in File as they are, ordered by at.
	pieces []piece
}

type piece struct{ at, file int }

// Whole is the view of a whole file.
func (f *File) Whole() *View {
	return &View{File: f, Data: f.Data, pieces: []piece{{0, 0}}}
}

// NewView begins a view that has no text yet.
func NewView(f *File) *View { return &View{File: f} }

// Append adds the bytes [start, end) of the file to the view.
func (v *View) Append(start, end int) {
	v.pieces = append(v.pieces, piece{len(v.Data), start})
	v.Data = append(v.Data, v.File.Data[start:end]...)
}

// AppendText adds text that stands for the byte at offset start of the file, such as an escape that was resolved.
func (v *View) AppendText(text string, start int) {
	for i := range len(text) {
		v.pieces = append(v.pieces, piece{len(v.Data) + i, start})
	}
	v.Data = append(v.Data, text...)
}

// Offset is the place in the file of the byte at offset i of the view.
func (v *View) Offset(i int) int {
	if len(v.pieces) == 0 {
		return 0
	}
	n := max(sort.Search(len(v.pieces), func(n int) bool { return v.pieces[n].at > i })-1, 0)
	return v.pieces[n].file + i - v.pieces[n].at
}

// Span is the span in the file of the bytes [start, end) of the view.
func (v *View) Span(start, end int) Span {
	if end <= start {
		at := v.Offset(start)
		return v.File.Span(at, at)
	}
	return v.File.Span(v.Offset(start), v.Offset(end-1)+1)
}

// Slice is the part [start, end) of the view's text, with the same way back.
func (v *View) Slice(start, end int) *View {
	out := NewView(v.File)
	out.Data = v.Data[start:end:end]
	first := max(sort.Search(len(v.pieces), func(n int) bool { return v.pieces[n].at > start })-1, 0)
	for _, p := range v.pieces[min(first, len(v.pieces)):] {
		if p.at >= end {
			break
		}
		if p.at < start {
			p.file += start - p.at
			p.at = start
		}
		out.pieces = append(out.pieces, piece{p.at - start, p.file})
	}
	return out
}
