// Package trace reads a performance trace of Chromium and says what was slow.
package trace

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Categories are what to record and nothing else (includedCategories of a trace's configuration): what the analysis
// needs, and what makes the saved file useful in the Performance panel of DevTools (its script samples and its frames).
// The sampling is the coarse one, which disturbs the page less.
var Categories = []string{
	"blink.console",
	"blink.user_timing",
	"devtools.timeline",
	"disabled-by-default-devtools.timeline",
	"disabled-by-default-devtools.timeline.frame",
	"disabled-by-default-devtools.timeline.stack",
	"disabled-by-default-layout_shift.debug",
	"disabled-by-default-lighthouse",
	"disabled-by-default-v8.cpu_profiler",
	"latencyInfo",
	"loading",
	"v8.execute",
}

// Screenshots is a category that adds a film strip to the saved file. The analysis does not need it, and it makes the
// file several times larger.
const Screenshots = "disabled-by-default-devtools.screenshot"

// room bounds how many events of a trace are stored. Samples have a bound of their own because they come in thousands.
const (
	room       = 400_000
	sampleRoom = 4_000_000
)

// Trace is what the analysis needs of a recorded trace.
type Trace struct {
	seen      int
	truncated bool // the file ends early
	full      bool // there was more than room
	late      bool // a process joined the recording late
	recorded  int
	samples   int

	bounds  Bounds
	started int64 // when recording began; what is older was carried into the trace

	main    string           // the frame id of the page
	pid     int              // the process that the page started in
	pageURL string           // what the page showed when recording began
	frames  map[string]frame // every frame that was named, by id
	threads map[thread]bool  // the main threads of renderers

	navigations []navigation
	commits     []commit
	candidates  []candidate
	imageURLs   map[node]string
	names       map[node]string
	paints      map[string]int64 // the first contentful paint of a navigation
	shifts      []shift
	inputs      []input
	requests    map[requestKey]*request
	tasks       []activity
	activities  []activity
	profiles    map[profileKey]*profile

	unsized    map[node]int64
	painted    map[node]int64 // when an image was painted first
	fonts      []font
	animations []*animation
	running    map[animationKey]*animation
	restyles   []restyle
}

// Bounds is a part of a trace in the browser's own clock, in microseconds.
type Bounds struct{ Min, Max int64 }

func (b Bounds) contains(at int64) bool { return at >= b.Min && at <= b.Max }

// thread is one thread of one process.
type thread struct{ pid, tid int }

// node is an element as a renderer numbers them.
type node struct{ pid, id int }

var errNoTrace = errors.New(
	"this is no performance trace: it should be JSON with a list traceEvents, or such a list alone",
)

// Parse reads a trace: {"traceEvents": […]} or a bare list, compressed or not. Events that are unknown or malformed are
// passed over. A file that ends early gives what it holds.
func Parse(r io.Reader) (*Trace, error) {
	in, err := decompress(r)
	if err != nil {
		return nil, err
	}
	t := &Trace{
		frames: map[string]frame{}, threads: map[thread]bool{}, imageURLs: map[node]string{}, names: map[node]string{},
		paints: map[string]int64{}, requests: map[requestKey]*request{}, profiles: map[profileKey]*profile{},
		unsized: map[node]int64{}, painted: map[node]int64{}, running: map[animationKey]*animation{},
	}
	err = t.read(json.NewDecoder(in))
	switch {
	case err == nil:
	case t.seen > 0:
		t.truncated = true
	case errors.Is(err, io.EOF):
		return nil, errors.New("the trace is empty")
	case errors.Is(err, errNoTrace):
		return nil, err
	default:
		return nil, fmt.Errorf("%w (%w)", errNoTrace, err)
	}
	if t.seen == 0 {
		return nil, errors.New("the trace holds no events")
	}
	t.settle()
	return t, nil
}

func decompress(r io.Reader) (io.Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if magic, err := in.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return in, nil //nolint:nilerr // What is too short to be compressed is read as it is.
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("read the compressed trace: %w", err)
	}
	return z, nil
}

// read walks to the list of events. It never has more than one event in memory.
func (t *Trace) read(dec *json.Decoder) error {
	first, err := dec.Token()
	if err != nil {
		return err
	}
	switch first {
	case json.Delim('['):
		return t.readEvents(dec)
	case json.Delim('{'):
	default:
		return errNoTrace
	}
	found := false
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		if key != "traceEvents" {
			if err := skip(dec); err != nil {
				return err
			}
			continue
		}
		if open, err := dec.Token(); err != nil {
			return err
		} else if open != json.Delim('[') {
			return errNoTrace
		}
		found = true
		if err := t.readEvents(dec); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return err
	}
	if !found {
		return errNoTrace
	}
	return nil
}

func (t *Trace) readEvents(dec *json.Decoder) error {
	for dec.More() {
		var e event
		err := dec.Decode(&e)
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			continue
		}
		if err != nil {
			return err
		}
		t.add(&e)
	}
	_, err := dec.Token()
	return err
}

// skip passes over one value without storing it.
func skip(dec *json.Decoder) error {
	for depth := 0; ; {
		token, err := dec.Token()
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
