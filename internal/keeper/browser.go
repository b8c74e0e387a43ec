package keeper

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"time"

	"cove/internal/chromium"
	"cove/internal/paths"
	"cove/internal/process"
)

// browser is the process of the profile's own browser, from its launch or its adoption until it is gone. A profile that
// stands for a person's browser has none of its own: there exited says that the sharing is over, and the rest is empty.
//
// claim and launch set its fields, before the socket is published. awaitExit alone closes exited, after which exitCode
// is valid. The methods may be called from any goroutine.
type browser struct {
	process.ID
	launched time.Time        // zero for a browser that was adopted
	display  string           // of the launched browser; "" for none
	dir      paths.ProfileDir // has the log that the browser writes
	log      *slog.Logger     // the keeper's

	exited   chan struct{}
	exitCode int
}

// gone waits for the end of the browser. It reports false when ctx ends first.
func (b *browser) gone(ctx context.Context) bool {
	select {
	case <-b.exited:
		return true
	case <-ctx.Done():
		return false
	}
}

// orExited returns errExited for a browser that ended, and err for one that does not answer. The pipe of a browser
// ends a moment before its process.
func (b *browser) orExited(err error) error {
	select {
	case <-b.exited:
		return errExited
	case <-time.After(time.Second):
		return err
	}
}

// awaitPage waits until a person's browser shows a page. The browser forgets an interrupt that arrives while it
// starts, and a second one would end it at once, before it has written its data.
func (b *browser) awaitPage(dataDir string) {
	limit := time.After(pageLimit)
	for !b.launched.IsZero() && !chromium.HasShownPage(dataDir, b.launched) {
		select {
		case <-b.exited:
			return
		case <-limit:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// end interrupts the browser, and kills it after the limit. The end of life does not hurry it: a keeper that ends must
// not kill a browser that is still closing.
func (b *browser) end(life context.Context, limit time.Duration) {
	_ = b.Interrupt()
	life = context.WithoutCancel(life)
	ctx, cancel := context.WithTimeout(life, limit)
	defer cancel()
	if b.Wait(ctx) == nil {
		return
	}
	b.log.Warn("the browser did not end; killing it")
	_ = b.Kill()
	_ = b.Wait(life)
}

// trimLog stops a talkative browser from filling the disk, until it is gone or life ends.
func (b *browser) trimLog(life context.Context) {
	const limit = 10 << 20
	name := b.dir.BrowserLog()
	for {
		select {
		case <-b.exited:
			return
		case <-life.Done():
			return
		case <-time.After(time.Minute):
		}
		if info, err := os.Stat(name); err == nil && info.Size() > limit {
			_ = os.Truncate(name, 0)
		}
	}
}

// output returns the end of the browser's log, short enough for a message.
func (b *browser) output() string {
	lines, _ := paths.Tail(b.dir.BrowserLog(), 5)
	text := []rune(strings.Join(lines, " · "))
	return string(text[max(0, len(text)-1500):])
}
