package profiler

import (
	"context"
	"encoding/base64"
	"io"
	"time"

	"cove/internal/fault"
)

// StartTrace begins to record a trace of the work that the browser does for this page.
func (p *Profiler) StartTrace(ctx context.Context, categories []string) error {
	if p.Tracing() {
		return fault.New(fault.CodeTracing, "A trace of this page is being recorded already.",
			"Stop it with performance_stop_trace.")
	}

	config := object{
		"recordMode":         "recordUntilFull",
		"includedCategories": categories,
		"excludedCategories": []string{"*"},
	}
	params := object{"transferMode": "ReturnAsStream", "streamFormat": "json", "streamCompression": "none",
		"traceConfig": config}
	if err := p.target.Do(ctx, "Tracing.start", params, nil); err != nil {
		return err
	}
	p.mu.Lock()
	p.trace = make(chan string, 1)
	p.mu.Unlock()
	return nil
}

// Tracing reports whether a trace is being recorded.
func (p *Profiler) Tracing() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.trace != nil
}

// StopTrace ends the recording and writes the trace to w, as JSON.
func (p *Profiler) StopTrace(ctx context.Context, w io.Writer) error {
	p.mu.Lock()
	trace := p.trace
	p.trace = nil
	p.mu.Unlock()
	if trace == nil {
		return fault.New(fault.CodeNotTracing, "No trace of this page is being recorded.",
			"Start one with performance_start_trace.")
	}

	ctx, cancel := p.target.Bound(ctx, 2*time.Minute)
	defer cancel()
	p.mu.Lock()
	p.ending = trace
	p.mu.Unlock()
	if err := p.target.Conn.Call(ctx, p.target.Session, "Tracing.end", nil, nil); err != nil {
		return err
	}
	select {
	case stream := <-trace:
		return p.readStream(ctx, stream, w)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// readStream copies a stream of the browser to w and closes the stream.
func (p *Profiler) readStream(ctx context.Context, handle string, w io.Writer) error {
	defer p.target.Post(p.target.Session, "IO.close", object{"handle": handle})
	for {
		var part struct {
			Data   string `json:"data"`
			Base64 bool   `json:"base64Encoded"`
			EOF    bool   `json:"eof"`
		}
		params := object{"handle": handle, "size": 1 << 20}
		if err := p.target.Conn.Call(ctx, p.target.Session, "IO.read", params, &part); err != nil {
			return err
		}
		data := []byte(part.Data)
		if part.Base64 {
			var err error
			if data, err = base64.StdEncoding.DecodeString(part.Data); err != nil {
				return err
			}
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
		if part.EOF {
			return nil
		}
	}
}
