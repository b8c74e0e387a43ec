package probe

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/paths"
)

// Cache remembers the values of the browser that was probed last, in memory and in a file. Callers who ask at the same
// time share one probe, which goes on when some of them leave. It is safe for concurrent use. Close ends it.
type Cache struct {
	home paths.Home
	log  *slog.Logger
	read func(ctx context.Context, path, dir string, args []string) (Values, error)

	ctx  context.Context // of the probes: they outlive the callers
	stop context.CancelFunc
	done sync.WaitGroup

	mu      sync.Mutex
	last    record
	running *run
	closed  bool
}

// record is the file of the cache.
type record struct {
	Browser chromium.Browser `json:"browser"`
	Args    []string         `json:"args"`
	Script  string           `json:"script"` // hash of the script that asked
	Values  Values           `json:"values"`
}

// run is a probe that somebody waits for.
type run struct {
	of   record
	done chan struct{}
	err  error
}

// limit is how long one probe may take.
const limit = time.Minute

// NewCache returns the cache of a data folder.
func NewCache(home paths.Home, log *slog.Logger) *Cache {
	c := &Cache{home: home, log: log, read: Read}
	c.ctx, c.stop = context.WithCancel(context.Background())
	if raw, err := os.ReadFile(home.Probe()); err == nil && json.Unmarshal(raw, &c.last) != nil {
		c.last = record{} // half a file counts as none
	}
	return c
}

// Close ends a probe that is under way, and waits for its browser.
func (c *Cache) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.stop()
	c.done.Wait()
}

// Values returns the values of a browser with arguments. It probes each version of a browser once.
func (c *Cache) Values(ctx context.Context, b chromium.Browser, args []string) (Values, error) {
	sum := sha256.Sum256([]byte(script))
	want := record{Browser: b, Args: args, Script: hex.EncodeToString(sum[:8])}
	for {
		known, r, err := c.lookup(want)
		if r == nil {
			return known, err
		}
		select {
		case <-ctx.Done():
			return Values{}, context.Cause(ctx)
		case <-r.done:
		}
		if r.of.sameBrowser(want) {
			return r.of.Values, r.err
		}
	}
}

// lookup returns what is known of a browser, or else the probe to wait for, which it begins if there is none.
func (c *Cache) lookup(want record) (known Values, r *run, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.last.sameBrowser(want):
		return c.last.Values, nil, nil
	case c.closed:
		return known, nil, fault.New(fault.CodeShuttingDown, "Cove is shutting down.", "Start it again with: cove up")
	case c.running == nil:
		c.running = &run{of: want, done: make(chan struct{})}
		c.done.Add(1)
		go c.probe(c.running)
	}
	return known, c.running, nil
}

func (r record) sameBrowser(other record) bool {
	return r.Script == other.Script && r.Browser == other.Browser && slices.Equal(r.Args, other.Args)
}

// probe fills r, and remembers it if it succeeds.
func (c *Cache) probe(r *run) {
	defer c.done.Done()
	ctx, cancel := context.WithTimeout(c.ctx, limit)
	defer cancel()
	started := time.Now()
	values, err := c.read(ctx, r.of.Browser.Path, c.home.ProbeDir(), r.of.Args)
	if err == nil {
		r.of.Values = values
		c.log.Info("the browser was probed", "version", r.of.Browser.Version, "took", time.Since(started))
		c.store(r.of)
	} else {
		r.err = fault.New(fault.CodeBrowserLaunch, r.of.Browser.Name+" does not tell its own values.",
			"Check with `cove doctor` whether it starts, then try again.").Because(err)
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.last = r.of
	}
	c.running = nil
	close(r.done)
}

// store writes the file. Without it, the next app probes again.
func (c *Cache) store(r record) {
	raw, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = paths.WriteVolatile(c.home.Probe(), append(raw, '\n'))
	}
	if err != nil {
		c.log.Warn("the values of the browser cannot be stored", "err", err)
	}
}
