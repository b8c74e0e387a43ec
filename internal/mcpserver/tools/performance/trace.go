package performance

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"weak"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/redact"
	"cove/internal/trace/report"
)

// traceReports are the analyses of the last traces that one agent has recorded, one for each page that is open.
type traceReports struct {
	mu    sync.Mutex
	byTab map[*page.Tab]report.Report
}

// set retains the report of a page until the page closes.
func (rs *traceReports) set(t *page.Tab, r report.Report) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.byTab == nil {
		rs.byTab = map[*page.Tab]report.Report{}
	}
	_, replaced := rs.byTab[t]
	rs.byTab[t] = r
	if replaced {
		return
	}

	// The agent may leave before the page closes: a weak pointer does not retain its reports.
	reports := weak.Make(rs)
	context.AfterFunc(t.Target.Gone(), func() {
		if rs := reports.Value(); rs != nil {
			rs.drop(t)
		}
	})
}

func (rs *traceReports) drop(t *page.Tab) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	delete(rs.byTab, t)
}

func (rs *traceReports) get(t *page.Tab) (report.Report, bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r, ok := rs.byTab[t]
	return r, ok
}

// saveTrace copies the trace to the file that the agent names, compressed when the name ends with .gz.
func saveTrace(ctx context.Context, c *mcpserver.Call, from *os.File, name string) (string, error) {
	to, full, err := c.Files.Create(ctx, name)
	if err != nil {
		return "", err
	}
	defer func() { _ = to.Close() }()
	if _, err := from.Seek(0, 0); err != nil {
		return "", err
	}
	if !strings.HasSuffix(full, ".gz") {
		return full, fault.Disk(copyRedacted(c, to, from))
	}

	packed := gzip.NewWriter(to)
	if err = copyRedacted(c, packed, from); err == nil {
		err = packed.Close()
	}
	return full, fault.Disk(err)
}

// copyRedacted copies a text without the profile's secrets and the passwords of addresses.
func copyRedacted(c *mcpserver.Call, to io.Writer, from io.Reader) error {
	out := c.Redact.Writer(to)
	urls := redact.Writer(out)
	if _, err := io.Copy(urls, from); err != nil {
		return err
	}
	if err := urls.Close(); err != nil {
		return err
	}
	return out.Close()
}
