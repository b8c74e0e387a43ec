package mcpserver

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/trace"
)

type castInput struct {
	onPage
	FilePath string `json:"filePath,omitempty"`
}

var screencastStart = define("screencast_start", "Start to record the page as a WebM film.",
	func(ctx context.Context, c *call, in castInput) error {
		t, err := c.tab(ctx, in.onPage)
		if err != nil {
			return err
		}
		name := in.FilePath
		if name == "" {
			name = filepath.Join(os.TempDir(), "cove-screencast-"+time.Now().Format("20060102-150405.000")+".webm")
		}
		if ext := filepath.Ext(name); ext != ".webm" {
			name = strings.TrimSuffix(name, ext) + ".webm"
		}
		f, full, err := c.create(ctx, name)
		if err != nil {
			return err
		}
		if err := t.Camera.StartRecording(ctx, f, full); err != nil {
			_ = f.Close()
			_ = os.Remove(full)
			return err
		}
		c.say("Screencast recording started. It will be saved to %s. Use screencast_stop to stop it.", full)
		return nil
	})

var screencastStop = define("screencast_stop", "Stop the recording and save it.",
	func(ctx context.Context, c *call, in struct{ onPage }) error {
		t, err := c.tab(ctx, in.onPage)
		if err != nil {
			return err
		}
		full, frames, err := t.Camera.StopRecording(ctx)
		if err != nil {
			return fault.Disk(err)
		}
		c.say("The screencast was stopped and saved to %s (%d pictures).", full, frames)
		return nil
	})

type heapInput struct {
	onPage
	FilePath string `json:"filePath"`
}

var takeHeapsnapshot = define("take_heapsnapshot", "Save the page's memory as a .heapsnapshot for DevTools.",
	func(ctx context.Context, c *call, in heapInput) error {
		t, unlock, err := c.acting(ctx, in.onPage)
		if err != nil {
			return err
		}
		defer unlock()
		f, full, err := c.create(ctx, in.FilePath)
		if err != nil {
			return err
		}
		c.tell(ctx, 0, 1, "Taking the snapshot")
		out := c.server.hider().Writer(f)
		err = t.Profiler.HeapSnapshot(ctx, out)
		if cerr := out.Close(); err == nil {
			err = cerr
		}
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			_ = os.Remove(full)
			return fault.Disk(err)
		}
		c.say("Heap snapshot saved to %s", full)
		return nil
	}).needs(policy.Script, func(json.RawMessage) string {
	return "save all of the page's memory, with whatever passwords and cookies are in it,"
})

type traceInput struct {
	onPage
	Reload      *bool  `json:"reload,omitempty" say:"default true"`
	AutoStop    *bool  `json:"autoStop,omitempty" say:"default true"`
	IgnoreCache bool   `json:"ignoreCache,omitempty"`
	FilePath    string `json:"filePath,omitempty" say:"save the trace (.json, .json.gz)"`
}

// traceTime is how long a trace goes on by itself after the page has loaded.
const traceTime = 5 * time.Second

var performanceStartTrace = define("performance_start_trace", "Record a performance trace: reloads, waits and reports unless told otherwise.",
	func(ctx context.Context, c *call, in traceInput) error {
		t, unlock, err := c.acting(ctx, in.onPage)
		if err != nil {
			return err
		}
		defer unlock()
		if in.FilePath != "" {
			if _, err := c.path(ctx, in.FilePath); err != nil {
				return err
			}
		}
		reload := in.Reload == nil || *in.Reload
		back := t.About().URL
		if reload { // from a blank page, so that the trace holds the whole navigation
			if _, err := t.Navigate(ctx, page.Navigation{Kind: "url", URL: "about:blank", AcceptUnload: true, Limit: defaultLimit}); err != nil {
				return err
			}
		}
		if err := t.Profiler.StartTrace(ctx, trace.Categories); err != nil {
			return err
		}
		if reload {
			c.tell(ctx, 1, 3, "Loading the page")
			if _, err := t.Navigate(ctx, page.Navigation{Kind: "url", URL: back, IgnoreCache: in.IgnoreCache, Limit: defaultLimit}); err != nil {
				return err
			}
		}
		if in.AutoStop != nil && !*in.AutoStop {
			c.say("The performance trace is being recorded. Use performance_stop_trace to stop it.")
			return nil
		}
		c.tell(ctx, 2, 3, "Recording")
		select {
		case <-time.After(traceTime):
		case <-ctx.Done():
		}
		return c.stopTrace(context.WithoutCancel(ctx), t, in.FilePath)
	})

