package redact

import (
	"bytes"
	"io"
)

// Writer returns a writer that redacts the addresses in a text on its way to w. Close writes the rest and leaves w
// open.
func Writer(w io.Writer) io.WriteCloser { return &urlWriter{to: w} }

// urlWriter passes on whole lines, because an address does not span two of them.
type urlWriter struct {
	to      io.Writer
	pending []byte
}

// maxLine is how much of a line the writer retains while it waits for the line's end.
const maxLine = 1 << 20

func (w *urlWriter) Write(p []byte) (int, error) {
	w.pending = append(w.pending, p...)

	end := bytes.LastIndexByte(w.pending, '\n') + 1
	if end == 0 {
		if len(w.pending) < maxLine {
			return len(p), nil
		}
		end = len(w.pending)
	}

	_, err := w.to.Write(URLs(w.pending[:end]))
	w.pending = append(w.pending[:0], w.pending[end:]...)
	return len(p), err
}

func (w *urlWriter) Close() error {
	_, err := w.to.Write(URLs(w.pending))
	w.pending = nil
	return err
}
