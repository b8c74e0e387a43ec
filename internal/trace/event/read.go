package event

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

var errNoTrace = errors.New(
	"this is no performance trace: it should be JSON with a list traceEvents, or such a list alone",
)

// Read calls add for each event of a trace: {"traceEvents": […]} or a bare list, compressed or not. It passes over
// malformed events. For a file that ends early, Read calls add for the events that are there and returns truncated.
// Read never has more than one event in memory.
func Read(r io.Reader, add func(*Event)) (truncated bool, err error) {
	in, err := decompress(r)
	if err != nil {
		return false, err
	}

	s := &stream{dec: json.NewDecoder(in), add: add}
	err = s.read()
	switch {
	case err == nil:
	case s.seen > 0:
		truncated = true
	case errors.Is(err, io.EOF):
		return false, errors.New("the trace is empty")
	case errors.Is(err, errNoTrace):
		return false, err
	default:
		return false, fmt.Errorf("%w (%w)", errNoTrace, err)
	}

	if s.seen == 0 {
		return false, errors.New("the trace holds no events")
	}
	return truncated, nil
}

func decompress(r io.Reader) (io.Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	// Input that is too short to be compressed is read as it is.
	if magic, _ := in.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return in, nil
	}

	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("read the compressed trace: %w", err)
	}
	return z, nil
}

// stream reads one trace.
type stream struct {
	dec  *json.Decoder
	add  func(*Event)
	seen int
}

// read finds the list of events and reads it.
func (s *stream) read() error {
	first, err := s.dec.Token()
	if err != nil {
		return err
	}
	switch first {
	case json.Delim('['):
		return s.readEvents()
	case json.Delim('{'):
	default:
		return errNoTrace
	}
	found := false
	for s.dec.More() {
		key, err := s.dec.Token()
		if err != nil {
			return err
		}
		if key != "traceEvents" {
			if err := s.skip(); err != nil {
				return err
			}
			continue
		}
		if open, err := s.dec.Token(); err != nil {
			return err
		} else if open != json.Delim('[') {
			return errNoTrace
		}
		found = true
		if err := s.readEvents(); err != nil {
			return err
		}
	}
	if _, err := s.dec.Token(); err != nil {
		return err
	}
	if !found {
		return errNoTrace
	}
	return nil
}

func (s *stream) readEvents() error {
	for s.dec.More() {
		var e Event
		err := s.dec.Decode(&e)
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			continue
		}
		if err != nil {
			return err
		}
		s.seen++
		s.add(&e)
	}
	_, err := s.dec.Token()
	return err
}

// skip skips one value without storing it.
func (s *stream) skip() error {
	for depth := 0; ; {
		token, err := s.dec.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}