type stopTraceInput struct {
	onPage
	FilePath string `json:"filePath,omitempty"`
}

var performanceStopTrace = define("performance_stop_trace", "Stop the trace and report.",
	func(ctx context.Context, c *call, in stopTraceInput) error {
		t, unlock, err := c.acting(ctx, in.onPage)
		if err != nil {
			return err
		}
		defer unlock()
		if !t.Profiler.Tracing() {
			c.say("No performance trace of this page is being recorded.")
			return nil
		}
		return c.stopTrace(ctx, t, in.FilePath)
	})

// report is the analysis of the last trace.
type report struct{ trace.Report }

// stopTrace saves and analyses the trace. Without a file name it goes through a temporary file: traces are large.
func (c *call) stopTrace(ctx context.Context, t *page.Tab, name string) error {
	f, err := os.CreateTemp("", "cove-trace-*.json")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	defer func() { _ = f.Close() }()
	if err := t.Profiler.StopTrace(ctx, f); err != nil {
		return err
	}
	c.say("The performance trace has been stopped.")
	if name != "" {
		full, err := c.saveTrace(ctx, f, name)
		if err != nil {
			return err
		}
		c.say("Saved the trace to %s.", full)
	}
	if _, err := f.Seek(0, 0); err != nil {
		return err
	}
	parsed, err := trace.Parse(f)
	if err != nil {
		return fmt.Errorf("read the trace: %w", err)
	}
	r := report{parsed.Analyze()}
	if e := t.Emulator.Current(); e.CPU > 1 || e.Network != "" {
		r.CPUThrottling, r.NetworkThrottling = fmt.Sprintf("%gx", max(e.CPU, 1)), e.Network
	}
	c.client.mu.Lock()
	c.client.reports[t.ID()] = r
	c.client.mu.Unlock()
	c.show(string(redactAddresses([]byte(r.Summary()))))
	return nil
}

// saveTrace copies the trace to where the agent wants it, packed when its name says so.
func (c *call) saveTrace(ctx context.Context, from *os.File, name string) (string, error) {
	to, full, err := c.create(ctx, name)
	if err != nil {
		return "", err
	}
	defer func() { _ = to.Close() }()
	if _, err := from.Seek(0, 0); err != nil {
		return "", err
	}
	if !strings.HasSuffix(full, ".gz") {
		return full, fault.Disk(c.copyTo(to, from))
	}
	packed := gzip.NewWriter(to)
	if err = c.copyTo(packed, from); err == nil {
		err = packed.Close()
	}
	return full, fault.Disk(err)
}

// copyTo copies without the profile's secrets and the passwords of addresses.
func (c *call) copyTo(to io.Writer, from io.Reader) error {
	out := c.server.hider().Writer(to)
	lines := &lineFilter{to: out}
	if _, err := io.Copy(lines, from); err != nil {
		return err
	}
	if err := lines.Close(); err != nil {
		return err
	}
	return out.Close()
}

type insightInput struct {
	onPage
	InsightSetID string `json:"insightSetId"`
	InsightName  string `json:"insightName"`
}

var performanceAnalyzeInsight = define("performance_analyze_insight", "Explain one insight of the last trace.",
	func(ctx context.Context, c *call, in insightInput) error {
		t, err := c.tab(ctx, in.onPage)
		if err != nil {
			return err
		}
		c.client.mu.Lock()
		r, ok := c.client.reports[t.ID()]
		c.client.mu.Unlock()
		if !ok {
			return fault.New(fault.NotFound, "E_NO_TRACE", "No trace of this page has been recorded.", "Record one with performance_start_trace.")
		}
		text, err := r.Insight(in.InsightSetID, in.InsightName)
		if err != nil {
			c.say("%s", capital(err.Error()))
			return nil //nolint:nilerr // the answer lists what there is
		}
		c.show(string(redactAddresses([]byte(text))))
		return nil
	}).reads()
