// Package performance has the tools that record a performance trace of a page and explain what was slow in it.
package performance

import (
	"context"
	"fmt"
	"os"
	"time"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/redact"
	"cove/internal/trace"
	"cove/internal/wording"
)

// StartTraceTool returns the tool performance_start_trace.
func StartTraceTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "performance_start_trace",
		Text: "Record a performance trace: reloads, waits and reports unless told otherwise.",
	}, runStartTrace)
}

type traceInput struct {
	mcpserver.OnPage
	Reload      *bool  `json:"reload,omitempty"`
	AutoStop    *bool  `json:"autoStop,omitempty"`
	IgnoreCache bool   `json:"ignoreCache,omitempty"`
	FilePath    string `json:"filePath,omitempty" say:"save the trace (.json, .json.gz)"`
}

// loadLimit is how long a server may take to answer a navigation.
const loadLimit = 30 * time.Second

// traceTime is how long a trace goes on after the page has loaded.
const traceTime = 5 * time.Second

func runStartTrace(ctx context.Context, c *mcpserver.Call, in traceInput) error {
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()
	if in.FilePath != "" {
		if _, err := c.Files.Resolve(ctx, in.FilePath); err != nil {
			return err
		}
	}
	if err := startTrace(ctx, c, t, in); err != nil {
		return err
	}
	if in.AutoStop != nil && !*in.AutoStop {
		c.Say("The performance trace is being recorded. Use performance_stop_trace to stop it.")
		return nil
	}

	c.ReportProgress(ctx, 2, 3, "Recording")
	select {
	case <-time.After(traceTime):
	case <-ctx.Done():
	}
	return stopTrace(context.WithoutCancel(ctx), c, t, in.FilePath)
}

// startTrace starts a trace. A reload begins at a blank page, so that the trace has the whole navigation.
func startTrace(ctx context.Context, c *mcpserver.Call, t *page.Tab, in traceInput) error {
	reload := in.Reload == nil || *in.Reload
	back := t.About().URL
	if reload {
		blank := page.Navigation{Kind: "url", URL: "about:blank", AcceptUnload: true, Limit: loadLimit}
		if _, err := t.Navigate(ctx, blank); err != nil {
			return err
		}
	}
	if err := t.Profiler.StartTrace(ctx, trace.Categories); err != nil {
		return err
	}
	if !reload {
		return nil
	}

	c.ReportProgress(ctx, 1, 3, "Loading the page")
	_, err := t.Navigate(ctx, page.Navigation{Kind: "url", URL: back, IgnoreCache: in.IgnoreCache, Limit: loadLimit})
	return err
}

// StopTraceTool returns the tool performance_stop_trace.
func StopTraceTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "performance_stop_trace", Text: "Stop the trace and report.",
	}, runStopTrace)
}

type stopTraceInput struct {
	mcpserver.OnPage
	FilePath string `json:"filePath,omitempty"`
}

func runStopTrace(ctx context.Context, c *mcpserver.Call, in stopTraceInput) error {
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()
	if !t.Profiler.Tracing() {
		c.Say("No performance trace of this page is being recorded.")
		return nil
	}
	return stopTrace(ctx, c, t, in.FilePath)
}

// stopTrace saves and analyses the trace. It goes through a temporary file: traces are large.
func stopTrace(ctx context.Context, c *mcpserver.Call, t *page.Tab, name string) error {
	f, err := os.CreateTemp("", "cove-trace-*.json")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	defer func() { _ = f.Close() }()
	if err := t.Profiler.StopTrace(ctx, f); err != nil {
		return err
	}
	c.Say("The performance trace has been stopped.")

	if name != "" {
		full, err := saveTrace(ctx, c, f, name)
		if err != nil {
			return err
		}
		c.SaySaved("Saved the trace to", full)
	}
	if _, err := f.Seek(0, 0); err != nil {
		return err
	}
	parsed, err := trace.Parse(f)
	if err != nil {
		return fmt.Errorf("read the trace: %w", err)
	}

	r := parsed.Analyze()
	if e := t.Emulator.Current(); e.CPU > 1 || e.Network != "" {
		r.CPUThrottling, r.NetworkThrottling = fmt.Sprintf("%gx", max(e.CPU, 1)), e.Network
	}
	mcpserver.ClientState[traceReports](c).set(t, r)
	c.Show(string(redact.URLs([]byte(r.Summary()))))
	return nil
}

// AnalyzeInsightTool returns the tool performance_analyze_insight.
func AnalyzeInsightTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "performance_analyze_insight", Text: "Explain one insight of the last trace.", ReadOnly: true,
	}, runAnalyzeInsight)
}

type insightInput struct {
	mcpserver.OnPage
	InsightSetID string `json:"insightSetId"`
	InsightName  string `json:"insightName"`
}

func runAnalyzeInsight(ctx context.Context, c *mcpserver.Call, in insightInput) error {
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	r, ok := mcpserver.ClientState[traceReports](c).get(t)
	if !ok {
		return fault.New(fault.CodeNoTrace, "No trace of this page has been recorded.",
			"Record one with performance_start_trace.")
	}

	text, err := r.Insight(in.InsightSetID, in.InsightName)
	if err != nil {
		c.Say("%s", wording.Capitalize(err.Error()))
		return nil // the answer lists what there is
	}
	c.Show(string(redact.URLs([]byte(text))))
	return nil
}
